import { nextMonday, tomorrowMorning } from '../reminders/reminders.ts'
import type {
  Digest,
  NotificationChoices,
  NotifyLevel,
  NotifyCause,
  OwnSound,
  SoundName,
  NotifyDecision,
  NotifyStep,
  QuietHours,
} from '../../domain/notification.ts'
import type { MessageType } from '../../domain/message.ts'
import { fold, isUnspaced } from '../search/search-fold.ts'

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

/** More than this many in one channel within the window are shown as a count. */
const BURST_OF_CHANNEL = 5
/** More than this many in total are shown as one summary. */
const BURST_OF_ALL = 20
const BURST_WINDOW_MS = 10_000

/** Recent notifications: time and channel. */
export type RecentNotifications = readonly { readonly at: number; readonly cid: string }[]

/** The form of the next notification: individual, a count for its channel, or a summary of everything. */
type BurstForm =
  | { readonly form: 'one' }
  | { readonly form: 'channel'; readonly count: number }
  | { readonly form: 'everything'; readonly count: number }

/** Adds a notification, and removes those outside the window. `at`: milliseconds of a monotonic clock. */
export const withNotification = (recent: RecentNotifications, cid: string, at: number): RecentNotifications => [
  ...recent.filter((one) => at - one.at < BURST_WINDOW_MS),
  { at, cid },
]

/** The form of the newest of `recent`. */
export function burstForm(recent: RecentNotifications): BurstForm {
  const newest = recent.at(-1)
  if (!newest) return { form: 'one' }
  if (recent.length > BURST_OF_ALL) return { form: 'everything', count: recent.length }
  const ofChannel = recent.filter(({ cid }) => cid === newest.cid).length
  return ofChannel > BURST_OF_CHANNEL ? { form: 'channel', count: ofChannel } : { form: 'one' }
}

/** The facts about a message that arrived. Times: epoch milliseconds of the server. */
export type Arrival = {
  readonly userId: string
  readonly type: MessageType
  readonly text: string
  readonly silent: boolean
  readonly shadowed: boolean
  readonly mentionsViewer: boolean
  /** A reply that is shown only in its thread. */
  readonly onlyInThread: boolean
  /** The viewer follows the thread it is in. */
  readonly followed: boolean
  readonly createdAt: number
}

export type ArrivalPlace = {
  readonly cid: string
  readonly direct: boolean
  readonly muted: boolean
  /** The viewer's read mark, from any device. */
  readonly lastReadAt: number
}

/** This device's clock: epoch milliseconds, weekday (1 is Monday) and minute of the day. */
export type LocalTime = { readonly at: number; readonly weekday: number; readonly minute: number }

export type Situation = {
  readonly viewerId: string
  readonly authorMuted: boolean
  /** The account does not notify. */
  readonly accountMuted: boolean
  /** A window in front shows the newest end of this channel or thread. */
  readonly watching: boolean
  /** Epoch milliseconds of the server. */
  readonly now: number
  readonly local: LocalTime
  /** Key of the account in {@link NotificationChoices.levels}. */
  readonly account: string
}

/** Older messages do not notify one by one: they are included in the summary. */
export const LATE_AFTER_MS = 5 * 60_000

const NEVER_NOTIFIED: ReadonlySet<MessageType> = new Set(['deleted', 'ephemeral', 'error', 'system'])

/**
 * Whether a message notifies, and every rule that was applied. The first rule that stops decides; the rules after it
 * are not evaluated.
 */
