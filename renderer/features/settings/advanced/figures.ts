import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'

type ConnectionSummary = {
  /** When the current state began; absent if it has not changed since the start. */
  readonly since?: number
  /** Number of reconnects since `from`. */
  readonly reconnects: number
  /** Longest time without a connection since `from`, in milliseconds; an ongoing gap counts until now. */
  readonly longestGapMs: number
}

/** Summarizes the connection's changes since `from` (epoch milliseconds). */
export function summarizeConnection(
  { transitions, at }: Pick<Diagnostics, 'transitions' | 'at'>,
  from: number,
): ConnectionSummary {
  let lostAt: number | undefined
  let wasHealthy = false
  let reconnects = 0
  let longestGapMs = 0
  const gapEnded = (end: number): void => {
    if (lostAt !== undefined && end >= from) longestGapMs = Math.max(longestGapMs, end - lostAt)
  }
  for (const transition of transitions) {
    if (transition.state === 'healthy') {
      if (lostAt !== undefined && transition.at >= from) reconnects += 1
      gapEnded(transition.at)
      lostAt = undefined
      wasHealthy = true
    } else if (wasHealthy) lostAt ??= transition.at
  }
  gapEnded(at)
  const since = sinceOf(transitions)
  return { reconnects, longestGapMs, since }
}

/** Time of the first of the latest changes with the same state. */
function sinceOf(transitions: Diagnostics['transitions']): number | undefined {
  const state = transitions.at(-1)?.state
  const other = transitions.findLastIndex((transition) => transition.state !== state)
  return transitions[other + 1]?.at
}

/** Time of the latest response, and the median of the operations' medians, weighted by their number of responses. */
export function summarizeResponses(
  calls: Diagnostics['calls'],
): { readonly lastAt: number; readonly medianMs: number } | undefined {
  const answered = calls.filter((call) => call.answered > 0)
  if (answered.length === 0) return undefined
  const half = answered.reduce((sum, call) => sum + call.answered, 0) / 2
  let seen = 0
  const middle = answered.toSorted((a, b) => a.p50Ms - b.p50Ms).find((call) => (seen += call.answered) >= half)
  return { lastAt: Math.max(...answered.map(({ lastAt }) => lastAt)), medianMs: middle?.p50Ms ?? 0 }
}
