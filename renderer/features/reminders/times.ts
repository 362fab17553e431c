import { REMINDER_OFFSETS_MS } from '#shared/rules/reminders.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The six offsets as the menu names them. */
export const OFFSETS = REMINDER_OFFSETS_MS.map((ms) =>
  ms < HOUR_MS
    ? ({ ms, unit: 'minutes', count: ms / MINUTE_MS } as const)
    : ({ ms, unit: 'hours', count: ms / HOUR_MS } as const),
)

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
