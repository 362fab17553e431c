import { type Cid, type MessageId, type PollId, type UserId, asCid } from '../lib/brand.ts'
import type { AttachmentKind, LinkPreview } from './attachment.ts'
import type { QuotedMessage, BroadcastMention } from './message.ts'
import type { BanTerms, ReviewAction } from './manage/review.ts'
import type { PollDefinition } from './poll.ts'
import type { Precision } from './place.ts'

/** The cid of intents that concern no channel, such as blocking a person. */
export const NO_CHANNEL: Cid = asCid('')

/** The five kinds of the contract (docs/wire.md 7.21), and ours. */
export type IntentKind =
  | 'send-message'
  | 'send-reaction'
  | 'delete-reaction'
  | 'create-draft'
  | 'delete-draft'
  | 'edit-message'
  | 'delete-message'
  | 'mark-read'
  | 'pin-message'
  | 'cast-vote'
  | 'remove-vote'
  | 'set-reminder'
  | 'delete-reminder'
  | 'block-person'
  | 'unblock-person'
  | 'moderate'
  | 'upload'

/** `done` rows do not exist: they are deleted. `scheduled`: until its time it is in no lane (ADR 13). */
export type IntentState = 'staged' | 'scheduled' | 'ready' | 'inflight' | 'waiting' | 'parked'

/** One line of the outbox panel. */
export type OutboxItem = {
  readonly id: string
  readonly kind: IntentKind
  readonly cid: Cid
  readonly messageId?: MessageId
  readonly parentId?: MessageId
  readonly state: IntentState
  /** First words of the text, the reaction's type, or a file name: identifies it to the user. */
  readonly summary: string
  readonly fileCount: number
  /** The content of a message that is not text and files. */
  readonly content?: 'poll' | 'place'
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
  readonly createdAt: number
  /** "Send later": when, in epoch milliseconds of this device. Absent once the time has come. */
  readonly sendAt?: number
}

/** The payload of each kind of intent, as it is stored (JSON, at most 64 KB). One line per kind. */
export type IntentPayloads = {
  'send-message': SendPayload
  'edit-message': EditPayload
  'delete-message': { readonly deletedAt: number }
  'send-reaction': {
    readonly type: string
    readonly score: number
    readonly reactedAt: number
    /** The server already has a reaction of the viewer: only its score changes. */
    readonly again?: boolean
  }
  'delete-reaction': { readonly type: string }
  /** `until`: when the pin ends, null: it does not end anymore. Absent: as it is. */
  'pin-message': { readonly pinned: boolean; readonly pinnedAt: number; readonly until?: number | null }
  /** `upTo` is the newest message read; everything at or before `readAt` (server time) counts as read. */
  'mark-read': { readonly upTo?: MessageId; readonly readAt: number }
  upload: UploadPayload
  /** `draftId` is this device's id for this text, to recognize its own echo. */
  'create-draft': {
    readonly text: string
    readonly quotedId?: MessageId
    readonly showInChannel?: boolean
    readonly draftId?: string
  }
  'delete-draft': Readonly<Record<string, never>>
  /** `alone`: it replaced no other vote, so discarding it before it was sent undoes it entirely. */
  'cast-vote': VotePayload & { readonly alone?: boolean }
  'remove-vote': VotePayload
  /** Without a time: saved for later. `setAt` is epoch milliseconds of the server. */
  'set-reminder': { readonly remindAt?: number; readonly setAt: number }
  'delete-reminder': Readonly<Record<string, never>>
  /** Its `cid` is `NO_CHANNEL`. `directCid`: the direct conversation with that person, if there is one. */
  'block-person': BlockPayload
  'unblock-person': BlockPayload
  moderate: ModeratePayload
}

type BlockPayload = { readonly userId: UserId; readonly directCid?: Cid }

/** A decision about an item of the review queue. Its `cid` is `NO_CHANNEL`. */
export type ModeratePayload = {
  readonly itemId: string
  readonly action: ReviewAction
  /** Not applied if another moderator has decided after this time of the server. */
  readonly seenAt: number
  /** Identifies the item to the user. */
  readonly summary: string
  readonly channelCid?: Cid
  /** With `ban` and `unban`. */
  readonly ban?: BanTerms
  /** It undoes an earlier decision: the item waits again afterwards. */
  readonly reopens?: true
}

