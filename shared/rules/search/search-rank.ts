/**
 * The order "Most relevant", in one place.
 *
 * A match counts by the `bm25` of the full-text index (rare words more than common ones, a short message more than a
 * long one), divided by that of the best match of the same account: bm25 depends on the statistics of one index, so
 * only relative values can be compared between accounts. The best match has 1.
 *
 * Recency pulls gently: a message of now counts half again as much as a very old one, one of a month ago a quarter
 * more. So an old message that matches clearly better stays above a new one, and of equal matches the newest is first.
 */
const PULL = 0.5
const HALVED_AFTER_MS = 30 * 24 * 3_600_000

/** How many matches are ranked, newest first; older ones of a very common word are not. */
export const RANKED_MATCHES = 10_000
/** How many of them are a list. */
export const RANKED_LIST = 200

type Match = {
  /** Higher is better; positive. `undefined` if the message is not indexed yet: then it counts as an average match. */
  readonly score?: number | undefined
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Matches with their rank, best first. `now` in epoch milliseconds. */
export function rankMatches<T extends Match>(matches: readonly T[], now: number): (T & { readonly rank: number })[] {
  const scores = matches.flatMap(({ score }) => score ?? [])
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  const average = scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length
  const relative = (score = average): number => (best === 0 ? 1 : score / best)
  return matches
    .map((match) => ({ ...match, rank: relative(match.score) * (1 + PULL * recency(now - match.createdAt)) }))
    .toSorted((a, b) => b.rank - a.rank || b.createdAt - a.createdAt)
}

/** 1 now, a half after a month, a third after two. */
const recency = (ageMs: number): number => 1 / (1 + Math.max(0, ageMs) / HALVED_AFTER_MS)
