import type { Message } from './message.ts'
import type { Poll } from './poll.ts'
import type { TimeCursor, SearchPage } from './search.ts'
import type { Cid, MessageId, UserId } from '../lib/brand.ts'

/** The flags of the channel's configuration that change what the screen offers. */
export type ChannelConfig = {
  readonly typingEvents: boolean
  readonly readEvents: boolean
  readonly reactions: boolean
  readonly replies: boolean
  readonly quotes: boolean
  readonly uploads: boolean
  readonly polls: boolean
  readonly sharedLocations: boolean
  /** Absent: no. */
  readonly deliveryEvents?: boolean
  /** Link previews are allowed. Absent: no. */
  readonly urlEnrichment?: boolean
  /** System messages do not change the channel's position in the list. Absent: they move it up like any other. */
  readonly systemKeepsPlace?: boolean
  readonly maxMessageLength: number
  readonly commands: readonly {
    readonly name: string
    readonly args: string
    readonly description: string
    /** The name of the program that answers it. Absent: the server does. */
    readonly program?: string
  }[]
}

/** One row of the sidebar, and the header of the open channel. */
export type Channel = {
  readonly cid: Cid
  readonly type: string
  readonly id: string
  readonly name: string
  readonly topic?: string
  readonly image?: string
  /** Private channels draw a lock. */
  readonly isPrivate: boolean
  /** The other person, in a conversation of two; absent otherwise. */
  readonly directUserId?: UserId
  /** Everyone in a direct conversation but the viewer; the viewer in their own notes; empty for channels. */
  readonly directUserIds: readonly UserId[]
  /** Notes to self: the viewer is the only member. */
  readonly notes?: true
  readonly memberCount: number
  readonly watcherCount: number
  /** A few members for the faces in the header. */
  readonly faceIds: readonly UserId[]
  readonly lastMessageAt?: number
  readonly frozen: boolean
  readonly blocked: boolean
  readonly hidden: boolean
  readonly muted: boolean
  /** When the mute ends automatically, epoch milliseconds. Absent: no end, or not muted. */
  readonly mutedUntil?: number
  /** The viewer is not a member: previews the channel, or has left it. */
  readonly visiting?: true
  readonly pinnedAt?: number
  readonly archivedAt?: number
  /** Seconds between two messages of one person; 0 is off. */
  readonly cooldown: number
  readonly capabilities: readonly string[]
  readonly config: ChannelConfig
  readonly pinnedMessageCount: number
  /** Always counted by a query, never accumulated. */
  readonly unread: number
  readonly unreadMentions: number
  readonly lastReadAt?: number
  readonly lastReadMessageId?: MessageId
  /** The first unread message; the unread line is above it. Absent if an earlier one may be missing in the cache. */
  readonly firstUnreadId?: MessageId
  /** Messages before this were cleared, and by whom. */
  readonly truncatedAt?: number
  readonly truncatedBy?: UserId
  /** There is an unsent draft (shown as a pencil). */
  readonly hasDraft: boolean
  /** Unsent messages in the outbox. */
  readonly queuedCount: number
}

/** A channel the viewer was invited to and has not answered yet. */
export type ChannelInvite = {
  readonly cid: Cid
  readonly name: string
  readonly topic?: string
  readonly memberCount: number
}

/** An invitation as it arrived, with its sender. */
export type InviteArrival = ChannelInvite & {
  /** Absent, with the name: the server does not name the sender. */
  readonly byId?: UserId
  readonly by?: string
  /** The viewer has muted or blocked the sender. */
  readonly byMuted: boolean
}

/** How far other people have read in a channel: for "Seen" and the small portraits. */
export type ChannelReads = {
  readonly cid: Cid
  readonly reads: readonly {
    readonly userId: UserId
    readonly lastReadAt: number
    readonly lastReadMessageId?: MessageId
    /** The newest message delivered to their device, if the channel reports deliveries. */
    readonly deliveredAt?: number
  }[]
}

/** What an assistant is doing; `other` if it describes it in its own text. See docs/wire.md 4.9. */
export type AssistantWork = {
  readonly userId?: UserId
  /** As received: the assistant may not be in the cache. */
  readonly name?: string
  readonly state: 'thinking' | 'checking' | 'generating' | 'error' | 'other'
  readonly text?: string
}

/** Who is typing, and what an assistant is doing. Key is the cid, or `cid/parentId` for a thread. */
export type Typing = {
  readonly key: string
  /** The first of them, `MAX_TYPISTS` at most, with the names as received. */
  readonly people: readonly { readonly id: UserId; readonly name: string }[]
  readonly assistant?: AssistantWork
}

/** Counts outside the channels. */
export type Inbox = {
  /**
   * Followed threads with something unread: the server's count (0 until received), less those unfollowed by hand, plus
   * those followed by hand without taking part. See docs/wire.md 7.9.
   */
  readonly unreadThreads: number
  /** Channels the viewer is invited to: as last received from the server, updated by events. */
  readonly invites: readonly ChannelInvite[]
}

/** The media tabs of a channel. */
export type MediaTabName = 'media' | 'files' | 'links' | 'polls'

/** Kinds that a media tab can be filtered by. */
export type MediaKind = 'image' | 'video' | 'audio' | 'file'

/** Filter of a media tab; all given conditions apply. `from` in epoch milliseconds. */
export type MediaFilter = {
  readonly userId?: UserId
  readonly kind?: MediaKind
  readonly minBytes?: number
  readonly from?: number
}

/** A count from the cache; `more`: at least this many. */
export type MediaCount = { readonly count: number; readonly more: boolean }

/** Creation and media counts of a channel. Times in epoch milliseconds. */
export type ChannelAbout = {
  readonly createdAt?: number
  readonly createdBy?: UserId
  readonly mediaTabs: Readonly<Record<MediaTabName, MediaCount>>
}

/** Messages of one media tab, newest first; each contains at least one item of that kind. */
export type MediaPage = {
  readonly messages: readonly Message[]
  /** Polls of these messages. */
  readonly polls: readonly Poll[]
  /** Absent: there are no older ones. */
  readonly next?: TimeCursor
  /** As in a search. */
  readonly server: SearchPage['server']
}

export type MemberEntry = {
  readonly userId: UserId
  /** `channel_member`, `channel_moderator` or a custom one. */
  readonly channelRole: string
  readonly joinedAt: number
  /** Absent: never, or not visible to the viewer. */
  readonly lastReadAt?: number
  readonly banned: boolean
  /** Can write, but only they see it. Visible to moderators; for others always false. */
  readonly shadowBanned: boolean
  /** Invited, and has not answered. */
  readonly invited: boolean
}

/** The cached members of a channel, unordered. */
export type MemberPage = {
  readonly entries: readonly MemberEntry[]
  /** The server's count; may exceed the cached members. */
  readonly total: number
  /** The channel's creator. */
  readonly ownerId?: UserId
  /** The last page of the server was full: there may be more. */
  readonly hasMore: boolean
  /** The server did not respond: only the people known on this device are listed. */
  readonly unanswered?: true
}

/** A channel that the viewer can see without being a member. */
export type ChannelCard = {
  readonly cid: Cid
  readonly name: string
  readonly topic?: string
  readonly memberCount: number
  readonly lastMessageAt?: number
  readonly createdAt?: number
}

export type BrowsePage = { readonly channels: readonly ChannelCard[]; readonly hasMore: boolean }
