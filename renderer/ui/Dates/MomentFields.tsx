import { useTexts } from '../../i18n/index.ts'
import type { Fields } from '../../lib/time/moments.ts'
import { DateField } from './DateField.tsx'
import { TimeField } from './TimeField.tsx'
import styles from './Calendar.module.css'

type Props = {
  readonly fields: Fields
  readonly onChange: (fields: Fields) => void
  /** The first day that may be chosen. */
  readonly min?: string
  readonly error?: string
}

/** A day and a time of it, side by side. */
export function MomentFields({ fields, onChange, min, error }: Props) {
  const t = useTexts('common')
  return (
    <div className={styles['pair']}>
      <DateField
        label={t('calendar.day')}
        value={fields.date}
        min={min}
        error={error}
        onChange={(date) => onChange({ ...fields, date })}
      />
      <TimeField label={t('calendar.time')} value={fields.time} onChange={(time) => onChange({ ...fields, time })} />
    </div>
  )
}
