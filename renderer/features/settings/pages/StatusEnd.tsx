import { useState } from 'react'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Select } from '../../../ui/Choice/Select.tsx'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'
import styles from '../Settings.module.css'

const STATUS_ENDS = ['never', 'half', 'hour', 'today', 'week', 'custom'] as const
type StatusEnd = (typeof STATUS_ENDS)[number]

const MINUTE_MS = 60_000

/** When a status with this end is over, by the local calendar; `undefined`: never, or at a moment that is chosen. */
export function endOfStatus(end: StatusEnd, now: number, firstWeekday: number): number | undefined {
  if (end === 'half') return now + 30 * MINUTE_MS
  if (end === 'hour') return now + 60 * MINUTE_MS
  if (end !== 'today' && end !== 'week') return undefined
  const midnight = new Date(now)
  midnight.setHours(24, 0, 0, 0)
  if (end === 'week') {
    const weekday = midnight.getDay() || 7
    midnight.setDate(midnight.getDate() + ((firstWeekday - weekday + 7) % 7))
  }
  return midnight.getTime()
}

type Props = {
  /** Epoch milliseconds; absent: it has no end. */
  readonly until: number | undefined
  readonly onChange: (until: number | undefined) => void
}

/** When the status ends by itself. */
export function StatusEndField({ until, onChange }: Props) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const now = useMinute()
  const [asking, setAsking] = useState(false)
  const [first = 1] = formats.weekdays
  const choices = STATUS_ENDS.map((value) => ({ value: value as string, label: t(`profile.ends.${value}`) }))
  const chosen = until === undefined ? 'never' : 'until'
  const current =
    until === undefined ? [] : [{ value: 'until', label: t('profile.endsAt', { time: formats.dayAndTime(until) }) }]
  return (
    <div className={styles['row']}>
      <span className={styles['text']}>
        <span className={styles['name']}>{t('profile.end')}</span>
        <span className={styles['hint']}>{t('profile.endHint')}</span>
      </span>
      <Select
        label={t('profile.end')}
        value={chosen}
        choices={[...current, ...choices]}
        onChange={(value) => {
          if (value === 'custom') setAsking(true)
          else if (value !== 'until') onChange(endOfStatus(value as StatusEnd, Date.now(), first))
        }}
      />
      {asking ? (
        <MomentDialog
          title={t('profile.end')}
          confirm={t('profile.endChoose')}
          result={(time) => t('profile.endResult', { time })}
          start={until !== undefined && until > now ? until : undefined}
          onChoose={onChange}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
