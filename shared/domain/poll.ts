import type { Cid, MessageId, PollId, UserId } from '#shared/lib/brand.ts'

export type PollOption = {
  readonly id: string
  readonly text: string
  readonly votes: number
  readonly own: boolean
  readonly voterIds: readonly UserId[]
  /** Who suggested it; absent for the creator's options. */
  readonly suggestedBy?: UserId
}

/** A change of a poll since it was first cached. `at` is epoch milliseconds of the server. */
export type PollChange =
  | {
      readonly what: 'question' | 'description' | 'option'
      readonly at: number
      readonly before: string
      readonly after: string
    }
  | { readonly what: 'removed'; readonly at: number; readonly before: string }

/** Changes by the creator of a poll that already has votes. */
export type PollEdit = {
  readonly name?: string
  readonly description?: string
  readonly renamed: readonly { readonly id: string; readonly text: string }[]
  /** Options merged into others, with their votes. */
  readonly merged: readonly { readonly id: string; readonly into: string }[]
  /** Options removed, with their votes. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** A text answer; without a person in an anonymous poll. */
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

/** A poll before it is created on the server. */
export type PollDefinition = {
  readonly name: string
  readonly description: string
  /** Must be distinct. */
  readonly options: readonly string[]
  readonly enforceUniqueVote: boolean
  /** 2 to 10, only without a unique vote; absent without a limit. */
  readonly maxVotes?: number
  readonly anonymous: boolean
  readonly allowSuggestions: boolean
  readonly allowAnswers: boolean
  /** When it closes automatically, epoch milliseconds of the server. Absent: only by hand. */
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
  /**
   * When it closes automatically, epoch milliseconds of the server: closed from that time, whatever the server reports.
   */
  readonly closesAt?: number
  readonly voteCount: number
  readonly answersCount: number
  /** People can write answers, or suggest options. Absent: no. */
  readonly allowAnswers?: boolean
  readonly allowSuggestions?: boolean
  /** Newest answers known, newest first. */
  readonly answers?: readonly PollAnswer[]
  /** The viewer's text answer. */
  readonly ownAnswer?: string
  readonly createdBy: UserId
  /** Newest first. */
  readonly changes?: readonly PollChange[]
}

/** Parts of the register of polls: those that wait for the viewer's vote, all that are open, and closed ones. */
export const POLL_VIEWS = ['unvoted', 'open', 'closed'] as const
export type PollView = (typeof POLL_VIEWS)[number]

/** A poll in the register, and its message. */
export type ListedPoll = {
  readonly messageId: MessageId
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly createdAt: number
  readonly poll: Poll
}

/** A poll while it is being edited. Options end with an empty one to type into, up to the maximum. */
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
  /** The day (`2026-11-24`) and time (`09:30`) at which it closes automatically, as field values. */
  readonly closes?: { readonly date: string; readonly time: string }
}

/** `id` is stable while the option is moved. */
export type PollFormOption = { readonly id: number; readonly text: string }
