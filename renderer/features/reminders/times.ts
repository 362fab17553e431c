import { REMINDER_OFFSETS_MS } from '#shared/rules/reminders/reminders.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The six offsets with the units of the menu. */
export const OFFSETS = REMINDER_OFFSETS_MS.map((ms) =>
  ms < HOUR_MS
    ? ({ ms, unit: 'minutes', count: ms / MINUTE_MS } as const)
    : ({ ms, unit: 'hours', count: ms / HOUR_MS } as const),
)
