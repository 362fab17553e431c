import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/mornings.ts'

const MUTE_CHOICES = ['30m', '1h', '8h', '24h', 'tomorrow', 'monday', 'always'] as const
export type MuteChoice = (typeof MUTE_CHOICES)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When a mute ends, in epoch milliseconds, by the local calendar; `undefined`: never. */
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
      return tomorrowMorning(now)
    case 'monday':
      return nextMonday(now)
    case 'always':
      return undefined
  }
}

/** The choices that differ at this time: on a Sunday, Monday is tomorrow. */
export const muteChoices = (now: number): readonly MuteChoice[] =>
  MUTE_CHOICES.filter((choice) => choice !== 'monday' || nextMonday(now) !== tomorrowMorning(now))

/** The length in whole milliseconds; at least a minute, the minimum of the server. */
export function muteLength(choice: MuteChoice, now: number): number | undefined {
  const end = muteEnd(choice, now)
  return end === undefined ? undefined : Math.max(MINUTE_MS, Math.round(end - now))
}
