import type { MessageType } from '../../domain/message.ts'
import type { Channel } from '../../domain/channel.ts'
import type { Session } from '../../domain/session.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Cid, MessageId } from '../../lib/brand.ts'
import { isChosen, withChosen } from './channels.ts'

/**
 * Which messages count as unread. The cache counts with equivalent SQL (a property test compares the two); the server
 * uses the same rule.
 */
type Countable = {
  readonly userId: string
  readonly type: MessageType
  readonly parentId?: string
  readonly showInChannel: boolean
  readonly silent: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  readonly deletedAt?: number
}

export type UnreadContext = {
  readonly viewerId: string
  /** Everything up to and including this instant is read. */
  readonly lastReadAt: number
  /** Nothing before this is shown to the viewer (hidden or truncated history). */
  readonly hideBefore?: number
  readonly mutedUserIds: ReadonlySet<string>
}

const NEVER_COUNTED: ReadonlySet<MessageType> = new Set(['deleted', 'ephemeral', 'error'])

/** Whether a message counts in its channel. A muted channel still has a count; only the badge excludes it. */
export function countsAsUnread(message: Countable, context: UnreadContext): boolean {
  if (message.parentId !== undefined && !message.showInChannel) return false
  return countsForViewer(message, context)
}

/** Whether a reply counts in its thread. */
export function countsAsUnreadReply(message: Countable, context: UnreadContext): boolean {
  return message.parentId !== undefined && countsForViewer(message, context)
}

function countsForViewer(message: Countable, context: UnreadContext): boolean {
  if (message.createdAt <= context.lastReadAt) return false
  if (context.hideBefore !== undefined && message.createdAt < context.hideBefore) return false
  if (NEVER_COUNTED.has(message.type) || message.deletedAt !== undefined) return false
  if (message.silent || message.shadowed) return false
  return message.userId !== context.viewerId && !context.mutedUserIds.has(message.userId)
}

type UnreadEvidence = {
  /** The viewer's read mark, including unsent marks. */
  readonly lastReadAt: number
  /** Cached messages after `lastReadAt` that count. */
  readonly held: number
  /** Every message after `lastReadAt` is cached, so `held` is exact. See {@link holdsAllSince}. */
  readonly complete: boolean
  /** The server's read state, if it sent one. */
  readonly server?: {
    readonly lastReadAt: number
    readonly unread: number
    /** Time of the newest message that the server's count includes. */
    readonly countedAt: number
  }
  /** Cached messages that count and are newer than `countedAt`. */
  readonly heldAfterCount: number
  /** Messages in the server's count that were deleted afterwards. */
  readonly deletedAfterCount: number
}

/**
 * The unread count of a channel, always computed from the current state, never by adding to an earlier count.
 *
 * 1. All messages since the read mark are cached: the cached ones that count. Exact.
 * 2. Some are missing: the server's count up to the newest message it included, plus the cached ones after that, minus
 * those deleted since. Exact if every later message was received (live events, or the pages of a recovery).
 * 3. The viewer's own mark is newer than the server's and some are missing: the cached ones after it. The mark was made
 * at the newest message the viewer saw, so the missing ones are before it.
 */
export function unreadTotal(evidence: UnreadEvidence): number {
  const { server, held } = evidence
  if (evidence.complete || !server || evidence.lastReadAt > server.lastReadAt) return held
  return Math.max(held, server.unread + evidence.heldAfterCount - evidence.deletedAfterCount)
}

/**
 * Whether no message after `lastReadAt` can be missing: the newest range reaches back to the mark (or to the
 * beginning), and forward to the newest message, or at least as far as the server's count does.
 */
export function holdsAllSince(
  lastReadAt: number,
  newest:
    | {
        readonly first: { readonly createdAt: number }
        readonly last: { readonly createdAt: number }
        readonly hasPrev: boolean
        readonly hasNext: boolean
      }
    | undefined,
  countedAt: number | undefined,
): boolean {
  if (!newest) return false
  if (newest.hasPrev && newest.first.createdAt > lastReadAt) return false
  return !newest.hasNext || (countedAt !== undefined && countedAt <= newest.last.createdAt)
}

/**
 * Why a message counts: the first reason that applies. `direct`: every message of a direct conversation is for the
 * viewer.
 */
type UnreadReason = 'mention' | 'direct' | 'reply-in-channel' | 'reply' | 'message'

/** Why a message after the mark does not count. */
type LeftOut =
  | 'own'
  | 'deleted'
  | 'silent'
  | 'shadowed'
  | 'muted-person'
  | 'before-history'
  | 'only-in-thread'
  | 'ephemeral'

