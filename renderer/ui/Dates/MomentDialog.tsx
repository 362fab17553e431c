import { useState } from 'react'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { fieldsOf, momentOf, type Fields } from '../../lib/time/moments.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { Button } from '../Button/Button.tsx'
import { Dialog, DialogText } from '../Dialog/Dialog.tsx'
import { DateField, TimeField } from './DateField.tsx'
import styles from './Calendar.module.css'

type Props = {
  readonly title: string
  /** The label of the button: a verb. */
  readonly confirm: string
  /** The effect of choosing this time, as a sentence. */
  readonly result: (time: string) => string
  /** The condition under which it happens. */
  readonly note?: string
  /** The current time of the item; absent: tomorrow morning. Epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** Chooses a future date and time. */
export function MomentDialog({ title, confirm, result, note, start, onChoose, onClose }: Props) {
  const t = useTexts('common')
  const { dayAndTime } = useFormats()
  const now = useMinute()
  const [fields, setFields] = useState(() => fieldsOf(start ?? tomorrowMorning(now)))
  const at = momentOf(fields.date, fields.time)
  const problem = at === undefined ? t('calendar.none') : at <= now ? t('calendar.past') : undefined
  const submit = (): void => {
    if (at === undefined || problem !== undefined) return
    onClose()
    onChoose(at)
  }
  return (
    <Dialog
      title={title}
      width={440}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" aria-disabled={problem !== undefined || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      <MomentFields fields={fields} min={fieldsOf(now).date} error={problem} onChange={setFields} />
      {at === undefined || problem !== undefined ? null : <DialogText>{result(dayAndTime(at))}</DialogText>}
      {note === undefined ? null : <DialogText>{note}</DialogText>}
    </Dialog>
  )
}

type MomentFieldsProps = {
  readonly fields: Fields
  readonly onChange: (fields: Fields) => void
  /** The first day that can be selected. */
  readonly min?: string
  readonly error?: string
}

/** Fields for a date and a time, side by side. */
export function MomentFields({ fields, onChange, min, error }: MomentFieldsProps) {
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
