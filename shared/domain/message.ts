import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'
import type { Attachment, Upload } from './attachment.ts'
import type { ReactionGroup } from './reaction.ts'

/** See docs/wire.md 5.1. The behaviour spec names regular, deleted and error. */
export type MessageType = 'regular' | 'reply' | 'system' | 'ephemeral' | 'error' | 'deleted'

/**
 * `sending`: in the outbox and being tried; `queued`: in the outbox and waiting for a connection;
 * `failed`: parked with a reason; `received`: the server has it.
 */
type MessageStatus = 'sending' | 'queued' | 'failed' | 'received'

export type QuotedMessage = {
  readonly id: MessageId
  readonly userId: UserId
  readonly text: string
  readonly deleted: boolean
  /** First picture, drawn as a thumbnail beside the quote. */
  readonly thumb?: Attachment
}

/** What the thread summary under a message shows. */
export type ThreadSummary = {
  readonly replyCount: number
  readonly lastReplyAt?: number
  /** Newest reply held. */
  readonly lastReplyId?: MessageId
  /** Newest last, at most three are drawn. */
  readonly participantIds: readonly UserId[]
  /** Replies the viewer has not read; 0 in a thread that is not followed. */
  readonly unread: number
  /** Up to when the viewer has read it: epoch milliseconds of the server. */
  readonly lastReadAt?: number
  /** The viewer takes part or follows it by hand, and has not left it by hand. */
  readonly following?: boolean
  /** The name someone gave it; absent: it goes by the first words of its message. */
  readonly title?: string
}

/** A place in a message. With `endAt` a live share, over at that time (epoch milliseconds of the server). */
export type MessageLocation = {
  readonly latitude: number
  readonly longitude: number
  readonly endAt?: number
  /** What its owner calls the computer that shares it. */
  readonly device?: string
  readonly updatedAt: number
}

/** A button of a command's answer, as the server named it. */
export type MessageButton = {
  readonly name: string
  readonly value: string
  readonly text: string
  readonly style: 'primary' | 'default' | 'danger'
}

/** `isWhole`: nothing between can be missing. Else it is the nearest of those held here, or none of them. */
export type NearestMention = { readonly id: MessageId | null; readonly isWhole: boolean }

/** Words a message had from `at` on (epoch milliseconds), until it was edited. */
export type MessageRevision = { readonly at: number; readonly text: string }

/** Whom a message calls beyond the people it names: everyone in the channel, or those who are there now. */
export type BroadcastMention = 'channel' | 'here'

/** A message as the viewer sees it: facts with the viewer's pending intents folded in. */
export type Message = {
  readonly id: MessageId
  readonly cid: Cid
  readonly userId: UserId
  readonly text: string
  readonly type: MessageType
  readonly status: MessageStatus
  /** Locale code of the reason, only while `failed`; `params` fill its places. */
  readonly failure?: {
    readonly code: string
    readonly retryable: boolean
    readonly params?: Readonly<Record<string, string | number>>
  }
  /** Its sending or its deletion is held back until then and can be undone. Epoch milliseconds of this computer. */
  readonly undoUntil?: number
  readonly parentId?: MessageId
  readonly showInChannel: boolean
  readonly quoted?: QuotedMessage
  readonly attachments: readonly Attachment[]
  /** Files still on their way, only on own unsent messages. */
  readonly uploads: readonly Upload[]
  readonly mentionedUserIds: readonly UserId[]
  readonly reach?: readonly BroadcastMention[]
  readonly reactions: readonly ReactionGroup[]
  readonly thread?: ThreadSummary
  readonly pollId?: PollId
  readonly location?: MessageLocation
  /** What can be pressed on a command's answer; only while it is `ephemeral`. */
  readonly buttons?: readonly MessageButton[]
  readonly pinned: boolean
  readonly pinnedAt?: number
  readonly pinnedBy?: UserId
  readonly silent: boolean
  readonly shadowed: boolean
  /** Epoch milliseconds; microseconds of the server are kept as a fraction. */
  readonly createdAt: number
  /** The server named no time that can be believed: `createdAt` is only its place in the list. */
  readonly timeUnsure?: boolean
  readonly updatedAt: number
  /** Set when the words were changed: drives "(edited)". */
  readonly editedAt?: number
  readonly deletedAt?: number
}
