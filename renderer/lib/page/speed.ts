/** What a person waits for, in the order in which it is listed. */
export const SPEED_KINDS = ['start', 'again', 'first', 'send', 'arrive', 'search'] as const
export type SpeedKind = (typeof SPEED_KINDS)[number]

/** Milliseconds that each may take, half of the time: docs/performance.md says where the numbers are from. */
export const SPEED_GOALS: Readonly<Record<SpeedKind, number>> = {
  start: 1_500,
  again: 100,
  first: 200,
  send: 50,
  arrive: 50,
  search: 200,
}

/** How many measurements of a kind are kept. */
const KEPT = 50
const KEY = 'parlor.speed'

type Measured = Readonly<Partial<Record<SpeedKind, readonly number[]>>>

/** The last measurements on this device, in milliseconds, oldest first. */
export function readSpeed(): Measured {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    const known = new Map<string, unknown>(Object.entries(found))
    return Object.fromEntries(SPEED_KINDS.map((kind) => [kind, numbersIn(known.get(kind))]))
  } catch {
    return {}
  }
}

const numbersIn = (found: unknown): number[] =>
  Array.isArray(found)
    ? found.filter((ms): ms is number => typeof ms === 'number' && Number.isFinite(ms) && ms >= 0).slice(-KEPT)
    : []

/** Keeps a measurement: a number and its kind, nothing about what was opened, written or found. */
export function keepSpeed(kind: SpeedKind, ms: number): void {
  const before = readSpeed()
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...before, [kind]: numbersIn([...(before[kind] ?? []), Math.round(ms)]) }),
    )
  } catch (reason) {
    console.debug('measurement not kept', reason)
  }
}

export function clearSpeed(): void {
  try {
    localStorage.removeItem(KEY)
  } catch (reason) {
    console.debug('measurements not cleared', reason)
  }
}

type SpeedSummary = { readonly count: number; readonly medianMs: number; readonly slowestMs: number }

/** The middle and the slowest of some measurements; nothing of none. */
export function summarizeSpeed(times: readonly number[]): SpeedSummary | undefined {
  const sorted = times.toSorted((a, b) => a - b)
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  const slowestMs = sorted.at(-1)
  if (below === undefined || above === undefined || slowestMs === undefined) return undefined
  return { count: sorted.length, medianMs: (below + above) / 2, slowestMs }
}
