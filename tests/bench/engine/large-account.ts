import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { seededIds } from '#kit/seeded-ids.ts'
import { createRig, type Rig } from '../rig.ts'
import { VIEWER, type SeedSize } from '../seeds.ts'
import { figure, median, quantile, round, verdict, type Figure } from '../stats.ts'
import { newMessageFrames, SEED_NOW } from '../wire.ts'

/**
 * An account of 10,000 channels in a separate process: all of them listed, the first open, one window. The server makes
 * its pages on request, so that only the engine is measured.
 */
const CHANNELS = 10_000
const UNREAD = 5_000
const EVENTS = 500
const MIB = 1024 * 1024
const GOAL = { memoryMiB: 450, eventMs: 5, listMs: 2_000 } as const

type Account = {
  readonly rss: number
  readonly heap: number
  readonly listed: number
  readonly listMs: number
  /** One event a turn, over all channels. */
  readonly events: readonly number[]
  /** The same into one channel with thousands of unread messages. */
  readonly unreadEvents: readonly number[]
}

export function largeAccountFigures(repeats: number): Figure[] {
  const bare = Array.from({ length: repeats }, () => measure(1))
  const full = Array.from({ length: repeats }, () => measure(CHANNELS))
  const rss = (each: Account) => each.rss / MIB
  const memory = figure(`engine: memory with ${CHANNELS} channels`, 'MiB', full.map(rss), {
    limit: { name: 'the same with one channel', values: bare.map(rss) },
    note: `heap ${round(median(full.map((each) => each.heap / MIB)))} MiB; goal: ${GOAL.memoryMiB} MiB`,
  })
  const list = figure(
    'engine: first picture of a window, all channels in it',
    'ms',
    full.map((each) => each.listMs),
    {
      note: `goal: ${GOAL.listMs} ms`,
    },
  )
  return [
    { ...memory, verdict: verdict(memory.median, GOAL.memoryMiB, GOAL.memoryMiB / 2) },
    { ...list, verdict: verdict(list.median, GOAL.listMs, GOAL.listMs / 2) },
    ...eventFigures('one event', full, bare, (each) => each.events),
    ...eventFigures(`one event beside ${UNREAD} unread`, full, bare, (each) => each.unreadEvents),
  ]
}

function eventFigures(
  name: string,
  full: readonly Account[],
  bare: readonly Account[],
  pick: (account: Account) => readonly number[],
): Figure[] {
  return ([0.5, 0.99] as const).map((share) => {
    const of = (accounts: readonly Account[]) => accounts.map((each) => quantile(pick(each), share))
    const found = figure(`engine: ${name}, ${CHANNELS} channels, p${share * 100}`, 'ms', of(full), {
      limit: { name: 'with one channel', values: of(bare) },
      note: `goal: ${GOAL.eventMs} ms`,
    })
    return { ...found, verdict: verdict(found.median, GOAL.eventMs, GOAL.eventMs / 2) }
  })
}

/** Of the same kind as this one: Electron runs its app, which takes what to do from the environment. */
function measure(channels: number): Account {
  const [args, env] =
    process.versions['electron'] === undefined
      ? [['--expose-gc', fileURLToPath(import.meta.url), String(channels)], {}]
      : [[...process.argv.slice(1), '--js-flags=--expose-gc'], { PARLOR_BENCH_GROUP: `account ${channels}` }]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } })
  if (child.status !== 0) throw new Error(`The engine did not start: ${child.stderr}`)
  return JSON.parse(child.stdout) as Account
}

export async function reportAccount(count: number): Promise<Account> {
  const size: SeedSize = { name: 'L', people: 12, messages: Array.from({ length: count }, () => 1) }
  const rig = await createRig(size)
  for (let pages = 0; listedIn(rig) < count && pages < count; pages += 1) await rig.settle()
  const startedAt = performance.now()
  rig.engine.attach('w2', {})
  const listMs = performance.now() - startedAt
  rig.engine.detach('w2')
  globalThis.gc?.()
  const { rss, heapUsed: heap } = process.memoryUsage()
  const found = { rss, heap, listed: listedIn(rig), listMs, ...eventTimes(rig, count) }
  await rig.stop()
  if (found.listed !== count) throw new Error(`${found.listed} of ${count} channels are listed`)
  return found
}

const listedIn = (rig: Rig): number =>
  rig.engine.stores.cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM members WHERE user_id = ?', VIEWER)
    ?.n ?? 0

function eventTimes(rig: Rig, count: number): Pick<Account, 'events' | 'unreadEvents'> {
  const ids = seededIds(30)
  const random = (): number => ids.random()
  const spread = Array.from({ length: EVENTS }, (_, index) => Math.floor((index * count) / EVENTS))
  // The badge is read at every commit, as the app does.
  rig.engine.onCommitted((commit) => void commit.badge)
  const timed = (label: string, channels: readonly number[], from: number): number[] =>
    newMessageFrames(label, EVENTS, channels, from, random).map((frame) => {
      const startedAt = performance.now()
      rig.receive([frame])
      return performance.now() - startedAt
    })
  timed('warm', spread, SEED_NOW + 1e6)
  const events = timed('event', spread, SEED_NOW + 2e6)
  const last = [count - 1]
  rig.receive(newMessageFrames('unread', UNREAD, last, SEED_NOW + 3e6, random))
  return { events, unreadEvents: timed('beside', last, SEED_NOW + 4e6) }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await reportAccount(Number(process.argv[2]))))
  process.exit(0)
}
