import type { AttachmentKind, UploadReason, UploadState } from '#shared/domain/attachment.ts'
import type { ChannelConfig } from '#shared/domain/channel.ts'
import type { DraftEdit, PollForms } from '#shared/domain/draft.ts'
import type { MessageType, BroadcastMention, Placed } from '#shared/domain/message.ts'
import type { IntentKind, IntentState } from '#shared/domain/intent.ts'
import type { PollChange } from '#shared/domain/poll.ts'
import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'

/**
 * Rows of `cache.db` (facts) and of `outbox.db` (pending data). All times are epoch milliseconds (server microseconds
 * as a fraction). `asOf` is the server time of a copy: the event's `created_at`, or, for a response, the newest server
 * time known when the request was sent. A copy never overwrites a newer one.
 */

/** Custom keys of the server's objects, opaque. */
export type Custom = Readonly<Record<string, unknown>>

export type UserRow = {
  readonly id: UserId
  /** Without control and direction characters; the id if the server sent none. */
  readonly name: string
  /** URL of the profile picture; never leaves main. */
  readonly imageUrl?: string
  readonly role: string
  /** `undefined`: missing in the copy (a stub in another object); the stored value is preserved. */
  readonly online?: boolean
  readonly lastActiveAt?: number
  readonly banned: boolean
  readonly language?: string
  readonly statusText?: string
  /** When the status ends. */
  readonly statusUntil?: number
  /** Their client has had no input for a while. */
  readonly away?: boolean
  /** Others see them as offline; only the viewer's own copies have it, and a copy without it leaves it as it was. */
  readonly invisible?: boolean
  readonly bot: boolean
  readonly createdAt?: number
  readonly updatedAt: number
  readonly deletedAt?: number
  readonly custom: Custom
  readonly asOf: number
}

/** A custom emoji of the workspace. */
export type EmojiRow = {
  readonly name: string
  readonly aliases: readonly string[]
  /** URL of the image; never leaves main. */
  readonly url: string
  readonly mimeType?: string
  readonly createdBy?: string
  readonly createdAt?: number
}

/** One entry of the viewer's mute lists; `block` contains the blocked people. */
export type MuteRow = { readonly target: string; readonly expiresAt?: number }
export type MuteKind = 'user' | 'channel' | 'block'

export type ChannelRow = {
  readonly cid: Cid
  readonly type: string
  readonly id: string
  /** Empty for direct conversations without a name. */
  readonly name: string
  readonly topic?: string
  readonly imageUrl?: string
  readonly isPrivate: boolean
  readonly createdById?: UserId
  readonly createdAt?: number
  readonly updatedAt: number
  readonly lastMessageAt?: number
  readonly memberCount?: number
  readonly frozen: boolean
  readonly disabled: boolean
  readonly cooldown: number
  readonly truncatedAt?: number
  readonly truncatedById?: UserId
  /** `undefined` in broadcast events: the stored ones are preserved. */
  readonly capabilities?: readonly string[]
  /** When they were read; events about the channel do not contain them. Absent: with the rest of the row. */
  readonly capabilitiesAsOf?: number
  readonly config?: ChannelConfig
  /** Per viewer; `undefined` in broadcast events: the stored ones are preserved. */
  readonly hidden?: boolean
  readonly hideBefore?: number
  readonly blocked?: boolean
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
  readonly invited?: boolean
  readonly pinnedAt?: number
  readonly archivedAt?: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly asOf: number
}

/** An attachment with its URLs. The corresponding domain object has none. */
export type AttachmentRow = {
  readonly kind: AttachmentKind
  readonly url?: string
  readonly thumbUrl?: string
  readonly title?: string
  readonly mimeType?: string
  readonly sizeBytes?: number
  readonly width?: number
  readonly height?: number
  readonly duration?: number
  readonly waveform?: readonly number[]
  readonly linkUrl?: string
  readonly text?: string
  readonly authorName?: string
  /** Alternative text of an image, written by its sender. */
  readonly alt?: string
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
  readonly parentId?: MessageId
  readonly showInChannel: boolean
  readonly quotedId?: MessageId
  readonly quoted?: QuotedRow
  readonly attachments: readonly AttachmentRow[]
  readonly mentionedUserIds: readonly UserId[]
  /** Broadcast mentions. Absent: none. */
  readonly reach?: readonly BroadcastMention[]
  readonly pollId?: PollId
  readonly pinned: boolean
  readonly pinnedAt?: number
  readonly pinnedBy?: UserId
  readonly pinExpires?: number
  readonly silent: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  /** The server sent no credible time: `createdAt` is only its position. */
  readonly timeUnsure?: boolean
  readonly updatedAt: number
  readonly editedAt?: number
  readonly deletedAt?: number
  readonly reactionGroups: readonly ReactionGroupRow[]
  /** Newest first, at most ten. */
  readonly latestReactions: readonly ReactionRow[]
  /** Types of the viewer's reactions. `undefined` in broadcast events: the stored ones are preserved. */
  readonly ownReactions?: readonly string[]
  readonly replyCount: number
  readonly threadParticipantIds: readonly UserId[]
  readonly custom: Custom
  readonly asOf: number
}

