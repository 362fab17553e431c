import type { MessageType } from '#shared/domain/message.ts'

/**
 * What counts as unread. The cache counts with SQL that equals this rule (a property test compares the two); the server
 * counts with the same.
 */
export type Countable = {
  readonly userId: string
  readonly type: MessageType
  readonly parentId?: string | undefined
  readonly showInChannel: boolean
  readonly silent: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  readonly deletedAt?: number | undefined
}

export type UnreadContext = {
  readonly viewerId: string
  /** Everything up to here is read, this instant included. */
  readonly lastReadAt: number
  /** Nothing before this is shown to the viewer (hidden or truncated history). */
  readonly hideBefore?: number | undefined
  readonly mutedUserIds: ReadonlySet<string>
}

const NEVER_COUNTED: ReadonlySet<MessageType> = new Set(['deleted', 'ephemeral', 'error'])

/** One message counts in its channel. A muted channel still counts for itself; only the badge leaves it out. */
export function countsAsUnread(message: Countable, context: UnreadContext): boolean {
  if (message.parentId !== undefined && !message.showInChannel) return false
  return countsForViewer(message, context)
}

/** One reply counts in its thread. */
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
  /** Where the viewer has read to, own unsent marks included. */
  readonly lastReadAt: number
  /** Held messages after `lastReadAt` that count. */
  readonly held: number
  /** Every message after `lastReadAt` is held: the count of the held ones is the count. See {@link holdsAllSince}. */
  readonly complete: boolean
  /** The server's read state, when it sent one. */
  readonly server?: {
    readonly lastReadAt: number
    readonly unread: number
    /** Newest message time the server's count includes. */
    readonly countedAt: number
  }
  /** Held messages that count and are newer than `countedAt`. */
  readonly heldAfterCount: number
  /** Messages the server had counted that were deleted after it counted. */
  readonly goneAfterCount: number
}

/**
 * The unread count of a channel, always from what stands now, never by adding to an earlier figure.
 *
 * 1. Everything since the read mark is held: the held ones that count. Exact.
 * 2. Something is missing: the server's count up to the newest message it knew, plus the held ones after that, minus
 *    those deleted since. Exact as long as every later message came (live events, or the pages of a recovery).
 * 3. The viewer's own mark is newer than the server's and something is missing: the held ones after it. The mark was
 *    made at the newest message the viewer saw, so what is missing lies before it.
 */
export function unreadTotal(evidence: UnreadEvidence): number {
  const { server, held } = evidence
  if (evidence.complete || !server || evidence.lastReadAt > server.lastReadAt) return held
  return Math.max(held, server.unread + evidence.heldAfterCount - evidence.goneAfterCount)
}

/**
 * True when no message after `lastReadAt` can be missing: the newest range reaches back to the mark (or to the beginning),
 * and forward to the newest message, or at least as far as the server's count does.
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
