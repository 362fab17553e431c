import type { Cid, MessageId, UserId } from '../lib/brand.ts'
import type { Attachment } from './attachment.ts'

/** What matters since a moment, in the order in which it is shown. A message is in the first group that it fits. */
export const CATCH_UP_GROUPS = ['forYou', 'decisions', 'polls', 'files', 'threads', 'popular'] as const
export type CatchUpGroup = (typeof CATCH_UP_GROUPS)[number]

/** Why a message is listed. */
export type CatchUpReason =
  | 'mention'
  | 'keyword'
  | 'direct'
  | 'reaction'
  | 'pinned'
  | 'agreed'
  | 'poll'
  | 'files'
  | 'thread'
  | 'popular'

export type CatchUpItem = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** Set for a reply that is only in its thread, and for a thread: the message that it belongs to. */
  readonly parentId?: MessageId
  readonly group: CatchUpGroup
  readonly reason: CatchUpReason
  readonly userId: UserId
  /** Who reacted, pinned, agreed or replied, the latest first. */
  readonly others: readonly UserId[]
  readonly text: string
  /** When it happened: the message, its newest reaction or reply, or its pin. */
  readonly at: number
  readonly unread: boolean
  readonly files: readonly Attachment[]
  /** Types of the reactions, the most frequent first. */
  readonly reactions: readonly { readonly type: string; readonly count: number }[]
  /** Replies of others since then; 0 for everything but threads. */
  readonly replies: number
  /** The first unread one of them, or the first of all. */
  readonly firstReplyId?: MessageId
  readonly poll?: { readonly name: string; readonly votes: number; readonly closesAt?: number }
}

/** A channel whose cached messages begin later than asked for, or end too early. */
export type CatchUpShort = {
  readonly cid: Cid
  /** Its oldest cached message without a gap to the newest one; absent: the newest ones are not cached. */
  readonly from?: number
}

export type CatchUpPage = {
  readonly items: readonly CatchUpItem[]
  /** Groups with more than fit. */
  readonly cut: readonly CatchUpGroup[]
  /** Messages of others since then, in channels that are not muted. */
  readonly total: number
  /** Messages of others for each part of the slider. */
  readonly bars: readonly number[]
  readonly short: readonly CatchUpShort[]
  /** Up to when the cache is complete, without a connection: epoch milliseconds of the server. */
  readonly asOf?: number
}