/** `threadId` is absent for the channel itself, the parent's id for a thread. */
export type ReadRow = {
  readonly cid: Cid
  readonly userId: UserId
  readonly threadId?: MessageId
  readonly lastReadAt: number
  readonly lastReadMessageId?: MessageId
  /** The server's own count, and the time up to which it counted. */
  readonly unread: number
  readonly countedAt: number
  /** Set by a mark-unread. */
  readonly firstUnreadId?: MessageId
  /** Time of the newest message delivered to this person's device. `undefined`: not reported. */
  readonly deliveredAt?: number
  readonly asOf: number
}

export type PollVoteRow = {
  readonly id: string
  readonly optionId?: string
  readonly userId?: UserId
  readonly answerText?: string
  readonly createdAt: number
}

/** The server's reminder of the viewer. See docs/wire.md 5.13. */
export type ReminderRow = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly remindAt: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly asOf: number
}

/** Local state of a reminder. */
export type ReminderNote = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** The time of the reminder whose alarm went off, and when it did: another time has a new alarm. */
  readonly rangFor?: number
  readonly rangAt?: number
  /** When it was completed, and the time it had. */
  readonly doneAt?: number
  readonly remindAt?: number
}

export type PollRow = {
  readonly id: PollId
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string; readonly suggestedBy?: UserId }[]
  /** Changes since it was first cached. */
  readonly changes?: readonly PollChange[]
  readonly enforceUniqueVote: boolean
  readonly maxVotes?: number
  readonly allowAnswers: boolean
  readonly allowSuggestions: boolean
  readonly anonymous: boolean
  readonly closed: boolean
  readonly closesAt?: number
  readonly voteCount: number
  readonly votesByOption: Readonly<Record<string, number>>
  readonly latestByOption: Readonly<Record<string, readonly PollVoteRow[]>>
  readonly answersCount: number
  /** Newest first, at most ten. */
  readonly latestAnswers?: readonly PollVoteRow[]
  /** `undefined` in events: the stored ones are preserved. */
  readonly ownVotes?: readonly PollVoteRow[]
  readonly createdBy?: UserId
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
  readonly params?: Readonly<Record<string, string | number>>
  readonly detail?: string
  readonly retryable: boolean
}

/** An intent: something the user asked for and the server has not confirmed. */
export type IntentRow = {
  /** Unique key of the row, and the id of the outbox item. */
  readonly id: string
  /** Order of acceptance; assigned by the store. */
  readonly seq: number
  readonly cid: Cid
  readonly threadRoot?: MessageId
  readonly kind: IntentKind
  /** Client id of its subject: the message id for message kinds. */
  readonly entityId: string
  /** `id` of the intent that must be completed first. */
  readonly dependsOn?: string
  /** Data of the kind; at most 64 KB as JSON. */
  readonly payload: unknown
  readonly createdAt: number
  readonly attempts: number
  /** Not tried before this. */
  readonly nextAt: number
  readonly state: IntentState
  readonly reason?: IntentReason
}

export type IntentInsert = Omit<IntentRow, 'seq' | 'attempts' | 'nextAt' | 'state'> & {
  readonly state?: IntentState
  readonly nextAt?: number
}

/** One composer's unsent content. Key is {@link composerKey} of `shared/domain/draft.ts`. */
export type DraftRow = {
  readonly key: string
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  readonly quotedId?: MessageId
  readonly uploadIds: readonly string[]
  readonly caret: number
  readonly selectedTo?: number
  readonly showInChannel: boolean
  readonly updatedAt: number
  /** Polls being edited. */
  readonly polls?: PollForms
  /** The server's copy, if drafts are synchronized; `at` is its time. */
  readonly synced?: { readonly id: string; readonly text: string; readonly at: number }
  /** A message being edited in the same composer. */
  readonly edit?: DraftEdit
  /** Text written here that was overwritten by newer text from another device. */
  readonly lost?: { readonly text: string; readonly at: number }
}

/** A file copied to the staging folder. */
export type UploadRow = {
  readonly id: string
  readonly cid: Cid
  readonly name: string
  readonly sizeBytes: number
  readonly mimeType: string
  readonly kind: AttachmentKind
  readonly width?: number
  readonly height?: number
  readonly duration?: number
  readonly waveform?: readonly number[]
  readonly alt?: string
  readonly limit?: number
  readonly listed?: readonly string[]
  /** Refused only because of its name: its bytes are preserved, so that another name can be given. */
  readonly renamable?: boolean
  /** Name inside the staging folder, never a path. */
  readonly stagedName: string
  readonly stagedBytes: number
  readonly complete: boolean
  readonly state: UploadState
  readonly reason?: UploadReason
  /** Result of the server after the upload. */
  readonly url?: string
  readonly thumbUrl?: string
  /** The unsent message it belongs to, once sent. */
  readonly messageId?: MessageId
  readonly createdAt: number
}
