import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'

/**
 * The answer to "why is this unread?", for a channel or a thread. `unread` is what the screen shows; `reasons` and
 * `notHeld` add up to it.
 */
export type UnreadExplained = {
  readonly unread: number
  readonly mentions: number
  /** Of those held on this computer, by reason. */
  readonly reasons: Readonly<Partial<Record<'mention' | 'direct' | 'reply-in-channel' | 'reply' | 'message', number>>>
  /** Counted by the server and not held here. */
  readonly notHeld: number
  /** After the mark, held, and not counted. */
  readonly leftOut: Readonly<
    Partial<
      Record<
        'own' | 'deleted' | 'silent' | 'shadowed' | 'muted-person' | 'before-history' | 'only-in-thread' | 'ephemeral',
        number
      >
    >
  >
  /** Up to where the viewer has read; absent: never, or the server keeps no marks here. */
  readonly lastReadAt?: number
  readonly lastReadMessageId?: MessageId
  readonly firstUnreadId?: MessageId
  /** Made unread again by the viewer. */
  readonly markedUnread: boolean
  /** The server would not hear of that: it is unread on this computer alone. */
  readonly keptHere: boolean
  /** A mark made here waits to be sent: it counts already. */
  readonly markWaits: boolean
  /** `held`: counted from what is held, exact by itself. `server`: its count, and what changed since. */
  readonly basis: 'held' | 'server' | 'none'
  /** Muted channels count for themselves and not in the badge. */
  readonly muted: boolean
  readonly hidden: boolean
  /** The channel keeps no read marks: nothing is ever unread in it. */
  readonly readsOff: boolean
  /** What of it the badge counts: mentions, and everything in direct conversations. */
  readonly inBadge: number
  /** Threads of this channel with unread replies the viewer follows; counted for themselves. Empty for a thread. */
  readonly threads: readonly { readonly parentId: MessageId; readonly unread: number }[]
}

/** A channel or thread with something unread, as the list to catch up by shows it. */
export type UnreadPlace = {
  readonly cid: Cid
  /** Set for a thread. */
  readonly parentId?: MessageId
  readonly unread: number
  readonly mentions: number
  /** Oldest unread message, when it is known. */
  readonly firstId?: MessageId
  readonly newestAt: number
  /** The first few unread messages held here, oldest first. */
  readonly preview: readonly {
    readonly messageId: MessageId
    readonly userId: UserId
    readonly text: string
    readonly createdAt: number
    /** Attachments. */
    readonly files: number
  }[]
}
