import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'

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
  /** Links may be looked at. Absent: no. */
  readonly urlEnrichment?: boolean
  /** System messages leave the channel where it stands in the list. Absent: they move it up as all others do. */
  readonly systemKeepsPlace?: boolean
  readonly maxMessageLength: number
  readonly commands: readonly { readonly name: string; readonly args: string; readonly description: string }[]
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
  /** What the viewer writes to themselves; no one else is in it. */
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
  /** When the mute ends of itself, epoch milliseconds. Absent: it does not, or there is none. */
  readonly mutedUntil?: number
  /** The viewer is no member: looks in, or has left. Absent: is one. */
  readonly visiting?: true
  readonly pinnedAt?: number
  readonly archivedAt?: number
  /** Seconds between two messages of one person; 0 is off. */
  readonly cooldown: number
  readonly capabilities: readonly string[]
  readonly config: ChannelConfig
  readonly pinnedMessageCount: number
  /** Always counted by a query, never kept by adding. */
  readonly unread: number
  readonly unreadMentions: number
  readonly lastReadAt?: number
  readonly lastReadMessageId?: MessageId
  /** The first unread message; the unread line stands above it. Absent where one before it may be missing here. */
  readonly firstUnreadId?: MessageId
  /** Everything before this was cleared away, and by whom. */
  readonly truncatedAt?: number
  readonly truncatedBy?: UserId
  /** A draft waits here (shown as a pencil). */
  readonly hasDraft: boolean
  /** Unsent messages wait here. */
  readonly queuedCount: number
}

/** A channel that the viewer was asked into and has not answered yet. */
export type ChannelInvite = {
  readonly cid: Cid
  readonly name: string
  readonly topic?: string
  readonly memberCount: number
}

/** An invitation as it came, with who asked. */
export type InviteArrival = ChannelInvite & {
  /** Absent, with the name: the server does not say. */
  readonly byId?: UserId
  readonly by?: string
  /** The viewer has muted or blocked them. */
  readonly byMuted: boolean
}

/** How far other people have read in a channel: drives Seen and the small portraits. */
export type ChannelReads = {
  readonly cid: Cid
  readonly reads: readonly {
    readonly userId: UserId
    readonly lastReadAt: number
    readonly lastReadMessageId?: MessageId
    /** Up to when messages reached their computer, where the channel tells. */
    readonly deliveredAt?: number
  }[]
}

/** What an assistant is at, in a word of ours; `other` where it says so in words of its own. See docs/wire.md 4.9. */
export type AssistantWork = {
  readonly userId?: UserId
  /** As it was heard: the assistant may be no one who is held. */
  readonly name?: string
  readonly state: 'thinking' | 'checking' | 'generating' | 'error' | 'other'
  readonly words?: string
}

/** Who types where, and what an assistant is at there. Key is the cid, or `cid/parentId` for a thread. */
export type Typing = {
  readonly key: string
  /** The first of them, `TYPISTS_KEPT` at most, by the names they were heard with. */
  readonly people: readonly { readonly id: UserId; readonly name: string }[]
  readonly assistant?: AssistantWork
}
