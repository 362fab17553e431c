import type { MessageType } from '#shared/domain/message.ts'

/**
 * Which messages count as unread. The cache counts with equivalent SQL (a property test compares the two); the server
 * uses the same rule.
 */
export type Countable = {
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
