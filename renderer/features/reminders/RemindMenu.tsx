import { useState, useMemo } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import {
  nextMonday,
  REMINDER_OFFSETS_MS,
  reminderState,
  tomorrowMorning,
  refreshInMs,
} from '#shared/rules/reminders/reminders.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { useTexts, startOfDay, useFormats } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import type { Placement } from '../../ui/Anchored/Anchored.tsx'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Menu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { cx } from '../../lib/cx.ts'
import { useReminderClock } from '../../store/reminders.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { doneReminder, removeReminder, setReminder } from './commands.ts'
import styles from './Chip.module.css'

type Props = {
  readonly messageId: MessageId
  /** Messages whose reminders are set to the same time. */
  readonly others?: readonly MessageId[]
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
}

/** The times for a reminder: offsets with the resulting time, two mornings, a date, or no time. */
export function RemindMenu({ messageId, others = [], anchor, onClose }: Props) {
  const t = useTexts('reminders')
  const when = useWhen()
  const dispatch = useAppDispatch()
  const reminder = useAppSelector((state) => state.entities.reminders[messageId])
  const isOpen = reminder !== undefined && reminder.doneAt === undefined
  const [now] = useState(() => Date.now())
  const set = async (remindAt?: number): Promise<void> => {
    const results = await Promise.all(
      [messageId, ...others].map((each) => dispatch(setReminder({ messageId: each, remindAt }))),
    )
    if (results.every(({ ok }) => ok)) announce(announcementOf(t, when, remindAt))
  }
  const at = (id: string, label: string, remindAt: number): MenuItem => ({
    id,
    label,
    hint: when.short(remindAt, now),
    onSelect: () => void set(remindAt),
  })
  const [tomorrow, monday] = [tomorrowMorning(now), nextMonday(now)]
  const items: readonly MenuItem[] = [
    { kind: 'heading', id: 'head', content: t(isOpen ? 'menu.againIn' : 'menu.in') },
    // The offset counts from the click, not from when the menu was opened.
    ...OFFSETS.map(({ ms, unit, count }): MenuItem => ({
      id: String(ms),
      label: t(`menu.${unit}`, { count }),
      hint: when.short(now + ms, now),
      onSelect: () => void set(Date.now() + ms),
    })),
    { kind: 'separator', id: 'gap-days' },
    at('tomorrow', t('menu.tomorrow'), tomorrow),
    // On a Sunday both are the same morning.
    ...(monday === tomorrow ? [] : [at('monday', t('menu.monday'), monday)]),
    { kind: 'separator', id: 'gap-more' },
    ...(others.length > 0
      ? []
      : [
          {
            id: 'pick',
            label: t('menu.pick'),
            icon: 'calendar' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'reminder', messageId })),
          },
        ]),
    { id: 'save', label: t('menu.save'), icon: 'bookmark', onSelect: () => void set() },
    ...(isOpen && others.length === 0 ? endings(t, dispatch, messageId) : []),
  ]
  return (
    <Menu label={t('menu.label')} items={items} anchor={anchor} placement={AT_END} minWidth={236} onClose={onClose} />
  )
}

/** The buttons that open it are at the end of a row. */
const AT_END: Placement = { side: 'below', align: 'end', gap: 4 }

type Texts = ReturnType<typeof useTexts<'reminders'>>

export const announcementOf = (t: Texts, when: When, remindAt: number | undefined): string =>
  remindAt === undefined ? t('said.saved') : t('said.set', { time: when.absolute(remindAt, Date.now()) })

