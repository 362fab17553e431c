/**
 * What a seed says, before it is written: plain data with no times of its own, so the same plan gives the same workspace
 * at any moment. `apply.ts` turns it into rows. Resource names are file names under `resources/demo/`.
 */
export type SeedPlan = {
  readonly people: readonly SeedPerson[]
  readonly channels: readonly SeedChannel[]
  /** Any order; written oldest first. A reply and a quote may only name an older message of the same channel. */
  readonly messages: readonly SeedMessage[]
  readonly polls: readonly SeedPoll[]
  /** How far each person has read. A member without an entry has read everything. */
  readonly reads: readonly SeedRead[]
  /** Channels a person has muted, pinned to the top or archived. */
  readonly memberships?: readonly SeedMembership[]
  readonly emoji?: readonly SeedEmoji[]
}

/** A custom emoji; its picture is square. */
export type SeedEmoji = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly file: string
  /** Pixels of a side. */
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
  /** Language code of the messages this person writes. */
  readonly language: string
  readonly bot?: boolean
  /** Application role; `user` unless said. */
  readonly role?: 'user' | 'admin'
}

export type SeedChannel = {
  readonly type: 'messaging' | 'team'
  /** Of a direct message: leave it out, the id follows from its members as the contract says. */
  readonly id?: string
  /** A name the plan uses for the channel in `cid` below when it has no `id`; otherwise `cid` is `type:id`. */
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
  /** Minutes before now; fractions allowed. Two messages of one channel never share an instant once written. */
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
  /** The newest message read; everything after it is unread. Absent: nothing was read. */
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
