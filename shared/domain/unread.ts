import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { ContentKind } from './message.ts'

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
