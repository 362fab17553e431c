import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { Message } from './message.ts'
import type { Poll } from './poll.ts'
import type { TimeCursor, SearchPage } from './search.ts'

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
