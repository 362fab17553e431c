import type { PollId, UserId } from '#shared/lib/brand.ts'

export type PollOption = {
  readonly id: string
  readonly text: string
  readonly votes: number
  readonly own: boolean
  readonly voterIds: readonly UserId[]
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
  readonly voteCount: number
  readonly answersCount: number
  readonly createdBy: UserId
}
