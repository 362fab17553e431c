import { nextMonday, tomorrowMorning } from '../reminders/reminders.ts'
import type {
  Digest,
  NotificationChoices,
  NotifyLevel,
  NotifyCause,
  OwnSound,
  SoundName,
} from '../../domain/notification.ts'

/** How long notifications are paused from now, as the tray offers it; `off` ends the pause. */
export const PAUSES = ['half-hour', 'hour', 'tomorrow', 'off'] as const
export type Pause = (typeof PAUSES)[number] | 'two-hours' | 'monday'

const HALF_HOUR_MS = 30 * 60_000

/** The value of the setting `pausedUntil`, by this device's clock: epoch milliseconds, 0 for not paused. */
export function pausedUntil(pause: Pause, now: number): number {
  switch (pause) {
    case 'half-hour':
      return now + HALF_HOUR_MS
    case 'hour':
      return now + 2 * HALF_HOUR_MS
    case 'two-hours':
      return now + 4 * HALF_HOUR_MS
    case 'tomorrow':
      return tomorrowMorning(now)
    case 'monday':
      return nextMonday(now)
    case 'off':
      return 0
  }
}

/** The level of a channel; absent: the default of all channels. `account` is a `sidebarKey`. */
export const ownLevel = (
  { levels }: Pick<NotificationChoices, 'levels'>,
  account: string,
  cid: string,
): NotifyLevel | undefined => levels[account]?.[cid]

/** Sets or removes the level of a channel. */
export function withOwnLevel(
  choices: NotificationChoices,
  account: string,
  { cid, level }: { readonly cid: string; readonly level: NotifyLevel | undefined },
): NotificationChoices {
  const { [cid]: _before, ...others } = choices.levels[account] ?? {}
  const levels = level === undefined ? others : { ...others, [cid]: level }
  return { ...choices, levels: { ...choices.levels, [account]: levels } }
}

/** The digest of a channel; absent: its messages notify one by one. `account` is a `sidebarKey`. */
export const digestOf = (
  { digests }: Pick<NotificationChoices, 'digests'>,
  account: string,
  cid: string,
): Digest | undefined => digests[account]?.[cid]

/** Sets or removes the digest of a channel. */
export function withDigest(
  choices: NotificationChoices,
  account: string,
  { cid, digest }: { readonly cid: string; readonly digest: Digest | undefined },
): NotificationChoices {
  const { [cid]: _before, ...others } = choices.digests[account] ?? {}
  const digests = digest === undefined ? others : { ...others, [cid]: digest }
  return { ...choices, digests: { ...choices.digests, [account]: digests } }
}

const SATURDAY = 6

/** When a digest was due last, by this device's clock: epoch milliseconds. */
export function lastDigestTime({ minute, days }: Digest, now: number): number {
  const day = new Date(now)
  day.setHours(Math.floor(minute / 60), minute % 60, 0, 0)
  const isOff = (): boolean => days === 'workdays' && (day.getDay() === 0 || day.getDay() === SATURDAY)
  while (day.getTime() > now || isOff()) {
    day.setDate(day.getDate() - 1)
    // A day with a change of the clock may have moved it.
    day.setHours(Math.floor(minute / 60), minute % 60, 0, 0)
  }
  return day.getTime()
}

/** The sound of a message with this cause; direct messages, mentions and keywords have their own. */
export const soundOfMessage = (
  { sounds }: Pick<NotificationChoices, 'sounds'>,
  cause: NotifyCause | undefined,
): SoundName => (cause === undefined || cause === 'channel' || cause === 'thread' ? sounds.message : sounds.meant)

/** A sound that Parlor plays itself; `undefined`: the system's, or none. */
export const ownSound = (sound: SoundName | undefined): OwnSound | undefined =>
  sound === undefined || sound === 'system' || sound === 'none' ? undefined : sound
