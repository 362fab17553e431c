import { countsAsUnread, countsAsUnreadReply, type Countable, type UnreadContext } from './unread.ts'

/**
 * Why a message counts: the first reason that applies. `direct`: every message of a direct conversation is for the
 * viewer.
 */
type UnreadReason = 'mention' | 'direct' | 'reply-in-channel' | 'reply' | 'message'

/** Why a message after the mark does not count. */
type LeftOut =
  'own' | 'deleted' | 'silent' | 'shadowed' | 'muted-person' | 'before-history' | 'only-in-thread' | 'ephemeral'

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