export type VotePayload = {
  readonly pollId: string
  readonly optionId: string
  /** The option's text, if the poll was not created yet and the option had no server id. */
  readonly optionText?: string
}

export type SendPayload = {
  readonly text: string
  readonly mentionedUserIds: readonly UserId[]
  /** Broadcast mentions in the text. Absent: none. */
  readonly reach?: readonly BroadcastMention[]
  readonly showInChannel: boolean
  readonly uploadIds: readonly string[]
  /** Forwarded files of other messages. */
  readonly files?: readonly ForwardedFile[]
  /** Previews of the links in it. */
  readonly previews?: readonly SentPreview[]
  /** The server must not preview its links: the author turned it off, or sends the previews along. */
  readonly skipEnrich?: boolean
  readonly quotedId?: MessageId
  /** The poll that this message consists of. */
  readonly pollId?: PollId
  /** The definition of that poll if it is created with the message. Absent: it exists already. */
  readonly poll?: PollDefinition
  /** The location that this message consists of. */
  readonly place?: SentPlace
  /** The quoted message as it was when this was written, so that it can be shown without the original. */
  readonly quoted?: QuotedMessage
  /** No notification is sent for it. */
  readonly silent?: boolean
  /** It does not mean that the channel was read: it is marked unread again from after this time. Epoch milliseconds. */
  readonly unreadAfter?: number
  /** When it is scheduled for: until then it is in no timeline. Epoch milliseconds of this device. */
  readonly sendAt?: number
  /** One of several messages into which a long text was split. */
  readonly part?: MessagePart
  /** Position in the timeline until the fact replaces it. Epoch milliseconds on the server's clock. */
  readonly placedAt: number
}

/** How to join the parts again when they are withdrawn: made by `splitText`. `whole` is the id of the first part. */
type MessagePart = {
  readonly whole: MessageId
  readonly after: string
  readonly opened: string
  readonly closed: string
}

/** A file the server already has: its description, and the wire object that references it. */
export type ForwardedFile = {
  readonly kind: AttachmentKind
  readonly name: string
  readonly sizeBytes: number
  readonly mimeType: string
  readonly raw: Readonly<Record<string, unknown>>
}

/** The preview of a link: what is shown until the server has the message, and the wire object that is sent. */
export type SentPreview = { readonly shown: LinkPreview; readonly raw: Readonly<Record<string, unknown>> }

/** A location as others will see it, already rounded. */
export type SentPlace = {
  readonly latitude: number
  readonly longitude: number
  readonly precision: Precision
  /** The sender's name for this device. */
  readonly device?: string
  /** A live share: its duration, and the end that was shown to the sender. Epoch milliseconds on the server's clock. */
  readonly live?: { readonly forMs: number; readonly until: number }
}

export type EditPayload = {
  readonly text: string
  readonly mentionedUserIds: readonly UserId[]
  readonly reach?: readonly BroadcastMention[]
  readonly editedAt: number
  /** `index` of the attachments that remain. Absent: all. */
  readonly kept?: readonly number[]
  readonly skipEnrich?: boolean
}

type UploadPayload = { readonly uploadId: string }

type IntentOf<Kind extends IntentKind> = {
  /** The id of the outbox row. */
  readonly id: string
  /** Order of acceptance. Only increases. */
  readonly seq: number
  readonly kind: Kind
  readonly cid: Cid
  /** Root of its thread: with the cid, the lane whose order is preserved. */
  readonly parentId?: MessageId
  readonly messageId?: MessageId
  readonly state: IntentState
  readonly attempts: number
  /** Epoch milliseconds before which a `waiting` or `scheduled` intent is not tried. */
  readonly nextAt: number
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
  /** Id of the intent that must be completed first. */
  readonly dependsOn?: string
  readonly createdAt: number
  readonly payload: IntentPayloads[Kind]
}

/** What the user asked for and the server has not confirmed. */
export type Intent = { [Kind in IntentKind]: IntentOf<Kind> }[IntentKind]
export type IntentFor<Kind extends IntentKind> = Extract<Intent, { readonly kind: Kind }>
