import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { ContentKind } from './message.ts'
import type { Attachment } from './attachment.ts'

/**
 * Explains why a channel or a thread is unread. `unread` is what the screen shows; it is the sum of `reasons` and
 * `notHeld`.
 */
export type UnreadExplained = {
  readonly unread: number
  readonly mentions: number
  /** Cached messages by reason. */
  readonly reasons: Readonly<Partial<Record<'mention' | 'direct' | 'reply-in-channel' | 'reply' | 'message', number>>>
  /** Counted by the server and not cached. */
  readonly notHeld: number
  /** Cached messages after the mark that are not counted. */
  readonly leftOut: Readonly<
    Partial<
      Record<
        'own' | 'deleted' | 'silent' | 'shadowed' | 'muted-person' | 'before-history' | 'only-in-thread' | 'ephemeral',
        number
      >
    >
  >
  /** Position of the read mark; absent: never read, or the server has no read marks here. */
  readonly lastReadAt?: number
  readonly lastReadMessageId?: MessageId
  readonly firstUnreadId?: MessageId
  /** Marked unread by the viewer. */
  readonly markedUnread: boolean
  /** The server refused that mark: it is unread on this device only. */
  readonly isLocalOnly: boolean
  /** A mark made here is queued: it already counts. */
  readonly markWaits: boolean
  /** `held`: counted from the cache, exact. `server`: its count, plus changes since. */
  readonly basis: 'held' | 'server' | 'none'
  /** Muted channels have a count but are not in the badge. */
  readonly muted: boolean
  readonly hidden: boolean
  /** Read marks are off in the channel: nothing is ever unread in it. */
  readonly readsOff: boolean
  /** Its share of the badge: mentions, and everything in direct conversations. */
  readonly inBadge: number
  /** Followed threads of this channel with unread replies; counted separately. Empty for a thread. */
  readonly threads: readonly { readonly parentId: MessageId; readonly unread: number }[]
}

/** A channel or thread with something unread, as shown in the catch-up list. */
export type UnreadPlace = {
  readonly cid: Cid
  /** Set for a thread. */
  readonly parentId?: MessageId
  readonly unread: number
  readonly mentions: number
  /** Oldest unread message, if known. */
  readonly firstId?: MessageId
  readonly newestAt: number
  /** The first few unread cached messages, oldest first. */
  readonly preview: readonly {
    readonly messageId: MessageId
    readonly userId: UserId
    readonly text: string
    readonly createdAt: number
    readonly content?: ContentKind
    /** Number of attachments. */
    readonly files: number
  }[]
}

/** What matters since a moment, in the order in which it is shown. A message is in the first group that it fits. */
export const CATCH_UP_GROUPS = ['forYou', 'decisions', 'polls', 'files', 'threads', 'popular'] as const
export type CatchUpGroup = (typeof CATCH_UP_GROUPS)[number]

/** Why a message is listed. */
export type CatchUpReason =
  | 'mention'
  | 'keyword'
  | 'direct'
  | 'reaction'
  | 'pinned'
  | 'agreed'
  | 'poll'
  | 'files'
  | 'thread'
  | 'popular'

export type CatchUpItem = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** Set for a reply that is only in its thread, and for a thread: the message that it belongs to. */
  readonly parentId?: MessageId
  readonly group: CatchUpGroup
  readonly reason: CatchUpReason
  readonly userId: UserId
  /** Who reacted, pinned, agreed or replied, the latest first. */
  readonly others: readonly UserId[]
  readonly text: string
  /** When it happened: the message, its newest reaction or reply, or its pin. */
  readonly at: number
  readonly unread: boolean
  readonly files: readonly Attachment[]
  /** Types of the reactions, the most frequent first. */
  readonly reactions: readonly { readonly type: string; readonly count: number }[]
  /** Replies of others since then; 0 for everything but threads. */
  readonly replies: number
  /** The first unread one of them, or the first of all. */
  readonly firstReplyId?: MessageId
  readonly poll?: { readonly name: string; readonly votes: number; readonly closesAt?: number }
}

/** A channel whose cached messages begin later than asked for, or end too early. */
export type CatchUpShort = {
  readonly cid: Cid
  /** Its oldest cached message without a gap to the newest one; absent: the newest ones are not cached. */
  readonly from?: number
}

export type CatchUpPage = {
  readonly items: readonly CatchUpItem[]
  /** Groups with more than fit. */
  readonly cut: readonly CatchUpGroup[]
  /** Messages of others since then, in channels that are not muted. */
  readonly total: number
  /** Messages of others for each part of the slider. */
  readonly bars: readonly number[]
  readonly short: readonly CatchUpShort[]
  /** Up to when the cache is complete, without a connection: epoch milliseconds of the server. */
  readonly asOf?: number
}
