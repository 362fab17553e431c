import type { MessageType } from '../../domain/message.ts'
import type {
  NotificationChoices,
  NotifyCause,
  NotifyDecision,
  NotifyLevel,
  NotifyStep,
  QuietHours,
} from '../../domain/notification.ts'
import { fold, isUnspaced } from '../search/search-fold.ts'
import { digestOf, ownLevel } from './choices.ts'

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