export function decideNotification(
  message: Arrival,
  place: ArrivalPlace,
  choices: NotificationChoices,
  situation: Situation,
): NotifyDecision {
  const { cause, keyword } = causeOf(message, place, choices.keywords, situation)
  const own = ownLevel(choices, situation.account, place.cid)
  const level = own ?? choices.level
  const quiet = quietBy(choices, situation.local)
  const allowed = choices.allowed.includes(message.userId)
  const digest = digestOf(choices, situation.account, place.cid)
  const questions: readonly (() => NotifyStep)[] = [
    () => ({ rule: 'own', stops: message.userId === situation.viewerId }),
    () => ({ rule: 'kind', stops: NEVER_NOTIFIED.has(message.type) || message.silent || message.shadowed }),
    () => ({ rule: 'account-muted', stops: situation.accountMuted }),
    () => ({ rule: 'person-muted', stops: situation.authorMuted }),
    () => ({ rule: 'channel-muted', stops: place.muted }),
    () => ({
      rule: 'cause',
      stops: cause === undefined,
      cause,
      keyword,
    }),
    () => ({ rule: 'level', stops: !reaches(level, cause), level, own: own !== undefined }),
    ...(digest === undefined
      ? []
      : [(): NotifyStep => ({ rule: 'digest', stops: !(digest.mentionsNow && isForViewer(cause)) })]),
    () => ({ rule: 'read', stops: message.createdAt <= place.lastReadAt }),
    () => ({ rule: 'watching', stops: situation.watching }),
    () => ({ rule: 'late', stops: situation.now - message.createdAt > LATE_AFTER_MS }),
    () => ({ rule: 'quiet', stops: quiet !== 'nothing' && !allowed, by: quiet, allowed }),
  ]
  const steps: NotifyStep[] = []
  for (const ask of questions) {
    const step = ask()
    steps.push(step)
    if (step.stops) break
  }
  const last = steps.at(-1)
  const notifies = last?.stops !== true
  return {
    notifies,
    deferred: !notifies && (last?.rule === 'quiet' || last?.rule === 'late'),
    cause,
    steps,
  }
}

/** Whether an invitation notifies: it has no separate level, the other rules apply as for messages. */
export function notifiesOfInvitation(
  choices: NotificationChoices,
  { byId, ...situation }: Pick<Situation, 'accountMuted' | 'authorMuted' | 'watching' | 'local'> & { byId?: string },
): boolean {
  if (situation.accountMuted || situation.authorMuted || situation.watching || choices.level === 'none') return false
  return quietBy(choices, situation.local) === 'nothing' || (byId !== undefined && choices.allowed.includes(byId))
}

function causeOf(
  message: Arrival,
  place: ArrivalPlace,
  keywords: readonly string[],
  { viewerId }: Situation,
): { readonly cause?: NotifyCause; readonly keyword?: string } {
  if (message.userId === viewerId) return {}
  if (place.direct && !message.onlyInThread) return { cause: 'direct' }
  if (message.mentionsViewer) return { cause: 'mention' }
  const keyword = keywordIn(message.text, keywords)
  if (keyword !== undefined) return { cause: 'keyword', keyword }
  if (message.followed) return { cause: 'thread' }
  return message.onlyInThread ? {} : { cause: 'channel' }
}

/** The first keyword contained in the text as whole words, ignoring case and accents. */
export function keywordIn(text: string, keywords: readonly string[]): string | undefined {
  if (keywords.length === 0) return undefined
  const line = ` ${fold(text)} `
  return keywords.find((keyword) => {
    // Scripts without spaces have no word boundaries.
    if (isUnspaced(keyword)) return text.normalize('NFC').includes(keyword.normalize('NFC'))
    const label = fold(keyword)
    return label !== '' && line.includes(` ${label} `)
  })
}

const isForViewer = (cause: NotifyCause | undefined): boolean =>
  cause === 'direct' || cause === 'mention' || cause === 'keyword'

const reaches = (level: NotifyLevel, cause: NotifyCause | undefined): boolean =>
  level === 'all' || (level === 'mentions' && cause !== 'channel')

type Quiet = Extract<NotifyStep, { rule: 'quiet' }>['by']

/** Whether notifications are paused now. */
export const isQuiet = (choices: NotificationChoices, local: LocalTime): boolean =>
  quietBy(choices, local) !== 'nothing'

/** What suppresses notifications now. */
export function quietBy({ pausedUntil, quietHours }: NotificationChoices, local: LocalTime): Quiet {
  if (pausedUntil > local.at) return 'pause'
  if (quietHours.some((hours) => isWithin(hours, local))) return 'hours'
  return 'nothing'
}

/** A range across midnight belongs to the day it begins on. */
export function isWithin(
  { weekdays, from, to }: Omit<QuietHours, 'id'>,
  { weekday, minute }: Pick<LocalTime, 'weekday' | 'minute'>,
): boolean {
  if (from === to) return weekdays.includes(weekday)
  if (from < to) return weekdays.includes(weekday) && minute >= from && minute < to
  const dayBefore = weekday === 1 ? 7 : weekday - 1
  return (weekdays.includes(weekday) && minute >= from) || (weekdays.includes(dayBefore) && minute < to)
}
