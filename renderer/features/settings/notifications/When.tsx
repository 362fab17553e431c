import { useId, useState } from 'react'
import type { QuietHours } from '#shared/domain/notification.ts'
import { PAUSES, pausedUntil as untilOf } from '#shared/rules/notifications/notifying.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { clockOf, minutesOf } from '../../../lib/time/moments.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TimeField } from '../../../ui/Dates/DateField.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { useChoices } from './Sounds.tsx'
import styles from './Notifications.module.css'

/** Default for new quiet hours: weekday evenings and nights. */
const FIRST: Omit<QuietHours, 'id'> = { weekdays: [1, 2, 3, 4, 5], from: 20 * 60, to: 8 * 60 }
const MAX_QUIET_HOURS = 20
/** A Monday, for formatting weekday names. */
const MONDAY = Date.UTC(2026, 0, 5, 12)
const DAY_MS = 86_400_000

/** When nothing notifies: by the week, for a while, and while the screen is shared. */
export function When() {
  const t = useTexts('notifications')
  const [{ presenting, quietHours }, choose] = useChoices()
  const presentingId = useId()
  const [isOpen, setOpen] = useState(false)
  const nameOf = useHoursName()
  return (
    <>
      <SettingRow
        title={t('page.hours')}
        hint={
          quietHours.length === 0
            ? t('page.hoursNone')
            : quietHours.map((hours) => (
                <span key={hours.id} className={styles['when']}>
                  {nameOf(hours)}
                </span>
              ))
        }
      >
        <Button aria-haspopup="dialog" aria-label={t('page.hoursEdit')} onClick={() => setOpen(true)}>
          {t('page.edit')}
        </Button>
        {isOpen ? <HoursDialog onClose={() => setOpen(false)} /> : null}
      </SettingRow>
      <Pause />
      <SettingRow id={presentingId} title={t('page.presenting')} hint={t('page.presentingHint')}>
        <Switch
          labelledBy={presentingId}
          describedBy={`${presentingId}-hint`}
          on={presenting}
          onChange={(on) => choose({ presenting: on })}
        />
      </SettingRow>
    </>
  )
}

/** Quiet hours in one line: the days, and from when to when. */
function useHoursName(): (hours: QuietHours) => string {
  const t = useTexts('notifications')
  const formats = useFormats()
  return ({ weekdays, from, to }) => {
    const names = formats.weekdays
      .filter((day) => weekdays.includes(day))
      .map((day) => formats.weekdayShort(MONDAY + (day - 1) * DAY_MS))
    const time = (minutes: number): string => formats.time(new Date(2026, 0, 5, 0, minutes).getTime())
    const days = names.length === formats.weekdays.length ? t('page.everyDay') : formats.list(names)
    return t('page.hoursOn', { days, from: time(from), to: time(to) })
  }
}

/** Pauses all notifications for a while. */
function Pause() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const now = useMinute()
  const [{ pausedUntil }, choose] = useChoices()
  const [asks, setAsks] = useState(false)
  const isPaused = pausedUntil > now
  const paused = isPaused
    ? [{ value: 'paused', label: t('page.pausedTo', { time: formats.dayAndTime(pausedUntil) }) }]
    : []
  const label = (how: (typeof PAUSES)[number]) => ({ value: how as string, label: t(`page.pauses.${how}`) })
  return (
    <SettingRow title={t('page.pause')} hint={isPaused ? t('page.pauseHint') : undefined}>
      <Select
        label={t('page.pause')}
        value={isPaused ? 'paused' : 'off'}
        choices={[
          ...paused,
          label('off'),
          ...PAUSES.filter((how) => how !== 'off').map(label),
          { value: 'until', label: t('page.pauseUntil') },
        ]}
        onChange={(value) => {
          const how = PAUSES.find((each) => each === value)
          if (how !== undefined) choose({ pausedUntil: untilOf(how, Date.now()) })
          else if (value === 'until') setAsks(true)
        }}
      />
      {asks ? (
        <MomentDialog
          title={t('page.pauseTitle')}
          confirm={t('page.pauseConfirm')}
          result={(time) => t('page.pausedUntil', { time })}
          onChoose={(at) => choose({ pausedUntil: at })}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </SettingRow>
  )
}

/** Weekly quiet hours; messages received in them are summarized at their end. */
function HoursDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('notifications')
  const [{ quietHours }, choose] = useChoices()
  const replace = (id: string, hours: QuietHours | undefined): void =>
    choose({ quietHours: quietHours.flatMap((each) => (each.id === id ? (hours ?? []) : each)) })
  return (
    <Dialog title={t('page.hours')} width={640} onClose={onClose}>
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
    </Dialog>
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
