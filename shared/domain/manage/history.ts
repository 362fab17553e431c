import type { Cid, MessageId, UserId } from '../../lib/brand.ts'

/** One value that an action changed; see {@link HistoryEntry}. */
export type HistoryChange = { readonly field: string; readonly from?: string; readonly to?: string }

/** What a moderator or an administrator did. */
export type HistoryEntry = {
  readonly id: string
  readonly at: number
  /** As the server names it, such as `user.ban`. */
  readonly action: string
  /** Absent: the server itself, or a program with the server token. */
  readonly byId?: UserId
  readonly targetId?: UserId
  readonly cid?: Cid
  readonly channelName?: string
  readonly messageId?: MessageId
  /** The name of what was changed: a channel type, a role, a rule. */
  readonly subject?: string
  readonly reason?: string
  readonly changes: readonly HistoryChange[]
  /** How, such as `hard` for a deletion, or the decision about a reported item. */
  readonly how?: string
  readonly seconds?: number
  /** How it can be reversed now, if it can. */
  readonly undo?: 'unban' | 'restore'
}

export type HistoryFilter = {
  readonly byId?: UserId
  readonly targetId?: UserId
  readonly cid?: Cid
  readonly messageId?: MessageId
  /** As the server names them; absent: all. */
  readonly actions?: readonly string[]
  /** Epoch milliseconds. */
  readonly from?: number
}

/** One version of a message. */
export type MessageVersion = { readonly at: number; readonly byId: UserId; readonly text: string }
