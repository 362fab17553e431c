import type { AttachmentKind, UploadReason, UploadState } from '#shared/domain/attachment.ts'
import type { ChannelConfig } from '#shared/domain/channel.ts'
import type { DraftEdit, PollForms } from '#shared/domain/draft.ts'
import type { MessageType, BroadcastMention } from '#shared/domain/message.ts'
import type { IntentKind, IntentState } from '#shared/domain/outbox.ts'
import type { PollChange } from '#shared/domain/poll.ts'
import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'

/**
 * Rows of `cache.db` (facts) and of `outbox.db` (pending data). All times are epoch milliseconds (server microseconds
 * as a fraction). `asOf` is the server time of a copy: the event's `created_at`, or, for a response, the newest server
 * time known when the request was sent. A copy never overwrites a newer one.
 */
type Optional<T> = T | undefined

/** Custom keys of the server's objects, opaque. */
export type Custom = Readonly<Record<string, unknown>>

export type UserRow = {
  readonly id: UserId
  /** Without control and direction characters; the id if the server sent none. */
  readonly name: string
  /** URL of the profile picture; never leaves main. */
  readonly imageUrl?: Optional<string>
  readonly role: string
  /** `undefined`: missing in the copy (a stub in another object); the stored value is preserved. */
  readonly online?: Optional<boolean>
  readonly lastActiveAt?: Optional<number>
  readonly banned: boolean
  readonly language?: Optional<string>
  readonly statusText?: Optional<string>
  readonly bot: boolean
  readonly createdAt?: Optional<number>
  readonly updatedAt: number
  readonly deletedAt?: Optional<number>
  readonly custom: Custom
  readonly asOf: number
}

/** A custom emoji of the workspace. */
export type EmojiRow = {
  readonly name: string
  readonly aliases: readonly string[]
  /** URL of the image; never leaves main. */
  readonly url: string
  readonly mimeType?: Optional<string>
  readonly createdBy?: Optional<string>
  readonly createdAt?: Optional<number>
}

/** One entry of the viewer's mute lists; `block` contains the blocked people. */
export type MuteRow = { readonly target: string; readonly expiresAt?: Optional<number> }
export type MuteKind = 'user' | 'channel' | 'block'

export type ChannelRow = {
  readonly cid: Cid
  readonly type: string
  readonly id: string
  /** Empty for direct conversations without a name. */
  readonly name: string
  readonly topic?: Optional<string>
  readonly imageUrl?: Optional<string>
  readonly isPrivate: boolean
  readonly createdById?: Optional<UserId>
  readonly createdAt?: Optional<number>
  readonly updatedAt: number
  readonly lastMessageAt?: Optional<number>
  readonly memberCount?: Optional<number>
  readonly frozen: boolean
  readonly disabled: boolean
  readonly cooldown: number
  readonly truncatedAt?: Optional<number>
  readonly truncatedById?: Optional<UserId>
  /** `undefined` in broadcast events: the stored ones are preserved. */
  readonly capabilities?: Optional<readonly string[]>
  readonly config?: Optional<ChannelConfig>
  /** Per viewer; `undefined` in broadcast events: the stored ones are preserved. */
  readonly hidden?: Optional<boolean>
  readonly hideBefore?: Optional<number>
  readonly blocked?: Optional<boolean>
  readonly custom: Custom
  readonly asOf: number
}

export type MemberRow = {
  readonly cid: Cid
  readonly userId: UserId
  readonly channelRole: string
  readonly banned: boolean
  readonly shadowBanned: boolean
  readonly notificationsMuted: boolean
  /** Invited and has not answered. Absent: no. */
  readonly invited?: Optional<boolean>
  readonly pinnedAt?: Optional<number>
  readonly archivedAt?: Optional<number>
  readonly createdAt: number
  readonly updatedAt: number
  readonly asOf: number
}

/** An attachment with its URLs. The corresponding domain object has none. */
export type AttachmentRow = {
  readonly kind: AttachmentKind
  readonly url?: Optional<string>
  readonly thumbUrl?: Optional<string>
  readonly title?: Optional<string>
  readonly mimeType?: Optional<string>
  readonly sizeBytes?: Optional<number>
  readonly width?: Optional<number>
  readonly height?: Optional<number>
  readonly duration?: Optional<number>
  readonly waveform?: Optional<readonly number[]>
  readonly linkUrl?: Optional<string>
  readonly text?: Optional<string>
  readonly authorName?: Optional<string>
  /** Alternative text of an image, written by its sender. */
  readonly alt?: Optional<string>
  /** The original wire object, so that an edit sends back unknown fields. */
  readonly raw: Custom
}

