/**
 * The content of a seed before it is written: plain data with relative times, so the same plan gives the same workspace
 * at any moment. `apply.ts` turns it into rows. Resource names are file names under `resources/demo/`.
 */
export type SeedPlan = {
  readonly people: readonly SeedPerson[]
  readonly channels: readonly SeedChannel[]
  /** In any order; written oldest first. Replies and quotes may only refer to older messages of the same channel. */
  readonly messages: readonly SeedMessage[]
  readonly polls: readonly SeedPoll[]
  /** How far each user has read. A member without an entry has read everything. */
  readonly reads: readonly SeedRead[]
  /** Channels that a user has muted, pinned to the top or archived. */
  readonly memberships?: readonly SeedMembership[]
  readonly emoji?: readonly SeedEmoji[]
}

/** A custom emoji; its picture is square. */
export type SeedEmoji = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly file: string
  /** Pixels per side. */
  readonly side: number
  readonly userId: string
}

export type SeedPerson = {
  readonly id: string
  readonly name: string
  /** Shown in the profile ("Product designer"). */
  readonly title?: string
  /** File name of a portrait. */
  readonly image?: string
  /** Language code of the messages of this user. */
  readonly language: string
  readonly bot?: boolean
  /** Application role; `user` by default. */
  readonly role?: 'user' | 'admin'
}

export type SeedChannel = {
  readonly type: 'messaging' | 'team'
  /** Omitted for direct messages: the contract derives their id from the members. */
  readonly id?: string
  /** The plan's name for a channel without an `id`, used in `cid` below; otherwise `cid` is `type:id`. */
  readonly alias?: string
  readonly name?: string
  readonly topic?: string
  readonly memberIds: readonly string[]
  readonly private?: boolean
  readonly createdBy: string
}

export type SeedAttachment = {
  /** File name of the resource; it is copied into the server's uploads. */
  readonly file: string
  readonly kind: 'image' | 'file' | 'audio' | 'video' | 'voiceRecording'
  readonly title: string
  readonly mimeType: string
  readonly width?: number
  readonly height?: number
  /** Seconds. */
  readonly duration?: number
}

export type SeedReaction = { readonly type: string; readonly userIds: readonly string[] }

export type SeedMessage = {
  readonly id: string
  /** `type:id`, or the alias of a channel without an id. */
  readonly cid: string
  readonly userId: string
  readonly text: string
  /** Minutes before now; fractions allowed. Written messages of one channel never share a timestamp. */
  readonly at: number
  readonly parentId?: string
  /** A reply that is also shown in the channel. */
  readonly showInChannel?: boolean
  readonly quotedId?: string
  readonly mentionedUserIds?: readonly string[]
  readonly attachments?: readonly SeedAttachment[]
  readonly pollId?: string
  readonly pinned?: boolean
  readonly silent?: boolean
  /** Minutes before now of the last edit. */
  readonly edited?: number
  readonly deleted?: boolean
  readonly system?: boolean
  readonly reactions?: readonly SeedReaction[]
}

export type SeedPoll = {
  readonly id: string
  readonly createdBy: string
  readonly name: string
  readonly description?: string
  readonly options: readonly { readonly id: string; readonly text: string; readonly votes?: readonly string[] }[]
  readonly enforceUniqueVote?: boolean
  readonly maxVotesAllowed?: number
  readonly allowAnswers?: boolean
  readonly answers?: readonly { readonly userId: string; readonly text: string }[]
  readonly anonymous?: boolean
  readonly closed?: boolean
}

export type SeedRead = {
  readonly cid: string
  readonly userId: string
  /** The newest read message; later ones are unread. Absent: nothing was read. */
  readonly atMessageId?: string
}

export type SeedMembership = {
  readonly cid: string
  readonly userId: string
  readonly muted?: boolean
  readonly pinned?: boolean
  readonly archived?: boolean
}

/** The largest number of minutes a plan may reach back: three weeks and a day. */
export const SEED_MAX_MINUTES = 22 * 24 * 60
