import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'

/** A part of a message in which words were found, cut to what a list shows. Plain text, never markup. */
export type SearchPart = {
  readonly kind: 'text' | 'attachment' | 'poll' | 'poll-description' | 'poll-option'
  /** Place of the attachment in the message, or of the option in the poll; 0 otherwise. */
  readonly index: number
  /** At most about 240 characters, line breaks as spaces. */
  readonly excerpt: string
  /** Stretches of `excerpt` to emphasise: UTF-16 offsets, end not included, ascending and apart. */
  readonly marks: readonly (readonly [start: number, end: number])[]
  /** The text goes on before or after the excerpt. */
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
  /** The message's text first when it has any, then every other part in which something was found. */
  readonly parts: readonly SearchPart[]
}

/** Where a page ended. Given back as it is. */
export type SearchCursor = { readonly createdAt: number; readonly id: string }

/** A stretch of what was typed: UTF-16 offsets, end not included. */
export type SearchNote = {
  readonly start: number
  readonly end: number
  /** `search/unknown-value`, `search/unknown-date`: read as words. `search/no one`: no one and nothing is called that. */
  readonly code: 'search/unknown-value' | 'search/unknown-date' | 'search/nobody'
}

export type SearchPage = {
  /** Newest first, by time and id; no message twice, anyone who found it. */
  readonly hits: readonly SearchHit[]
  /** Absent: there are no older ones. */
  readonly next?: SearchCursor
  /** Authors of the hits. */
  readonly people: readonly User[]
  /** Channels of the hits. */
  readonly channels: readonly Channel[]
  readonly notes: readonly SearchNote[]
  /** Messages held before are still being read into the index: older ones may be missing. */
  readonly indexing: boolean
  /**
   * `asked`: what the server found is among the hits. `unreachable`: it was to be asked and could not be, the hits are
   * those of this computer. `not-asked`: no one wanted it.
   */
  readonly server: 'asked' | 'unreachable' | 'not-asked'
}

/** A message of the viewer's that others reacted to. */
export type ReactedMessage = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  /** Epoch milliseconds of the newest reaction; a page goes on from here. */
  readonly at: number
  /** The newest reactions of others, newest first. */
  readonly reactions: readonly { readonly type: string; readonly userId: UserId; readonly createdAt: number }[]
}

/** People and channels by name, best first. */
export type NamesFound = { readonly people: readonly User[]; readonly channels: readonly Channel[] }

/** Of the last messages of others, how many have one of some words. */
export type KeywordCount = { readonly matched: number; readonly of: number }

/** What the cache takes on the disk. */
export type StorageUse = {
  /** Bytes in use in the cache's file; free room in it is not counted. */
  readonly usedBytes: number
  readonly messages: number
  /** Time of the oldest message held. */
  readonly oldestAt?: number
}