export type Judged = { readonly counts: UnreadReason } | { readonly leftOut: LeftOut }

export type ReasonContext = UnreadContext & {
  readonly isDirect: boolean
  /** For a thread: its replies count, whether or not the channel shows them. */
  readonly inThread: boolean
}

/**
 * Classifies one message after the read mark, by the rule that counts (`countsAsUnread`; a test compares the two).
 *
 * @returns `undefined` if it is not after the mark
 */
export function judge(
  message: Countable & { readonly mentionsViewer: boolean },
  context: ReasonContext,
): Judged | undefined {
  if (message.createdAt <= context.lastReadAt) return undefined
  const counts = context.inThread ? countsAsUnreadReply(message, context) : countsAsUnread(message, context)
  return counts ? { counts: reasonOf(message, context) } : { leftOut: leftOutOf(message, context) }
}

function reasonOf(message: Countable & { readonly mentionsViewer: boolean }, context: ReasonContext): UnreadReason {
  if (message.mentionsViewer) return 'mention'
  if (context.inThread) return 'reply'
  if (context.isDirect) return 'direct'
  return message.parentId === undefined ? 'message' : 'reply-in-channel'
}

function leftOutOf(message: Countable, context: ReasonContext): LeftOut {
  if (message.userId === context.viewerId) return 'own'
  if (message.type === 'deleted' || message.deletedAt !== undefined) return 'deleted'
  if (message.type === 'ephemeral' || message.type === 'error') return 'ephemeral'
  if (message.silent) return 'silent'
  if (message.shadowed) return 'shadowed'
  if (context.mutedUserIds.has(message.userId)) return 'muted-person'
  if (context.hideBefore !== undefined && message.createdAt < context.hideBefore) return 'before-history'
  return 'only-in-thread'
}

/** Counts the classified messages. */
export function tally(judged: Iterable<Judged>): {
  readonly reasons: Readonly<Partial<Record<UnreadReason, number>>>
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>
} {
  const reasons: Partial<Record<UnreadReason, number>> = {}
  const leftOut: Partial<Record<LeftOut, number>> = {}
  for (const one of judged) {
    if ('counts' in one) reasons[one.counts] = (reasons[one.counts] ?? 0) + 1
    else leftOut[one.leftOut] = (leftOut[one.leftOut] ?? 0) + 1
  }
  return { reasons, leftOut }
}

export type ReadMark = { readonly lastReadAt: number; readonly lastReadMessageId?: MessageId }

/**
 * Read events are sent only when the channel's configuration and the viewer's capabilities allow. See docs/wire.md 7.11.
 */
export function maySendRead(channel: {
  readonly config: Pick<Channel['config'], 'readEvents'>
  readonly capabilities: readonly string[]
}): boolean {
  return (
    channel.config.readEvents && (channel.capabilities.length === 0 || channel.capabilities.includes('read-events'))
  )
}

type Traceless = Settings['traceless']

/** Reads here are not published, neither to others nor to the server: the mark is stored on this device only. */
export const isTraceless = (traceless: Traceless, session: Session, cid: Cid): boolean =>
  isChosen(traceless, session, cid)

/** The setting changed for one channel. */
export const withTraceless = (traceless: Traceless, session: Session, cid: Cid, on: boolean): Traceless =>
  withChosen(traceless, session, cid, on)

type Fact = ReadMark & { readonly firstUnreadId?: MessageId; readonly asOf: number }
type LocalMark = {
  readonly readAt: number
  readonly upTo: MessageId | undefined
  readonly firstUnreadId: MessageId | undefined
  readonly at: number
  readonly refused?: true
}

/**
 * The viewer's read mark combined with the one stored only on this device: the later one wins. A later "mark unread",
 * on any device, also applies here. After a "mark unread" that the server refused, it stays unread until something is
 * read later than that.
 */
export function withLocalRead<Mark extends Fact>(
  fact: Mark | undefined,
  local: LocalMark | undefined,
): Mark | Fact | undefined {
  if (local === undefined) return fact
  const mark = { lastReadAt: local.readAt, lastReadMessageId: local.upTo, firstUnreadId: local.firstUnreadId }
  if (fact === undefined) return { ...mark, asOf: local.at }
  const takenBack = fact.firstUnreadId !== undefined && fact.asOf > local.at
  const readBy = local.refused ? local.at : local.readAt
  return takenBack || fact.lastReadAt >= readBy ? fact : { ...fact, ...mark }
}
