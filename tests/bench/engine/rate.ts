import { seededIds } from '#kit/seeded-ids.ts'
import { bareBatchInsert, bareParse } from '../limits.ts'
import { createRig, type Rig } from '../rig.ts'
import type { SeedSize } from '../seeds.ts'
import { quantile, round, type Figure } from '../stats.ts'
import { newMessageFrames, SEED_NOW } from '../wire.ts'

const BATCH = 500

/** `turns`: milliseconds of each. */
type Rate = { readonly perSecond: number; readonly cpuMicros: number; readonly turns: readonly number[] }

/**
 * Live events from their text to what a window receives, stored: one a turn, 500 a turn, and one a turn into the open
 * channel. Wall time and processor time: on a busy machine only the second is meaningful.
 */
export async function measureRates(size: SeedSize, count: number): Promise<Figure[]> {
  const rig = await createRig(size)
  const ids = seededIds(3)
  const all = size.messages.map((_, index) => index)
  let at = SEED_NOW
  const frames = (label: string, many: number, channels: readonly number[]): string[] => {
    at += 1e6
    return newMessageFrames(label, many, channels, at, () => ids.random())
  }
  try {
    notified(rig, frames('warm', 2 * BATCH, all), BATCH)
    const single = notified(rig, frames('single', count, all), 1)
    const batched = frames('batch', 4 * count, all)
    const batch = notified(rig, batched, BATCH)
    const open = notified(rig, frames('open', Math.min(count, 500), [0]), 1)
    const parse = bareParse(batched)
    const insert = bareBatchInsert(batched)
    return [
      rateFigure(size, 'one a turn', single, 'JSON.parse alone', parse),
      rateFigure(size, `${BATCH} a turn`, batch, 'JSON.parse alone', parse),
      rateFigure(size, `${BATCH} a turn, again`, batch, 'bare batch insert', insert),
      rateFigure(size, 'one a turn, open channel', open, 'JSON.parse alone', parse),
      tailFigure(size, 'one a turn', single),
      tailFigure(size, 'one a turn, open channel', open),
    ]
  } finally {
    await rig.stop()
  }
}

function notified(rig: Rig, frames: readonly string[], atOnce: number): Rate {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const turns: number[] = []
  for (let from = 0; from < frames.length; from += atOnce) {
    const turnAt = performance.now()
    rig.receive(frames.slice(from, from + atOnce))
    turns.push(performance.now() - turnAt)
  }
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  rig.takeChanges()
  return { perSecond: (frames.length / ms) * 1_000, cpuMicros: (user + system) / frames.length, turns }
}

function rateFigure(size: SeedSize, how: string, rate: Rate, limitName: string, limit: number): Figure {
  return {
    name: `events applied, ${how} (seed ${size.name})`,
    unit: 'per second',
    median: round(rate.perSecond),
    limit: { name: limitName, median: round(limit) },
    ratio: round(rate.perSecond / limit),
    note: `${Math.round(rate.cpuMicros)} µs of processor time each`,
  }
}

/** The 99th percentile of one event. */
function tailFigure(size: SeedSize, how: string, { turns }: Rate): Figure {
  return {
    name: `an event applied, ${how}, p99 (seed ${size.name})`,
    unit: 'ms',
    median: round(quantile(turns, 0.99)),
    limit: { name: 'the middle one', median: round(quantile(turns, 0.5)) },
    ratio: round(quantile(turns, 0.99) / quantile(turns, 0.5)),
  }
}
