import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'

type Line = {
  /** When the state that holds now began; absent where nothing has changed since the start. */
  readonly since?: number
  /** How often the connection came back since `from`. */
  readonly reconnects: number
  /** Milliseconds of the longest time without one since `from`; a gap that lasts counts until now. */
  readonly longestGapMs: number
}

/** What the changes of the connection add up to since a time (epoch milliseconds). */
export function readLine({ transitions, at }: Pick<Diagnostics, 'transitions' | 'at'>, from: number): Line {
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
  return { reconnects, longestGapMs, ...(since === undefined ? {} : { since }) }
}

/** The first of the last changes that all say the same state. */
function sinceOf(transitions: Diagnostics['transitions']): number | undefined {
  const state = transitions.at(-1)?.state
  const other = transitions.findLastIndex((transition) => transition.state !== state)
  return transitions[other + 1]?.at
}

/** The last answer of all calls, and the half of them that was quick: the middle of the middles, weighed by answers. */
export function readAnswers(
  calls: Diagnostics['calls'],
): { readonly lastAt: number; readonly medianMs: number } | undefined {
  const answered = calls.filter((call) => call.answered > 0)
  if (answered.length === 0) return undefined
  const half = answered.reduce((sum, call) => sum + call.answered, 0) / 2
  let seen = 0
  const middle = answered.toSorted((a, b) => a.p50Ms - b.p50Ms).find((call) => (seen += call.answered) >= half)
  return { lastAt: Math.max(...answered.map(({ lastAt }) => lastAt)), medianMs: middle?.p50Ms ?? 0 }
}
