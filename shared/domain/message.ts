import type { Cid, MessageId, PollId, UserId } from '../lib/brand.ts'
import type { Attachment, Upload } from './attachment.ts'

/** See docs/wire.md 5.1. Clients must know regular, deleted and error. */
export type MessageType = 'regular' | 'reply' | 'system' | 'ephemeral' | 'error' | 'deleted'

/**
 * `sending`: in the outbox and being tried; `queued`: in the outbox, without a connection; `failed`: parked with a
 * reason; `received`: the server has it.
 */
type MessageStatus = 'sending' | 'queued' | 'failed' | 'received'

/** What a message is besides its text. */
export type ContentKind = Attachment['kind'] | 'poll' | 'location'

type Content = {
  readonly pollId?: string
  readonly location?: object
  readonly attachments: readonly { readonly kind: Attachment['kind'] }[]
}

export const contentOf = ({ pollId, location, attachments }: Content): ContentKind | undefined =>
  pollId !== undefined ? 'poll' : location !== undefined ? 'location' : attachments[0]?.kind

export type QuotedMessage = {
  readonly id: MessageId
  readonly userId: UserId
  readonly text: string
  readonly deleted: boolean
  /** What it is where it has no text. Absent: unknown, or nothing else. */
  readonly content?: ContentKind
  /** First image, shown as a thumbnail beside the quote. */
  readonly thumb?: Attachment
}

/** What the thread summary under a message shows. */
export type ThreadSummary = {
  readonly replyCount: number
  readonly lastReplyAt?: number
  /** Newest cached reply. */
  readonly lastReplyId?: MessageId
  /** Newest last, at most three are drawn. */
  readonly participantIds: readonly UserId[]
  /** Unread replies; 0 in a thread that is not followed. */
  readonly unread: number
  /** Up to when the viewer has read it: epoch milliseconds of the server. */
  readonly lastReadAt?: number
  /** The viewer takes part or followed it by hand, and has not unfollowed it by hand. */
  readonly following?: boolean
  /** The title of the thread; absent: the first words of its message are used. */
  readonly title?: string
}

/** A location in a message. With `endAt` a live share that ends at that time (epoch milliseconds of the server). */
export type MessageLocation = {
  readonly latitude: number
  readonly longitude: number
  readonly endAt?: number
  /** The owner's name for the device that shares it. */
  readonly device?: string
  readonly updatedAt: number
}

/** A button of a command's response, as sent by the server. */
export type MessageButton = {
  readonly name: string
  readonly value: string
  readonly text: string
  readonly style: 'primary' | 'default' | 'danger'
}

/** `isWhole`: no message in between can be missing. Otherwise it is the nearest cached one, or none. */
export type NearestMention = { readonly id: MessageId | null; readonly isWhole: boolean }

/** The text of a message from `at` on (epoch milliseconds), until the next edit. */
export type MessageRevision = { readonly at: number; readonly text: string }

/** A broadcast mention: everyone in the channel, or those who are online. */
export type BroadcastMention = 'channel' | 'here'