function endings(t: Texts, dispatch: ReturnType<typeof useAppDispatch>, messageId: MessageId): readonly MenuItem[] {
  const end = async (run: typeof doneReminder, announcement: string): Promise<void> => {
    const result = await dispatch(run({ messageId }))
    if (result.ok) announce(announcement)
  }
  return [
    { kind: 'separator', id: 'gap-end' },
    { id: 'done', label: t('menu.done'), icon: 'check', onSelect: () => void end(doneReminder, t('said.done')) },
    {
      id: 'remove',
      label: t('menu.remove'),
      icon: 'trash',
      onSelect: () => void end(removeReminder, t('said.removed')),
    },
  ]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The six offsets with the units of the menu. */
const OFFSETS = REMINDER_OFFSETS_MS.map((ms) =>
  ms < HOUR_MS
    ? ({ ms, unit: 'minutes', count: ms / MINUTE_MS } as const)
    : ({ ms, unit: 'hours', count: ms / HOUR_MS } as const),
)

/** The reminder of a message, as a chip. A click opens the menu to change it. */
export function ReminderChip({ messageId }: { readonly messageId: MessageId }) {
  const reminder = useAppSelector((state) => state.entities.reminders[messageId])
  return reminder === undefined || reminder.doneAt !== undefined ? null : <Chip reminder={reminder} />
}

function Chip({ reminder }: { readonly reminder: Reminder }) {
  const t = useTexts('reminders')
  const when = useWhen()
  const now = useReminderClock([reminder.remindAt])
  const [anchor, setAnchor] = useState<Element>()
  const state = reminderState(reminder, now)
  const text = when.chip(reminder, now)
  return (
    <>
      <button
        type="button"
        className={cx(styles['chip'], styles[state])}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-label={t('chip.menu', { state: text })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name={state === 'saved' ? 'bookmark' : 'alarm'} size={14} />
        {text}
      </button>
      {anchor === undefined ? null : (
        <RemindMenu messageId={reminder.messageId} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </>
  )
}

const DAY_MS = 86_400_000

type When = {
  /** `in 6 h`, `now`, `3 days ago`; `undefined` if the date is more useful. */
  readonly relative: (at: number, now: number) => string | undefined
  /** `18:30` today, else `Mon, 23 Nov, 10:00`. */
  readonly absolute: (at: number, now: number) => string
  /** `13:26` today, else `Sat 11:56`: for menu items. */
  readonly short: (at: number, now: number) => string
  /** `3 days`. */
  readonly length: (ms: number) => string
  /** The text of the chip on a message. */
  readonly chip: (reminder: Reminder, now: number) => string
}

/** Time formats for reminders, in the language of the interface. */
export function useWhen(): When {
  const t = useTexts('reminders')
  const formats = useFormats()
  return useMemo(() => {
    const isToday = (at: number, now: number): boolean => startOfDay(at) === startOfDay(now)
    const absolute = (at: number, now: number): string => (isToday(at, now) ? formats.time(at) : formats.dayAndTime(at))
    const length = (ms: number): string => {
      const { unit, count } = measured(ms)
      return t(`when.${unit}`, { count })
    }
    return {
      absolute,
      length,
      relative: (at, now) => {
        if (refreshInMs(at, now) === undefined) return undefined
        const { unit, count } = between(at, now)
        if (count === 0) return t('when.now')
        if (at > now) return t(`when.${IN[unit]}`, { count })
        return t(`when.${AGO[unit]}`, { count })
      },
      short: (at, now) => (isToday(at, now) ? formats.time(at) : formats.weekdayAndTime(at)),
      chip: (reminder, now) => {
        const { remindAt } = reminder
        const state = reminderState(reminder, now)
        if (remindAt === undefined || state === 'saved') return t('chip.saved')
        if (state === 'due') return t('chip.due')
        if (state === 'overdue') return t('chip.overdue', { time: length(now - remindAt) })
        return t(isToday(remindAt, now) ? 'chip.setToday' : 'chip.setDay', { time: absolute(remindAt, now) })
      },
    }
  }, [t, formats])
}

const IN = { minutes: 'inMinutes', hours: 'inHours', days: 'inDays' } as const
const AGO = { minutes: 'minutesAgo', hours: 'hoursAgo', days: 'daysAgo' } as const

type Measured = { readonly unit: 'minutes' | 'hours' | 'days'; readonly count: number }

/** A day or more is counted in calendar days, because "in 2 days" means a date. */
function between(at: number, now: number): Measured {
  const distance = measured(Math.abs(at - now))
  if (distance.unit !== 'days') return distance
  return { unit: 'days', count: Math.round(Math.abs(startOfDay(at) - startOfDay(now)) / DAY_MS) }
}

/** In the coarsest unit that fits, with the same steps as `refreshInMs`. */
function measured(ms: number): Measured {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 60) return { unit: 'minutes', count: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.floor(hours / 24) }
}
