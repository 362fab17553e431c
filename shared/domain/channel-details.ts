import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { Message } from './message.ts'
import type { Poll } from './poll.ts'
import type { SearchCursor, SearchPage } from './search.ts'

/** What a channel holds beside its words. */
export type MediaTabName = 'media' | 'files' | 'links' | 'polls'

/** Kinds of things that a shelf can be narrowed to. */
export type MediaKind = 'image' | 'video' | 'audio' | 'file'

/** What a shelf is narrowed to; everything given must hold. `from` in epoch milliseconds. */
export type MediaFilter = {
  readonly userId?: UserId | undefined
  readonly kind?: MediaKind | undefined
  readonly minBytes?: number | undefined
  readonly from?: number | undefined
}

/** How many there are, as far as this computer holds them; `more`: at least so many. */
export type MediaCount = { readonly count: number; readonly more: boolean }

/** What the details of a channel say about it. Times in epoch milliseconds. */
export type ChannelAbout = {
  readonly createdAt?: number
  readonly createdBy?: UserId
  readonly mediaTabs: Readonly<Record<MediaTabName, MediaCount>>
}

/** Messages of one shelf, newest first; each holds at least one thing of that kind. */
export type MediaPage = {
  readonly messages: readonly Message[]
  /** Polls of these messages. */
  readonly polls: readonly Poll[]
  /** Absent: there are no older ones. */
  readonly next?: SearchCursor
  /** As in a search. */
  readonly server: SearchPage['server']
}

export type MemberEntry = {
  readonly userId: UserId
  /** `channel_member`, `channel_moderator` or a custom one. */
  readonly channelRole: string
  readonly joinedAt: number
  /** Absent: never, or not told here. */
  readonly lastReadAt?: number
  readonly banned: boolean
  /** Writes on, but only they see it. Told to those who moderate; for others always false. */
  readonly shadowBanned: boolean
  /** Asked in, and has not answered. */
  readonly invited: boolean
}

/** Everyone of a channel that this computer knows of, in no order that matters. */
export type MemberPage = {
  readonly entries: readonly MemberEntry[]
  /** Source: the server's count; may be more than are known here. */
  readonly total: number
  /** The channel's creator. */
  readonly ownerId?: UserId
  /** The server had a full page: there may be more to ask for. */
  readonly hasMore: boolean
}

/** A channel that one may see without being in it. */
export type ChannelCard = {
  readonly cid: Cid
  readonly name: string
  readonly topic?: string
  readonly memberCount: number
  readonly lastMessageAt?: number
  readonly createdAt?: number
}

export type BrowsePage = { readonly channels: readonly ChannelCard[]; readonly hasMore: boolean }
