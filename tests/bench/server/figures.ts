import type { Runs, ServerHost } from '../hosts/host.ts'
import { growthFigure, median, quantile, round, verdict, type Figure } from '../stats.ts'
import { inTurn } from '../turns.ts'
import { measureCalls } from './calls.ts'
import { bareSide, burst, frameOf, ourSide, paced, type Burst, type Side } from './fan-out.ts'
import { measureGrowth, type Cost } from './growth.ts'

/**
 * What the local server can do, compared with a bare websocket broadcast of the same bytes and with itself at other
 * sizes. Ratios of one run, with the two sides in turn.
 */
type ServerRuns = Runs<ServerHost>

/** Measured earlier on a machine of this class: what ejabberd needs for a delivery, in bare `ws.send`s. */
const EJABBERD = {
  100: { cpu: 52 / 3.57, p50: 3.64 / 1.62, p99: 5.49 / 3.93 },
  1_000: { cpu: 42 / 3.87, p50: 19.5 / 6.3, p99: 44 / 12.9 },
} as const

type Receivers = keyof typeof EJABBERD

/** All of the following. Figures are reported as they are measured: an interrupted run has those. */
export async function* measureServer(options: ServerRuns): AsyncGenerator<Figure[]> {
  yield* measureFanOut(options)
  yield* measureSizes(options)
  yield await measureCalls(options.runs, options.host)
}

export async function* measureFanOut({ runs, log, host }: ServerRuns): AsyncGenerator<Figure[]> {
  for (const receivers of [100, 1_000] as const) {
    log(`${receivers} receivers …`)
    yield* fanOut(receivers, runs, host)
  }
}

export async function* measureSizes(options: ServerRuns): AsyncGenerator<Figure[]> {
  for await (const costs of measureGrowth(options)) yield growthFigures(costs)
}

async function* fanOut(receivers: Receivers, runs: number, host: ServerHost): AsyncGenerator<Figure[]> {
  const sides: Side[] = []
  try {
    const ours = await ourSide(receivers, host)
    sides.push(ours)
    const frame = await frameOf(ours)
    const each = await bareSide(receivers, frame, 'each')
    const joined = await bareSide(receivers, frame, 'joined')
    sides.push(each, joined)
    const bursts = await inTurn(runs, sides, (side) => burst(side, receivers === 100 ? 200 : 40))
    const note = `1 x ${receivers}, ${Buffer.byteLength(frame)} bytes, ${runs} rounds in turn`
    yield burstFigures(receivers, bursts, sides, note)
    const waits = await inTurn(runs, [ours, each], (side) =>
      receivers === 100 ? paced(side, 20, 50) : paced(side, 5, 200),
    )
    yield waitFigures(receivers, waits, [ours, each], note)
  } finally {
    for (const side of sides) await side.stop()
  }
}

/** The median of the rounds' own ratios: what disturbs a round disturbs both sides of it. */
const ratioOf = (ours: readonly number[], limit: readonly number[]): number =>
  round(median(ours.map((value, turn) => value / (limit[turn] ?? Number.NaN))))

function burstFigures(
  receivers: Receivers,
  bursts: ReadonlyMap<Side, Burst[]>,
  [ours, each, joined]: readonly Side[],
  note: string,
): Figure[] {
  const of = (side: Side | undefined, pick: (one: Burst) => number) => (side ? (bursts.get(side) ?? []) : []).map(pick)
  const cpu = (one: Burst) => one.cpuMicros
  const rate = (one: Burst) => one.perSecond
  const cpuRatio = ratioOf(of(ours, cpu), of(each, cpu))
  const joinedRatio = ratioOf(of(ours, rate), of(joined, rate))
  const ejabberd = cpuRatio / EJABBERD[receivers].cpu
  return [
    {
      name: `server: processor time of a delivery, 1 x ${receivers}, stored`,
      unit: 'µs CPU',
      median: round(median(of(ours, cpu))),
      limit: { name: 'bare ws.send to each, nothing stored', median: round(median(of(each, cpu))) },
      ratio: cpuRatio,
      note: `${note}; goal: 2, stretch 0.6`,
      verdict: verdict(cpuRatio, 2, 0.6),
    },
    {
      name: `server: the same against ejabberd, by way of bare ws`,
      unit: 'times',
      median: round(ejabberd),
      note: `ejabberd was measured before, not here; goal: 0.2, stretch 0.05`,
      verdict: verdict(ejabberd, 0.2, 0.05),
    },
    {
      name: `server: deliveries a second, 1 x ${receivers}, stored`,
      unit: 'per second',
      median: round(median(of(ours, rate))),
      limit: { name: 'bare, frames joined for each turn', median: round(median(of(joined, rate))) },
      ratio: joinedRatio,
      note: `against ws.send to each ${ratioOf(of(ours, rate), of(each, rate))}; goal: stretch 0.6 of joined`,
      verdict: verdict(1 / joinedRatio, Number.POSITIVE_INFINITY, 1 / 0.6),
    },
  ]
}

function waitFigures(
  receivers: Receivers,
  waits: ReadonlyMap<Side, number[][]>,
  [ours, each]: readonly Side[],
  note: string,
): Figure[] {
  const of = (side: Side | undefined, share: number) =>
    (side ? (waits.get(side) ?? []) : []).map((round) => quantile(round, share))
  const pace = receivers === 100 ? '20 a second' : '5 a second'
  return (['p50', 'p99'] as const).map((name) => {
    const share = name === 'p50' ? 0.5 : 0.99
    const ratio = ratioOf(of(ours, share), of(each, share))
    const peer = EJABBERD[receivers][name]
    const stretch = name === 'p50' ? 1.5 : 0.6 * peer
    return {
      name: `server: send to each receiver, ${name}, 1 x ${receivers}, ${pace}`,
      unit: 'ms',
      median: round(median(of(ours, share))),
      limit: { name: 'bare ws.send to each, nothing stored', median: round(median(of(each, share))) },
      ratio,
      note: `${note}; goal: ${round(0.8 * peer)} (0.8 of ejabberd by way of bare ws), stretch ${round(stretch)}`,
      verdict: verdict(ratio, 0.8 * peer, stretch),
    }
  })
}

/** The cost of each operation at the larger sizes, in multiples of the smallest. Goal: 2. */
function growthFigures(costs: readonly Cost[]): Figure[] {
  const byOperation = Map.groupBy(costs, (cost) => cost.operation)
  return [...byOperation].flatMap(([operation, [small, ...larger]]) => {
    if (!small) return []
    return larger.map((cost) => {
      const note = `answered in ${round(cost.ms)} ms against ${round(small.ms)}`
      return growthFigure(`server: ${operation}`, pointOf(small), pointOf(cost), { unit: 'µs CPU', note })
    })
  })
}

const pointOf = ({ size, cpuMicros }: Cost) => ({ label: size, value: cpuMicros })
