import { deserialize, serialize } from 'node:v8'
import { seededIds } from '#kit/seeded-ids.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { mergeChangeSets } from '#shared/rules/server/changes.ts'
import { createRig } from './rig.ts'
import type { SeedSize } from './seeds.ts'
import { median, round, type Figure } from './stats.ts'
import { newMessageFrames, SEED_NOW } from './wire.ts'

/** Events in one frame of the screen: 60, 500 and 2,000 a second. */
const IN_A_FRAME = [1, 8, 32]
const EVENTS = 960
const REPEATS = 9

type Sent = string | Buffer
/** JSON for pages, the structured clone for Electron. */
const WAYS = [
  { how: 'JSON', write: (set: ChangeSet): Sent => JSON.stringify(set), read: (sent: Sent) => JSON.parse(String(sent)) },
  {
    how: 'structured clone',
    write: (set: ChangeSet): Sent => serialize(set),
    read: (sent: Sent) => deserialize(sent as Buffer),
  },
] as const

/**
 * What a window is sent for messages in the channel it shows: each change-set as it comes, beside all of a frame of the
 * screen merged first. Both sides end with one change-set for each frame.
 */
export async function measurePushes(size: SeedSize): Promise<Figure[]> {
  const rig = await createRig(size)
  const ids = seededIds(5)
  const changes: ChangeSet[] = []
  for (const frame of newMessageFrames('push', EVENTS, [0], SEED_NOW + 1e7, () => ids.random())) {
    rig.hear([frame])
    changes.push(...rig.takeChanges())
  }
  await rig.stop()
  return WAYS.flatMap((way) => IN_A_FRAME.flatMap((count) => figuresOf(size, way, framesOf(changes, count))))
}

const framesOf = (changes: readonly ChangeSet[], count: number): (readonly ChangeSet[])[] =>
  Array.from({ length: Math.ceil(changes.length / count) }, (_, at) => changes.slice(at * count, (at + 1) * count))

function figuresOf(
  size: SeedSize,
  { how, write, read }: (typeof WAYS)[number],
  frames: (readonly ChangeSet[])[],
): Figure[] {
  const single = frames.map((sets) => sets.map(write))
  const merged = frames.map((sets) => write(sets.reduce(mergeChangeSets)))
  const events = frames.flat().length
  const name = (side: string): string => `${side}, ${how}, ${frames[0]?.length ?? 0} in a frame (seed ${size.name})`
  const bytesOf = (sent: readonly Sent[]): number => round(sent.reduce((sum, each) => sum + each.length, 0) / events)
  return [
    compared(name('pushed as it comes, sender'), events, {
      single: () => frames.forEach((sets) => sets.forEach(write)),
      merged: () => frames.forEach((sets) => write(sets.reduce(mergeChangeSets))),
      note: `${bytesOf(single.flat())} bytes each, merged ${bytesOf(merged)}`,
    }),
    compared(name('pushed as it comes, window'), events, {
      single: () => single.forEach((sent) => sent.map((each) => read(each) as ChangeSet).reduce(mergeChangeSets)),
      merged: () => merged.forEach(read),
    }),
  ]
}

type Compared = { readonly single: () => void; readonly merged: () => void; readonly note?: string }

function compared(name: string, events: number, { single, merged, note }: Compared): Figure {
  const times = Array.from({ length: REPEATS }, () => ({ single: cpuMicros(single), merged: cpuMicros(merged) }))
  const of = (side: 'single' | 'merged'): number => round(median(times.map((each) => each[side])) / events)
  return {
    name,
    unit: 'µs CPU',
    median: of('single'),
    limit: { name: 'merged by frame', median: of('merged') },
    ratio: round(of('single') / of('merged')),
    ...(note === undefined ? {} : { note }),
  }
}

function cpuMicros(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
