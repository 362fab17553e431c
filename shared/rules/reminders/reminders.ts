import type { Reminder } from '../../domain/message.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The presets of the menu. */
export const REMINDER_OFFSETS_MS: readonly number[] = [
  2 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  DAY_MS,
]

/** How long a reminder is "due now" after its alarm; afterwards it is overdue. */
export const DUE_FOR_MS = HOUR_MS
/** After this, the date is shown instead of "3 days ago". */
export const REFRESH_FOR_MS = 14 * DAY_MS

type ReminderState = 'overdue' | 'due' | 'upcoming' | 'saved' | 'done'

/** The section of a reminder in the list. `now` is epoch milliseconds of the server. */
export function reminderState(reminder: Pick<Reminder, 'remindAt' | 'doneAt'>, now: number): ReminderState {
  if (reminder.doneAt !== undefined) return 'done'
  if (reminder.remindAt === undefined) return 'saved'
  if (reminder.remindAt > now) return 'upcoming'
  return now - reminder.remindAt < DUE_FOR_MS ? 'due' : 'overdue'
}

/**
 * Milliseconds until a relative time ("in 5 minutes") must be refreshed: at the moment itself in the last minute, each
 * minute within the hour, each hour within the day, else each day; `undefined` if it no longer changes. Source:
 * docs/wire.md 7.15.
 */
export function refreshInMs(remindAt: number, now: number): number | undefined {
  if (now - remindAt >= REFRESH_FOR_MS) return undefined
  const distance = Math.abs(remindAt - now)
  if (distance === 0) return MINUTE_MS
  if (distance < MINUTE_MS) return distance
  if (distance <= HOUR_MS) return MINUTE_MS
  return distance <= DAY_MS ? HOUR_MS : DAY_MS
}

/** The order of the list: reminders with a time, earliest first, then saved and then done ones, newest first. */
export function compareReminders(a: Reminder, b: Reminder): number {
  return placeOf(a) - placeOf(b) || withinPlace(a) - withinPlace(b) || (a.messageId < b.messageId ? -1 : 1)
}

const placeOf = (reminder: Reminder): number =>
  reminder.doneAt !== undefined ? 2 : reminder.remindAt === undefined ? 1 : 0

const withinPlace = (reminder: Reminder): number =>
  reminder.doneAt !== undefined ? -reminder.doneAt : (reminder.remindAt ?? -reminder.updatedAt)

/** The hour of "tomorrow morning" and similar choices. */
const MORNING_HOUR = 9
const MONDAY = 1

/** Nine o'clock, some days from now, computed on the local calendar, so that daylight saving time does not shift it. */
function morning(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, MORNING_HOUR).getTime()
}

export const tomorrowMorning = (now: number): number => morning(now, 1)

/** Today's, if it has not come yet. */
export function nextMorning(now: number): number {
  const today = morning(now, 0)
  return today > now ? today : tomorrowMorning(now)
}

/** Never today: on a Monday it is the next one. */
export function nextMonday(now: number): number {
  const away = (MONDAY - new Date(now).getDay() + 7) % 7
  return morning(now, away === 0 ? 7 : away)
}
