export const MUTE_CHOICES = ['30m', '1h', '8h', '24h', 'tomorrow', 'monday', 'always'] as const
export type MuteChoice = (typeof MUTE_CHOICES)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** When a working day begins. */
const MORNING = 9

/** When a mute ends, in epoch milliseconds of this computer's calendar; `undefined`: never by itself. */
export function muteEnd(choice: MuteChoice, now: number): number | undefined {
  switch (choice) {
    case '30m':
      return now + 30 * MINUTE_MS
    case '1h':
      return now + HOUR_MS
    case '8h':
      return now + 8 * HOUR_MS
    case '24h':
      return now + 24 * HOUR_MS
    case 'tomorrow':
      return morning(now, 1)
    case 'monday':
      return morning(now, daysToMonday(now))
    case 'always':
      return undefined
  }
}

/** The choices that differ at this time: on a Sunday, Monday is tomorrow. */
export const muteChoices = (now: number): readonly MuteChoice[] =>
  MUTE_CHOICES.filter((choice) => choice !== 'monday' || daysToMonday(now) > 1)

/** How long that is, in whole milliseconds; never under the minute that is the least. */
export function muteLength(choice: MuteChoice, now: number): number | undefined {
  const end = muteEnd(choice, now)
  return end === undefined ? undefined : Math.max(MINUTE_MS, Math.round(end - now))
}

/** Nine o'clock, days later: on the calendar, so that a change of the clocks moves nothing. */
function morning(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, MORNING).getTime()
}

/** From 1 to 7. */
const daysToMonday = (now: number): number =>
  ((8 - new Date(now).getDay()) % 7) + (new Date(now).getDay() === 1 ? 7 : 0)
