import type { AttachmentKind, UploadReason, UploadState } from '#shared/domain/attachment.ts'
import type { ChannelConfig } from '#shared/domain/channel.ts'
import type { DraftEdit, PollForms } from '#shared/domain/draft.ts'
import type { MessageType, BroadcastMention } from '#shared/domain/message.ts'
import type { IntentKind, IntentState } from '#shared/domain/outbox.ts'
import type { PollChange } from '#shared/domain/poll.ts'
import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'

/**
 * Facts as they stand in `cache.db`, and what waits in `outbox.db`. All times are epoch milliseconds (server
 * microseconds as a fraction). `asOf` is the server time a copy stands for: the event's `created_at`, or, for an answer,
 * the newest server time that was known when the request was sent. A copy never overwrites a newer one.
 */
type Optional<T> = T | undefined

/** Custom keys of the server's objects, kept opaque. */
export type Custom = Readonly<Record<string, unknown>>

export type UserRow = {
  readonly id: UserId
  /** Cleaned of control and direction characters; the id when the server gave none. */
  readonly name: string
  /** Address of the portrait; never leaves main. */
  readonly imageUrl?: Optional<string>
  readonly role: string
  /** `undefined`: the copy did not say (a stub in another object); the stored value stays. */
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
  /** Address of the picture; never leaves main. */
  readonly url: string
  readonly mimeType?: Optional<string>
  readonly createdBy?: Optional<string>
  readonly createdAt?: Optional<number>
}

/** One entry of the viewer's mute lists; `block` holds the people they blocked. */
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
  /** `undefined` in broadcast events: the stored ones stay. */
  readonly capabilities?: Optional<readonly string[]>
  readonly config?: Optional<ChannelConfig>
  /** Per viewer; `undefined` in broadcast events: the stored ones stay. */
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
  /** Asked in and not answered yet. Absent: no. */
  readonly invited?: Optional<boolean>
  readonly pinnedAt?: Optional<number>
  readonly archivedAt?: Optional<number>
  readonly createdAt: number
  readonly updatedAt: number
  readonly asOf: number
}

/** An attachment with its addresses. The domain object of the same place has none. */
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
  /** What a picture shows, as its sender says. */
  readonly alt?: Optional<string>
  /** The wire object as it came, so that an edit sends back what it does not understand. */
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

/** What a quoting message keeps of the quoted one, used when that one is not held itself. */
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
  /** Whom it calls besides. Absent: no one. */
  readonly reach?: Optional<readonly BroadcastMention[]>
  readonly pollId?: Optional<PollId>
  readonly pinned: boolean
  readonly pinnedAt?: Optional<number>
  readonly pinnedBy?: Optional<UserId>
  readonly pinExpires?: Optional<number>
  readonly silent: boolean
  readonly shadowed: boolean
  readonly createdAt: number
  /** No time came that can be believed: `createdAt` is only its place. */
  readonly timeUnsure?: Optional<boolean>
  readonly updatedAt: number
  readonly editedAt?: Optional<number>
  readonly deletedAt?: Optional<number>
  readonly reactionGroups: readonly ReactionGroupRow[]
  /** Newest first, at most ten. */
  readonly latestReactions: readonly ReactionRow[]
  /** Types the viewer has given. `undefined` in broadcast events: the stored ones stay. */
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
  /** Up to when messages reached this person's computer. `undefined`: nothing was said of it. */
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

/** What only this computer knows of a reminder. */
export type ReminderNote = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** The time it rang for, and when that was: another time rings again. */
  readonly rangFor?: Optional<number>
  readonly rangAt?: Optional<number>
  /** When it was ticked off, and the time it had. */
  readonly doneAt?: Optional<number>
  readonly remindAt?: Optional<number>
}

export type PollRow = {
  readonly id: PollId
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string; readonly suggestedBy?: Optional<UserId> }[]
  /** What was changed in it while it was held. */
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
  /** `undefined` in events: the stored ones stay. */
  readonly ownVotes?: Optional<readonly PollVoteRow[]>
  readonly createdBy?: Optional<UserId>
  readonly createdAt: number
  readonly updatedAt: number
  readonly custom: Custom
  readonly asOf: number
}

/** A stretch of a timeline or thread without holes between its two ends, both included. */
export type RangeRow = {
  readonly first: Placed
  readonly last: Placed
  /** There are (or may be) older ones before `first`. */
  readonly hasPrev: boolean
  /** There are (or may be) newer ones after `last`. */
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

/** One thing the user asked for and the server has not confirmed. */
export type IntentRow = {
  /** Unique key of the row, and the outbox item's id on screen. */
  readonly id: string
  /** Order of acceptance; given by the store. */
  readonly seq: number
  readonly cid: Cid
  readonly threadRoot?: Optional<MessageId>
  readonly kind: IntentKind
  /** Client id of what it is about: the message id for message kinds. */
  readonly entityId: string
  /** `id` of the intent that must be done first. */
  readonly dependsOn?: Optional<string>
  /** What the kind needs; at most 64 KB as JSON. */
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
  /** Polls begun here. */
  readonly polls?: Optional<PollForms>
  /** What the server holds of it, where drafts are synchronised; `at` is its time. */
  readonly synced?: Optional<{ readonly id: string; readonly text: string; readonly at: number }>
  /** A message being edited in the same composer. */
  readonly edit?: Optional<DraftEdit>
  /** Words written here that lost against newer ones from another computer. */
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
  /** Refused for its name alone: its bytes are kept, so that another name can be given. */
  readonly renamable?: Optional<boolean>
  /** Name inside the staging folder, never a path. */
  readonly stagedName: string
  readonly stagedBytes: number
  readonly complete: boolean
  readonly state: UploadState
  readonly reason?: Optional<UploadReason>
  /** Answer of the server once finished. */
  readonly url?: Optional<string>
  readonly thumbUrl?: Optional<string>
  /** The unsent message it belongs to, once sent. */
  readonly messageId?: Optional<MessageId>
  readonly createdAt: number
}
