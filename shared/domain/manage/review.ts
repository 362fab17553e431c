import type { Cid, MessageId, UserId } from '../../lib/brand.ts'
import type { Ban } from '../user.ts'

/** What a moderator can decide about an item of the review queue. `reopen`: it waits again. */
export const REVIEW_ACTIONS = ['approve', 'delete', 'delete-forever', 'restore', 'ban', 'unban', 'reopen'] as const
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

/** Why an item is in the queue: someone reported it, or a rule caught it. */
export type ReviewReport = {
  /** Absent: a rule. */
  readonly byId?: UserId
  readonly reason?: string
  /** What the rule found, or its name. */
  readonly rule?: string
  readonly at?: number
}

/** `other`: something that this version does not know. */
export type ReviewDecision = {
  readonly action: Exclude<ReviewAction, 'delete-forever'> | 'other'
  readonly byId?: UserId
  readonly at: number
}

/** A person's profile when it was reported. */
type ReportedProfile = {
  readonly name: string
  /** Reference of the picture; absent: there was none. */
  readonly picture?: string
  /** What is different now. */
  readonly changed: { readonly name: boolean; readonly picture: boolean }
}

/** A message or person that moderators look at. Times in epoch milliseconds on the server's clock. */
export type ReviewItem = {
  readonly id: string
  readonly subject: 'message' | 'person'
  /** The author of the message, or the person. */
  readonly authorId?: UserId
  readonly messageId?: MessageId
  /** The thread that the message is in. */
  readonly parentId?: MessageId
  readonly cid?: Cid
  readonly channelName?: string
  /** As its author wrote it. Empty for a person, and for what was deleted for good. */
  readonly text: string
  readonly fileCount: number
  /** Of a person; absent: the server did not record it. */
  readonly profile?: ReportedProfile
  /** Absent: it is as its author sent it. */
  readonly caught?: 'blocked' | 'hidden' | 'masked'
  readonly state: 'there' | 'deleted' | 'gone'
  readonly status: 'waiting' | 'decided'
  readonly reports: readonly ReviewReport[]
  /** Oldest first. */
  readonly decisions: readonly ReviewDecision[]
  readonly bans: readonly ListedBan[]
  readonly decidedById?: UserId
  readonly decidedAt?: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where, for how long and with what a person is banned. */
export type BanTerms = {
  readonly scope: 'channel' | 'everywhere'
  /** Absent: until someone removes the ban. */
  readonly minutes?: number
  readonly reason?: string
  readonly shadow?: boolean
  /** Their messages there are deleted too; `soft` ones can be restored one by one. */
  readonly messages?: 'soft' | 'pruning' | 'hard'
}

/** A decision that the server has not confirmed. */
export type PendingDecision = {
  /** Id of its intent in the outbox. */
  readonly id: string
  readonly itemId: string
  readonly action: ReviewAction
  readonly state: 'queued' | 'refused'
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
}

/** A message beside a reported one. */
export type ContextMessage = {
  readonly id: MessageId
  readonly userId: UserId
  readonly text: string
  readonly fileCount: number
  readonly at: number
  readonly isDeleted: boolean
}

/** Other messages with the text of a reported one, newest first. `where`: what was searched. */
export type SameText = {
  readonly where: 'server' | 'device'
  readonly copies: readonly {
    readonly id: MessageId
    readonly cid: Cid
    readonly parentId?: MessageId
    readonly channelName?: string
    readonly userId: UserId
    readonly text: string
    readonly at: number
    /** Its item in the queue; absent: it is not in it, or without a connection not known. */
    readonly itemId?: string
    readonly isDecided?: boolean
  }[]
}

/** A ban that began or ended. */
export type BanEvent = {
  readonly what: 'ban' | 'unban' | 'ended'
  readonly at: number
  readonly byId?: UserId
  /** Absent: in the whole workspace. */
  readonly cid?: Cid
  readonly channelName?: string
  readonly reason?: string
  /** How long it was to last; absent: until someone removed it. */
  readonly seconds?: number
  readonly shadow: boolean
}

/** What a moderator weighs about a person. Numbers are absent where the server does not count. */
export type ReviewedAuthor = {
  readonly userId: UserId
  readonly joinedAt?: number
  readonly role: string
  readonly isDeleted: boolean
  readonly messages?: number
  readonly deletedMessages?: number
  readonly reports?: number
  readonly reporters?: number
  readonly mutedBy?: number
  readonly bans: readonly ListedBan[]
  /** Bans so far, the newest first; absent where the server keeps no history. */
  readonly pastBans?: readonly BanEvent[]
  /** Newest first, 10 at most. */
  readonly earlier: readonly (ReviewDecision & {
    readonly itemId: string
    readonly cid?: Cid
    readonly channelName?: string
  })[]
}

/** One report, as moderators list them. */
export type FiledReport = {
  readonly id: string
  readonly byId?: UserId
  readonly reason?: string
  readonly at: number
  readonly authorId?: UserId
  readonly messageId?: MessageId
  readonly cid?: Cid
  readonly channelName?: string
  readonly text: string
  readonly isDecided: boolean
}

/** What became of a report that the viewer made. */
export type OwnReport = Omit<FiledReport, 'byId' | 'isDecided'> & {
  readonly outcome: 'waiting' | 'deleted' | 'acted' | 'none'
  readonly decidedAt?: number
}

/** A ban as a moderator sees it. */
export type ListedBan = Ban & {
  /** The channel; absent: the whole workspace. */
  readonly cid?: Cid
  /** Its name, which the viewer may not have otherwise. */
  readonly channelName?: string
  /** When it ended; absent: it is in force. */
  readonly endedAt?: number
  /** Who ended it; absent: its time was over, or the server does not say. */
  readonly endedById?: UserId
}

/** Who muted whom. Times in epoch milliseconds. */
export type ListedMute = {
  readonly userId: UserId
  readonly byId: UserId
  /** Absent where only the viewer's own mutes are known. */
  readonly since?: number
  /** Absent: until someone unmutes. */
  readonly until?: number
}

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
