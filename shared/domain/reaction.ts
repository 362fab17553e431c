import type { UserId } from '#shared/lib/brand.ts'

/** All reactions of one type on one message. Order on screen is by `firstAt`. */
export type ReactionGroup = {
  readonly type: string
  readonly count: number
  readonly sumScores: number
  readonly firstAt: number
  readonly lastAt: number
  /** The viewer has one of these. */
  readonly own: boolean
  /**
   * The viewer's score, 1 to `REACTION_SCORE_LIMIT`; absent without a reaction of theirs, or if only newer reactions
   * are known.
   */
  readonly ownScore?: number
  /** Newest reactors known, at most ten. */
  readonly userIds: readonly UserId[]
}
