import type { QuietHours } from '#shared/domain/notification.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { clockOf, minutesOf } from '../../../lib/time/moments.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { TimeField } from '../../../ui/Dates/DateField.tsx'
import { useChoices } from './use-choices.ts'
import styles from './Notifications.module.css'

/** Default for new quiet hours: weekday evenings and nights. */
const FIRST: Omit<QuietHours, 'id'> = { weekdays: [1, 2, 3, 4, 5], from: 20 * 60, to: 8 * 60 }
const MAX_QUIET_HOURS = 20
/** A Monday, for formatting weekday names. */
const MONDAY = Date.UTC(2026, 0, 5, 12)
const DAY_MS = 86_400_000

/** Weekly quiet hours; messages received in them are summarized at their end. */
export function QuietHoursList() {
  const t = useTexts('notifications')
  const [{ quietHours }, choose] = useChoices()
  const replace = (id: string, hours: QuietHours | undefined): void =>
    choose({ quietHours: quietHours.flatMap((each) => (each.id === id ? (hours ?? []) : each)) })
  return (
    <section aria-label={t('page.hours')} className={styles['hours']}>
      <p className={styles['hint']}>{t('page.hoursHint')}</p>
      {quietHours.map((hours) => (
        <Stretch key={hours.id} hours={hours} onChange={(changed) => replace(hours.id, changed)} />
      ))}
      <Button
        disabled={quietHours.length >= MAX_QUIET_HOURS}
        onClick={() => choose({ quietHours: [...quietHours, { ...FIRST, id: crypto.randomUUID() }] })}
      >
        {t('page.addHours')}
      </Button>
    </section>
  )
}

type StretchProps = { readonly hours: QuietHours; readonly onChange: (hours: QuietHours | undefined) => void }

function Stretch({ hours, onChange }: StretchProps) {
  const t = useTexts('notifications')
  const { weekdays } = hours
  const toggle = (day: number): void =>
    onChange({
      ...hours,
      weekdays: weekdays.includes(day)
        ? weekdays.filter((each) => each !== day)
        : [...weekdays, day].toSorted((a, b) => a - b),
    })
  return (
    <div role="group" aria-label={t('page.stretch')} className={styles['stretch']}>
      <Days chosen={weekdays} onToggle={toggle} />
      <TimeField
        label={t('page.from')}
        value={clockOf(hours.from)}
        onChange={(time) => onChange({ ...hours, from: minutesOf(time) ?? hours.from })}
      />
      <TimeField
        label={t('page.to')}
        value={clockOf(hours.to)}
        onChange={(time) => onChange({ ...hours, to: minutesOf(time) ?? hours.to })}
      />
      <IconButton icon="trash" label={t('page.removeHours')} onClick={() => onChange(undefined)} />
    </div>
  )
}

function Days({ chosen, onToggle }: { readonly chosen: readonly number[]; readonly onToggle: (day: number) => void }) {
  const formats = useFormats()
  return (
    <span className={styles['days']}>
      {formats.weekdays.map((day) => {
        const at = MONDAY + (day - 1) * DAY_MS
        return (
          <button
            key={day}
            type="button"
            aria-pressed={chosen.includes(day)}
            aria-label={formats.weekday(at)}
            onClick={() => onToggle(day)}
          >
            {formats.weekdayShort(at)}
          </button>
        )
      })}
    </span>
  )
}
