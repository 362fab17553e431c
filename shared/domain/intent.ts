import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'
import type { AttachmentKind } from './attachment.ts'
import type { LinkPreview } from './link-preview.ts'
import type { QuotedMessage, BroadcastMention } from './message.ts'
import type { IntentKind, IntentState } from './outbox.ts'
import type { PollDefinition } from './poll.ts'
import type { Precision } from './place.ts'

/** What each kind of intent says, as it is stored (JSON, at most 64 KB). One line per kind. */
export type IntentPayloads = {
  'send-message': SendPayload
  'edit-message': EditPayload
  'delete-message': { readonly deletedAt: number }
  'send-reaction': {
    readonly type: string
    readonly score: number
    readonly reactedAt: number
    /** The server knows one of the viewer already: only its score is another. */
    readonly again?: boolean
  }
  'delete-reaction': { readonly type: string }
  'pin-message': { readonly pinned: boolean; readonly pinnedAt: number }
  /** `upTo` is the newest message read; everything at or before `readAt` (server time) counts as read. */
  'mark-read': { readonly upTo?: MessageId; readonly readAt: number }
  upload: UploadPayload
  /** `draftId` is this computer's name for these words, by which it knows its own echo. */
  'create-draft': {
    readonly text: string
    readonly quotedId?: MessageId
    readonly showInChannel?: boolean
    readonly draftId?: string
  }
  'delete-draft': Readonly<Record<string, never>>
  /** `alone`: it replaced no other vote, so taking it back untried undoes it wholly. */
  'cast-vote': VotePayload & { readonly alone?: boolean }
  'remove-vote': VotePayload
  /** Without a time: saved for later. `setAt` is epoch milliseconds of the server. */
  'set-reminder': { readonly remindAt?: number; readonly setAt: number }
  'delete-reminder': Readonly<Record<string, never>>
  /** Its `cid` is `NO_CHANNEL`. `directCid`: the conversation with that person alone, where there is one. */
  'block-person': BlockPayload
  'unblock-person': BlockPayload
}

type BlockPayload = { readonly userId: UserId; readonly directCid?: Cid | undefined }

export type VotePayload = {
  readonly pollId: string
  readonly optionId: string
  /** The option's words, where the poll was not made yet and the server had given it no id. */
  readonly optionText?: string
}

export type SendPayload = {
  readonly text: string
  readonly mentionedUserIds: readonly UserId[]
  /** Whom it calls besides. Absent: no one. */
  readonly reach?: readonly BroadcastMention[]
  readonly showInChannel: boolean
  readonly uploadIds: readonly string[]
  /** Files of other messages that go along. */
  readonly files?: readonly ForwardedFile[]
  /** Previews of the links in it. */
  readonly previews?: readonly SentPreview[]
  /** The server looks at no links of it: the writer said so, or sends the previews along. */
  readonly skipEnrich?: boolean
  readonly quotedId?: MessageId
  /** The poll whose message this is: it has nothing else in it. */
  readonly pollId?: PollId
  /** What that poll asks, where it is made with the message. Absent: it was made before. */
  readonly poll?: PollDefinition
  /** The place that this message is: it has nothing else in it. */
  readonly place?: SentPlace
  /** What the quote showed when it was written, so that it can be drawn without the message. */
  readonly quoted?: QuotedMessage
  /** No one is notified of it. */
  readonly silent?: boolean
  /** Someone chose when it is to be sent: until then it is in no timeline. Epoch milliseconds of this computer. */
  readonly sendAt?: number
  /** One of the messages that words too long for one became. */
  readonly part?: MessagePart
  /** Place in the timeline until the fact takes over. Epoch milliseconds on the server's clock. */
  readonly placedAt: number
}

/** How the messages become one again when they are taken back: `splitText` made them. `whole` names the first of them. */
type MessagePart = {
  readonly whole: MessageId
  readonly after: string
  readonly opened: string
  readonly closed: string
}

/** A file the server has already: what it is called, and the wire object that names it. */
export type ForwardedFile = {
  readonly kind: AttachmentKind
  readonly name: string
  readonly sizeBytes: number
  readonly mimeType: string
  readonly raw: Readonly<Record<string, unknown>>
}

/** The preview of a link: what is shown of it until the server has the message, and the wire object that is sent. */
export type SentPreview = { readonly shown: LinkPreview; readonly raw: Readonly<Record<string, unknown>> }

/** A place as others are to see it, rounded already. */
export type SentPlace = {
  readonly latitude: number
  readonly longitude: number
  readonly precision: Precision
  /** What the writer calls this computer. */
  readonly device?: string
  /** A live share: for how long, and until when the writer was told. Epoch milliseconds on the server's clock. */
  readonly live?: { readonly forMs: number; readonly until: number }
}

export type EditPayload = {
  readonly text: string
  readonly mentionedUserIds: readonly UserId[]
  readonly reach?: readonly BroadcastMention[]
  readonly editedAt: number
  /** `index` of the attachments that stay. Absent: all. */
  readonly kept?: readonly number[]
  readonly skipEnrich?: boolean
}

type UploadPayload = { readonly uploadId: string }

type IntentOf<Kind extends IntentKind> = {
  /** The id of the outbox row. */
  readonly id: string
  /** Order of acceptance. Only ever grows. */
  readonly seq: number
  readonly kind: Kind
  readonly cid: Cid
  /** Root of the thread it belongs to: with the cid, the lane in which order is kept. */
  readonly parentId?: MessageId
  readonly messageId?: MessageId
  readonly state: IntentState
  readonly attempts: number
  /** Epoch milliseconds before which a `waiting` or `scheduled` intent is not tried. */
  readonly nextAt: number
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
  /** Id of the intent that must be gone first. */
  readonly dependsOn?: string
  readonly createdAt: number
  readonly payload: IntentPayloads[Kind]
}

/** What the user asked for and the server has not confirmed. */
export type Intent = { [Kind in IntentKind]: IntentOf<Kind> }[IntentKind]
export type IntentFor<Kind extends IntentKind> = Extract<Intent, { readonly kind: Kind }>
