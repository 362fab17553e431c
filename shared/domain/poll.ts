import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'

export type PollOption = {
  readonly id: string
  readonly text: string
  readonly votes: number
  readonly own: boolean
  readonly voterIds: readonly UserId[]
  /** Who suggested it; absent for the poll's own. */
  readonly suggestedBy?: UserId
}

/** What was changed in a poll since this computer first held it. `at` is epoch milliseconds of the server. */
export type PollChange =
  | {
      readonly what: 'question' | 'description' | 'option'
      readonly at: number
      readonly before: string
      readonly after: string
    }
  | { readonly what: 'removed'; readonly at: number; readonly before: string }

/** What its creator changes in a poll that people vote in already. */
export type PollEdit = {
  readonly name?: string
  readonly description?: string
  readonly renamed: readonly { readonly id: string; readonly text: string }[]
  /** Options that become part of others, with their votes. */
  readonly merged: readonly { readonly id: string; readonly into: string }[]
  /** Options that leave, with their votes. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** An answer in words; without a person in an anonymous poll. */
export type PollAnswer = {
  readonly id: string
  readonly text: string
  readonly userId?: UserId
  readonly createdAt: number
}

export type PollAnswersPage = { readonly answers: readonly PollAnswer[]; readonly next?: string }

/** Who chose an option, and when. */
export type PollVoter = { readonly id: string; readonly userId: UserId; readonly votedAt: number }

export type PollVotersPage = { readonly voters: readonly PollVoter[]; readonly next?: string }

/** Members without a vote: at most a hundred of them, and how many there are. */
export type NonVoters = { readonly userIds: readonly UserId[]; readonly total: number }

/** A poll that can still be voted in, and the message it stands in. */
export type OpenPoll = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly name: string
  readonly createdBy: UserId
  readonly createdAt: number
  readonly voteCount: number
  readonly closesAt?: number
}

/** What someone wants to ask, before the server has it. */
export type PollDefinition = {
  readonly name: string
  readonly description: string
  /** Texts that differ. */
  readonly options: readonly string[]
  readonly enforceUniqueVote: boolean
  /** 2 to 10, only without a unique vote; absent without a limit. */
  readonly maxVotes?: number
  readonly anonymous: boolean
  readonly allowSuggestions: boolean
  readonly allowAnswers: boolean
  /** When it closes by itself, epoch milliseconds of the server. Absent: when someone closes it. */
  readonly closesAt?: number
}

/** A poll as the viewer sees it. */
export type Poll = {
  readonly id: PollId
  readonly name: string
  readonly description: string
  readonly options: readonly PollOption[]
  readonly enforceUniqueVote: boolean
  /** 2 to 10, absent without a limit. */
  readonly maxVotes?: number
  readonly anonymous: boolean
  readonly closed: boolean
  /** When it closes by itself, epoch milliseconds of the server: over at that time, whatever the server says. */
  readonly closesAt?: number
  readonly voteCount: number
  readonly answersCount: number
  /** People may answer in words, or suggest options. Absent: no. */
  readonly allowAnswers?: boolean
  readonly allowSuggestions?: boolean
  /** Newest answers known, newest first. */
  readonly answers?: readonly PollAnswer[]
  /** The viewer's own answer in words. */
  readonly ownAnswer?: string
  readonly createdBy: UserId
  /** Newest first. */
  readonly changes?: readonly PollChange[]
}

/** A poll as it is being written. Options end with an empty one to type into, until there are as many as may be. */
export type PollForm = {
  readonly name: string
  readonly description: string
  readonly options: readonly PollFormOption[]
  readonly enforceUniqueVote: boolean
  /** As typed; empty without a limit. */
  readonly maxVotes: string
  readonly anonymous: boolean
  readonly allowSuggestions: boolean
  readonly allowAnswers: boolean
  /** The day (`2026-11-24`) and time (`09:30`) at which it closes by itself, as fields hold them. */
  readonly closes?: { readonly date: string; readonly time: string }
}

/** `id` stays with the option while it is moved about. */
export type PollFormOption = { readonly id: number; readonly text: string }