export type ReactionRow = {
  readonly type: string
  readonly userId: UserId
  readonly score: number
  readonly createdAt: number
}

export type ReactionGroupRow = {
  readonly type: string
  readonly count: number
  readonly sumScores: number
  readonly firstAt: number
  readonly lastAt: number
}

/** A quoting message's copy of the quoted one, used if that one is not cached itself. */
export type QuotedRow = {
  readonly id: MessageId
  readonly userId: UserId
  readonly text: string
  readonly deleted: boolean
  readonly attachments: readonly AttachmentRow[]
}

export type MessageRow = {
  readonly id: MessageId
  readonly cid: Cid
  readonly userId: UserId
  readonly type: MessageType
  readonly text: string
  readonly parentId?: Optional<MessageId>
  readonly showInChannel: boolean
  readonly quotedId?: Optional<MessageId>
  readonly quoted?: Optional<QuotedRow>
  readonly attachments: readonly AttachmentRow[]
  readonly mentionedUserIds: readonly UserId[]
  /** Broadcast mentions. Absent: none. */
  readonly reach?: Optional<readonly BroadcastMention[]>
  readonly pollId?: Optional<PollId>
  readonly pinned: boolean
  readonly pinnedAt?: Optional<number>
  readonly pinnedBy?: Optional<UserId>
  readonly pinExpires?: Optional<number>
  readonly silent: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  /** The server sent no credible time: `createdAt` is only its position. */
  readonly timeUnsure?: Optional<boolean>
  readonly updatedAt: number
  readonly editedAt?: Optional<number>
  readonly deletedAt?: Optional<number>
  readonly reactionGroups: readonly ReactionGroupRow[]
  /** Newest first, at most ten. */
  readonly latestReactions: readonly ReactionRow[]
  /** Types of the viewer's reactions. `undefined` in broadcast events: the stored ones are preserved. */
  readonly ownReactions?: Optional<readonly string[]>
  readonly replyCount: number
  readonly threadParticipantIds: readonly UserId[]
  readonly custom: Custom
  readonly asOf: number
}

/** `threadId` is absent for the channel itself, the parent's id for a thread. */
export type ReadRow = {
  readonly cid: Cid
  readonly userId: UserId
  readonly threadId?: Optional<MessageId>
  readonly lastReadAt: number
  readonly lastReadMessageId?: Optional<MessageId>
  /** The server's own count, and the time up to which it counted. */
  readonly unread: number
  readonly countedAt: number
  /** Set by a mark-unread. */
  readonly firstUnreadId?: Optional<MessageId>
  /** Time of the newest message delivered to this person's device. `undefined`: not reported. */
  readonly deliveredAt?: Optional<number>
  readonly asOf: number
}

export type PollVoteRow = {
  readonly id: string
  readonly optionId?: Optional<string>
  readonly userId?: Optional<UserId>
  readonly answerText?: Optional<string>
  readonly createdAt: number
}

/** The server's reminder of the viewer. See docs/wire.md 5.13. */
export type ReminderRow = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly remindAt: Optional<number>
  readonly createdAt: number
  readonly updatedAt: number
  readonly asOf: number
}

/** Local state of a reminder. */
export type ReminderNote = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** The time of the reminder whose alarm went off, and when it did: another time has a new alarm. */
  readonly rangFor?: Optional<number>
  readonly rangAt?: Optional<number>
  /** When it was completed, and the time it had. */
  readonly doneAt?: Optional<number>
  readonly remindAt?: Optional<number>
}

