import { deserialize, serialize } from 'node:v8'
import {
  combineReducers,
  createEntityAdapter,
  createReducer,
  original,
  type Action,
  type Draft,
  type Reducer,
} from '@reduxjs/toolkit'
import { seededIds } from '#kit/seeded-ids.ts'
import {
  type ChangeSet,
  type EntityMap,
  type EntityName,
  type Window,
  mergeChangeSets,
} from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid } from '#shared/lib/brand.ts'
import { isSameWindow } from '#shared/rules/messages/message-ranges.ts'
import {
  changesApplied,
  replicaAttached,
  entitiesReducer,
  entitySlice,
  windowsReducer,
} from '../../renderer/store/entities.ts'
import { createRig } from './rig.ts'
import { channelCid, type SeedSize } from './seeds.ts'
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
 * The change-sets for messages in the channel that a window shows: each sent as it comes, compared with all of a frame
 * of the screen merged first. Both sides end with one change-set for each frame.
 */
export async function measurePushes(size: SeedSize): Promise<Figure[]> {
  const rig = await createRig(size)
  const ids = seededIds(5)
  const attached = rig.engine.attach(rig.client.client, { lastChannel: asCid(channelCid(0)) })
  await rig.settle()
  rig.takeChanges()
  const changes: ChangeSet[] = []
  for (const frame of newMessageFrames('push', EVENTS, [0], SEED_NOW + 1e7, () => ids.random())) {
    rig.receive([frame])
    changes.push(...rig.takeChanges())
  }
  await rig.stop()
  return [
    ...WAYS.flatMap((way) => IN_A_FRAME.flatMap((count) => figuresOf(size, way, framesOf(changes, count)))),
    ...appliedIn(size, attached, changes),
  ]
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

type Tables = { [Name in EntityName]?: Record<string, EntityMap[Name]> }
const NO_TABLES: Tables = {}
const NO_WINDOWS: Record<string, Window> = {}

/** The replica of a window as Redux Toolkit would have it: drafts. */
const drafted = combineReducers({
  entities: createReducer(NO_TABLES, (builder) =>
    builder
      .addCase(replicaAttached, (_tables, { payload }) => payload.put as Tables)
      .addCase(changesApplied, (tables, { payload: { put, del } }) => {
        for (const name of Object.keys(put) as EntityName[]) Object.assign((tables[name] ??= {}), put[name])
        for (const name of Object.keys(del) as EntityName[])
          for (const key of del[name] ?? []) delete tables[name]?.[key]
      }),
  ),
  windows: createReducer(NO_WINDOWS, (builder) =>
    builder.addCase(changesApplied, (open, { payload: { windows, closed } }) => {
      for (const key of closed) delete open[key]
      const before = original(open) ?? {}
      for (const window of windows) {
        const existing = before[window.key]
        if (existing === undefined || !isSameWindow(existing, window)) open[window.key] = window as Draft<Window>
      }
    }),
  ),
})
const byHand = combineReducers({ entities: entitiesReducer, windows: windowsReducer })

/** One table in an entity adapter. */
const adapter = createEntityAdapter<Message, string>({ selectId: ({ id }) => id })
const adapted = createReducer(adapter.getInitialState(), (builder) =>
  builder
    .addCase(replicaAttached, (messages, { payload }) => adapter.setAll(messages, payload.put.messages ?? {}))
    .addCase(changesApplied, (messages, { payload: { put, del } }) => {
      adapter.setMany(messages, put.messages ?? {})
      adapter.removeMany(messages, del.messages ?? [])
    }),
)
const tableByHand = entitySlice('messages')

/**
 * What a window does with the same changes, one at a time: its hand-written replica, compared with what Redux Toolkit
 * offers.
 */
function appliedIn(size: SeedSize, attached: ChangeSet, changes: readonly ChangeSet[]): Figure[] {
  /** Rows that no reducer has processed: Immer freezes each row once. */
  const fresh = (): Action[] => [
    replicaAttached(structuredClone(attached)),
    ...structuredClone(changes).map(changesApplied),
  ]
  const of = <State>(reducer: Reducer<State, Action>): (() => void) => {
    const runs = Array.from({ length: REPEATS }, fresh)
    return () => void runs.pop()?.reduce(reducer, undefined)
  }
  const name = `applied one at a time, window (seed ${size.name})`
  return [
    compared(name, changes.length, { single: of(byHand), merged: of(drafted) }, 'drafts'),
    compared(`${name}, messages`, changes.length, { single: of(tableByHand), merged: of(adapted) }, 'entity adapter'),
  ]
}

type Compared = { readonly single: () => void; readonly merged: () => void; readonly note?: string }

function compared(name: string, events: number, { single, merged, note }: Compared, other = 'merged by frame'): Figure {
  const times = Array.from({ length: REPEATS }, () => ({ single: cpuMicros(single), merged: cpuMicros(merged) }))
  const of = (side: 'single' | 'merged'): number => round(median(times.map((each) => each[side])) / events)
  return {
    name,
    unit: 'µs CPU',
    median: of('single'),
    limit: { name: other, median: of('merged') },
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