/** A message as the viewer sees it: facts with the viewer's pending intents applied. */
export type Message = {
  readonly id: MessageId
  readonly cid: Cid
  readonly userId: UserId
  readonly text: string
  /** The text, as folded, for a window; absent if nothing in it is formatting: see `isPlainText`. */
  readonly blocks?: readonly Block[]
  readonly type: MessageType
  readonly status: MessageStatus
  /** Locale code of the reason, only while `failed`; `params` fill its placeholders. */
  readonly failure?: {
    readonly code: string
    readonly retryable: boolean
    readonly params?: Readonly<Record<string, string | number>>
  }
  /** Sending or deleting it is held back until then and can be undone. Epoch milliseconds of this device. */
  readonly undoUntil?: number
  readonly parentId?: MessageId
  readonly showInChannel: boolean
  readonly quoted?: QuotedMessage
  readonly attachments: readonly Attachment[]
  /** Files still being uploaded, only on the user's own unsent messages. */
  readonly uploads: readonly Upload[]
  readonly mentionedUserIds: readonly UserId[]
  /**
   * Broadcast mentions. The name is that of rows and queued intents already stored: a migration would have to compute
   * the checksum of every message again.
   */
  readonly reach?: readonly BroadcastMention[]
  readonly reactions: readonly ReactionGroup[]
  readonly thread?: ThreadSummary
  readonly pollId?: PollId
  readonly location?: MessageLocation
  /** The buttons of a command's response; only while it is `ephemeral`. */
  readonly buttons?: readonly MessageButton[]
  readonly pinned: boolean
  readonly pinnedAt?: number
  readonly pinnedBy?: UserId
  /** When the server unpins it. */
  readonly pinExpires?: number
  readonly silent: boolean
  /** Only its author and moderators see it; the sender is not notified, except by `held`. */
  readonly shadowed: boolean
  /** The rule that keeps it from others until a moderator approves it, and what the rule tells its author. */
  readonly held?: { readonly rule: string; readonly text?: string }
  /** Epoch milliseconds; microseconds of the server are preserved as a fraction. */
  readonly createdAt: number
  /** The server sent no credible time: `createdAt` is only its position in the list. */
  readonly timeUnsure?: boolean
  readonly updatedAt: number
  /** Set when the text was changed: drives "(edited)". */
  readonly editedAt?: number
  readonly deletedAt?: number
}

/** All reactions of one type on one message. Order on screen is by `firstAt`. */
export type ReactionGroup = {
  readonly type: string
  readonly count: number
  readonly sumScores: number
  readonly firstAt: number
  readonly lastAt: number
  /** The viewer has one of these. */
  readonly own: boolean
  /**
   * The viewer's score, 1 to `REACTION_SCORE_LIMIT`; absent without a reaction of theirs, or if only newer reactions
   * are known.
   */
  readonly ownScore?: number
  /** Newest reactors known, at most ten. */
  readonly userIds: readonly UserId[]
}

/** A message's text as a tree. Each kind is rendered by a fixed element; raw HTML has no kind. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  /** `:name:`, for which the workspace may have a custom emoji; `text` is the source. */
  | { readonly kind: 'emoji'; readonly name: string; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly host?: string; readonly children: readonly Inline[] }
  /** Rendered as a link if the reader has a channel of this name. */
  | { readonly kind: 'channel'; readonly name: string; readonly text: string }
  /** Without a user: a broadcast mention, as `@channel`. */
  | { readonly kind: 'mention'; readonly userId?: string; readonly text: string }

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly children: readonly Inline[] }
  | { readonly kind: 'codeBlock'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly TableCell[]; readonly rows: readonly (readonly TableCell[])[] }
  | { readonly kind: 'rule' }

export type ListItem = { readonly checked?: boolean; readonly children: readonly Block[] }
export type TableCell = { readonly align?: 'start' | 'center' | 'end'; readonly children: readonly Inline[] }

/** A message saved for later, with or without a time. Keyed by the message. */
export type Reminder = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** Epoch milliseconds of the server; absent: saved for later, without a time. */
  readonly remindAt?: number
  /** When the alarm went off on this device for the current `remindAt`; absent: not yet, or not here. */
  readonly rangAt?: number
  /** Completed on this device; the server has no reminder for it. */
  readonly doneAt?: number
  /** The server has not confirmed the last change. */
  readonly pending: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** Anything in a timeline. `createdAt` is epoch milliseconds and may carry microseconds as a fraction. */
export type Placed = { readonly createdAt: number; readonly id: string }

/** Timeline order: by time, then by id. Total, so pages never repeat or skip. */
export function comparePlaced(a: Placed, b: Placed): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Smallest step in the order of messages, in milliseconds: a microsecond, the precision of the server. */
export const PLACE_STEP_MS = 0.001