export type PollRow = {
  readonly id: PollId
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string; readonly suggestedBy?: Optional<UserId> }[]
  /** Changes since it was first cached. */
  readonly changes?: Optional<readonly PollChange[]>
  readonly enforceUniqueVote: boolean
  readonly maxVotes?: Optional<number>
  readonly allowAnswers: boolean
  readonly allowSuggestions: boolean
  readonly anonymous: boolean
  readonly closed: boolean
  readonly closesAt?: Optional<number>
  readonly voteCount: number
  readonly votesByOption: Readonly<Record<string, number>>
  readonly latestByOption: Readonly<Record<string, readonly PollVoteRow[]>>
  readonly answersCount: number
  /** Newest first, at most ten. */
  readonly latestAnswers?: Optional<readonly PollVoteRow[]>
  /** `undefined` in events: the stored ones are preserved. */
  readonly ownVotes?: Optional<readonly PollVoteRow[]>
  readonly createdBy?: Optional<UserId>
  readonly createdAt: number
  readonly updatedAt: number
  readonly custom: Custom
  readonly asOf: number
}

/** A range of a timeline or thread without gaps, both ends inclusive. */
export type RangeRow = {
  readonly first: Placed
  readonly last: Placed
  /** There are (or may be) older messages before `first`. */
  readonly hasPrev: boolean
  /** There are (or may be) newer messages after `last`. */
  readonly hasNext: boolean
}

/** Which list a range belongs to. */
export type MetaRow = { readonly key: string; readonly value: string }

export type RangeScope = `timeline:${string}` | `thread:${string}`

export type IntentReason = {
  readonly code: string
  readonly params?: Optional<Readonly<Record<string, string | number>>>
  readonly detail?: Optional<string>
  readonly retryable: boolean
}

/** An intent: something the user asked for and the server has not confirmed. */
export type IntentRow = {
  /** Unique key of the row, and the id of the outbox item. */
  readonly id: string
  /** Order of acceptance; assigned by the store. */
  readonly seq: number
  readonly cid: Cid
  readonly threadRoot?: Optional<MessageId>
  readonly kind: IntentKind
  /** Client id of its subject: the message id for message kinds. */
  readonly entityId: string
  /** `id` of the intent that must be completed first. */
  readonly dependsOn?: Optional<string>
  /** Data of the kind; at most 64 KB as JSON. */
  readonly payload: unknown
  readonly createdAt: number
  readonly attempts: number
  /** Not tried before this. */
  readonly nextAt: number
  readonly state: IntentState
  readonly reason?: Optional<IntentReason>
}

export type IntentInsert = Omit<IntentRow, 'seq' | 'attempts' | 'nextAt' | 'state' | 'reason'> & {
  readonly state?: IntentState
  readonly nextAt?: number
}

/** One composer's unsent content. Key is {@link composerKey} of `shared/domain/draft.ts`. */
export type DraftRow = {
  readonly key: string
  readonly cid: Cid
  readonly parentId?: Optional<MessageId>
  readonly text: string
  readonly quotedId?: Optional<MessageId>
  readonly uploadIds: readonly string[]
  readonly caret: number
  readonly selectedTo?: Optional<number>
  readonly showInChannel: boolean
  readonly updatedAt: number
  /** Polls being edited. */
  readonly polls?: Optional<PollForms>
  /** The server's copy, if drafts are synchronized; `at` is its time. */
  readonly synced?: Optional<{ readonly id: string; readonly text: string; readonly at: number }>
  /** A message being edited in the same composer. */
  readonly edit?: Optional<DraftEdit>
  /** Text written here that was overwritten by newer text from another device. */
  readonly lost?: Optional<{ readonly text: string; readonly at: number }>
}

/** A file copied to the staging folder. */
export type UploadRow = {
  readonly id: string
  readonly cid: Cid
  readonly name: string
  readonly sizeBytes: number
  readonly mimeType: string
  readonly kind: AttachmentKind
  readonly width?: Optional<number>
  readonly height?: Optional<number>
  readonly duration?: Optional<number>
  readonly waveform?: Optional<readonly number[]>
  readonly alt?: Optional<string>
  readonly limit?: Optional<number>
  readonly listed?: Optional<readonly string[]>
  /** Refused only because of its name: its bytes are preserved, so that another name can be given. */
  readonly renamable?: Optional<boolean>
  /** Name inside the staging folder, never a path. */
  readonly stagedName: string
  readonly stagedBytes: number
  readonly complete: boolean
  readonly state: UploadState
  readonly reason?: Optional<UploadReason>
  /** Result of the server after the upload. */
  readonly url?: Optional<string>
  readonly thumbUrl?: Optional<string>
  /** The unsent message it belongs to, once sent. */
  readonly messageId?: Optional<MessageId>
  readonly createdAt: number
}
