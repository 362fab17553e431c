import { REMINDER_OFFSETS_MS } from '#shared/rules/reminders.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Where a morning begins. Source: product paper 1J, row J1. */
const MORNING_HOUR = 9
const MONDAY = 1

/** The six offsets as the menu names them. */
export const OFFSETS = REMINDER_OFFSETS_MS.map((ms) =>
  ms < HOUR_MS
    ? ({ ms, unit: 'minutes', count: ms / MINUTE_MS } as const)
    : ({ ms, unit: 'hours', count: ms / HOUR_MS } as const),
)

/** Nine o'clock, some days from now, by this computer's calendar. */
function morning(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, MORNING_HOUR).getTime()
}

export const tomorrowMorning = (now: number): number => morning(now, 1)

/** Never today: on a Monday it is the one in a week. */
export function nextMonday(now: number): number {
  const away = (MONDAY - new Date(now).getDay() + 7) % 7
  return morning(now, away === 0 ? 7 : away)
}

/** `2026-11-24` and `09:30` of a moment, as the fields of a form hold them. */
export function fieldsOf(at: number): { readonly date: string; readonly time: string } {
  const day = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  return {
    date: `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`,
    time: `${two(day.getHours())}:${two(day.getMinutes())}`,
  }
}

/** The moment the fields of a form say; `undefined` while they are not filled in. */
export function momentOf(date: string, time: string): number | undefined {
  const at = new Date(`${date}T${time}`).getTime()
  return Number.isNaN(at) ? undefined : at
}
