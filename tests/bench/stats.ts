import { loadavg } from 'node:os'

type Met = 'stretch' | 'goal' | 'missed'

/** How a figure compares with its goal; with a load of 3 or more at that moment it is no verdict. */
export type Verdict = Met | `${Met}, on a busy machine`

export type Measured = {
  readonly median: number
  readonly p95?: number
  /** `median / limit`; of rates, a greater one is better. */
  readonly ratio?: number
  readonly verdict?: Verdict
}

/** One line of the report: what was measured, what it is compared with, and the result. */
export type Figure = Measured & {
  readonly name: string
  readonly unit: 'ms' | 'MiB' | 'per second' | 'µs CPU' | 'bytes' | 'KiB' | 'times' | '%'
  /** The floor or peer measured in the same run. */
  readonly limit?: { readonly name: string; readonly median: number }
  readonly note?: string
  /** The same in Electron, beside the limit that was measured there. */
  readonly electron?: Measured
}

/** What was measured here, each with what was measured in Electron under its name; of several, in their order. */
export function withElectron(here: readonly Figure[], there: readonly Figure[]): Figure[] {
  const left = [...there]
  return here.map((figure) => {
    const at = left.findIndex(({ name }) => name === figure.name)
    const [found] = at < 0 ? [] : left.splice(at, 1)
    if (found === undefined) return figure
    const { median, p95, ratio, verdict } = found
    return { ...figure, electron: { median, p95, ratio, verdict } }
  })
}

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export function figure(
  name: string,
  unit: Figure['unit'],
  values: readonly number[],
  more: { readonly limit?: { name: string; values: readonly number[] }; readonly note?: string } = {},
): Figure {
  const middle = median(values)
  const { limit, note } = more
  const limitMedian = limit && median(limit.values)
  return {
    name,
    unit,
    median: round(middle),
    p95: values.length >= 10 ? round(quantile(values, 0.95)) : undefined,
    ...(limit && limitMedian !== undefined
      ? {
          limit: { name: limit.name, median: round(limitMedian) },
          // Of no long task there are no multiples.
          ratio: limitMedian === 0 ? undefined : round(middle / limitMedian),
        }
      : {}),
    note,
  }
}

/** A verdict needs a quieter machine than this. */
const MAX_LOAD = 3

/** Less is better. */
export function verdict(value: number, goal: number, stretch: number): Verdict {
  const met = value <= stretch ? 'stretch' : value <= goal ? 'goal' : 'missed'
  return (loadavg()[0] ?? 0) < MAX_LOAD ? met : `${met}, on a busy machine`
}

type Growing = { readonly unit: Figure['unit']; readonly note?: string; readonly p95?: number }

/** What something costs in the larger size, in multiples of the smaller one. */
export function growthFigure(
  name: string,
  small: { readonly label: string; readonly value: number },
  large: { readonly label: string; readonly value: number },
  { unit, note, p95 }: Growing,
): Figure {
  const ratio = round(large.value / small.value)
  return {
    name: `${name}, ${large.label} messages`,
    unit,
    median: round(large.value),
    p95: p95 === undefined ? undefined : round(p95),
    limit: { name: `itself at ${small.label}`, median: round(small.value) },
    ratio,
    note: `${note === undefined ? '' : `${note}; `}goal: 2, stretch 1.3`,
    verdict: verdict(ratio, 2, 1.3),
  }
}

/** Three significant digits. */
export const round = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(3)) : value)
