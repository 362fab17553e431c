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
  /** What the viewer gave, 1 to `REACTION_SCORE_LIMIT`; absent where they gave none, or newer reactions than theirs are all that is known. */
  readonly ownScore?: number
  /** Newest reactors known, at most ten. */
  readonly userIds: readonly UserId[]
}
