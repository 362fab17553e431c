import type { AttachmentKind } from './attachment.ts'
import type { Channel } from './channel.ts'
import type { User } from './user.ts'
import type { Cid, MessageId, UserId } from '../lib/brand.ts'

/** A part of a message with matches, cut for a list. Plain text, never markup. */
export type SearchPart = {
  readonly kind: 'text' | 'attachment' | 'poll' | 'poll-description' | 'poll-option'
  /** Index of the attachment in the message, or of the option in the poll; 0 otherwise. */
  readonly index: number
  /** At most about 240 characters, line breaks as spaces. */
  readonly excerpt: string
  /** Matches in `excerpt`: UTF-16 offsets, end exclusive, ascending and disjoint. */
  readonly marks: readonly (readonly [start: number, end: number])[]
  /** Whether the text continues before or after the excerpt. */
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

export type SearchHit = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly userId: UserId
  /** Set for a reply: open it in its thread. */
  readonly parentId?: MessageId
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** As {@link Message.timeUnsure}. */
  readonly timeUnsure?: boolean
  readonly edited: boolean
  readonly pinned: boolean
  readonly replyCount: number
  readonly attachmentKinds: readonly AttachmentKind[]
  /** The message's text first if it has any, then every other part with a match. */
  readonly parts: readonly SearchPart[]
  /** The server added it to the answers to this question: it was not on this device before. */
  readonly fromServer?: true
  /** Relevance, higher first, comparable between accounts; absent in the order by time. */
  readonly rank?: number
}

/** `relevance`: defined in `main/cache/search/query.ts`. */
export const SEARCH_ORDERS = ['newest', 'relevance'] as const
export type SearchOrder = (typeof SEARCH_ORDERS)[number]

/** Opaque end of a page in the order of time. */
export type TimeCursor = { readonly createdAt: number; readonly id: string }

/** Opaque end of a page: of an order by time, or of a list by relevance. */
export type SearchCursor = TimeCursor | { readonly list: number; readonly from: number }

/** A hint about a range of the query: UTF-16 offsets, end exclusive. */
export type SearchNote = {
  readonly start: number
  readonly end: number
  /**
   * `search/unknown-value`, `search/unknown-date`: treated as text. `search/nobody`: no person or channel has that
   * name.
   */
  readonly code: 'search/unknown-value' | 'search/unknown-date' | 'search/nobody'
}

export type SearchPage = {
  /** In the requested order; no message twice, whether found by the cache or the server. */
  readonly hits: readonly SearchHit[]
  /** Absent: there are no others. */
  readonly next?: SearchCursor
  /** Authors of the hits, and the people of their direct conversations. */
  readonly people: readonly User[]
  /** Channels of the hits. */
  readonly channels: readonly Channel[]
  readonly notes: readonly SearchNote[]
  /** Older cached messages are still being indexed: results may be incomplete. */
  readonly indexing: boolean
  /**
   * `asked`: the server's results are included. `unreachable`: the server could not be queried, the hits are from the
   * cache. `not-asked`: not requested.
   */
  readonly server: 'asked' | 'unreachable' | 'not-asked'
  /** If `unreachable`: epoch milliseconds up to which this device knows everything, once it has been connected. */
  readonly knownUntil?: number
  /** Whether messages with files match too; only with the first page. */
  readonly files?: boolean
}

/** A message of the viewer that others reacted to. */
export type ReactedMessage = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  /** Epoch milliseconds of the newest reaction; also the cursor of the next page. */
  readonly at: number
  /** The newest reactions of others, newest first. */
  readonly reactions: readonly { readonly type: string; readonly userId: UserId; readonly createdAt: number }[]
}

/** People and channels by name, best first. */
export type NamesFound = {
  readonly people: readonly User[]
  readonly channels: readonly Channel[]
  /** How many match, beyond the limit too. */
  readonly total: { readonly people: number; readonly channels: number }
}

/** How many of the last messages of others contain one of some keywords. */
export type KeywordCount = { readonly matched: number; readonly of: number }

/** Disk usage of the cache. */
export type StorageUse = {
  /** Bytes in use in the cache's file, without free pages. */
  readonly usedBytes: number
  readonly messages: number
  /** Time of the oldest cached message. */
  readonly oldestAt?: number
}

/** A search query saved under a name. */
export type SavedSearch = {
  /** Unique, ignoring case and accents (`fold`). */
  readonly name: string
  /** Text of the field, without the filters. */
  readonly text: string
  /** Filters as they were typed: `from:ola`. */
  readonly chips: readonly string[]
  /** Only in this channel. */
  readonly cid?: Cid
  /** The selected kind of results. */
  readonly tab: 'messages' | 'files' | 'channels' | 'people'
}

/** Maximum per person and workspace, and maximum length of a name. */
export const MAX_SAVED_SEARCHES = 50
export const SEARCH_NAME_LENGTH = 80
