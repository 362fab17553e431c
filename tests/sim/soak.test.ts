import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aWireMessage, aWireUser, at, CID } from '#kit/lone-engine.ts'
import { reading, send, type Lone } from '#kit/lone-talk.ts'
import { noteCovered, PATIENCE_MS, runsTo } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'

/**
 * Hours of events, in virtual time. Two hours here with an event every four seconds (a fortieth of the ten a second of
 * docs/promises.md); the long run has the whole day with an event every second. Only the messages on disk may grow:
 * what the process has in memory after the first quarter is what it has after the last.
 */
const HOURS = runsTo(2, 24)
const EVERY_MS = runsTo(4_000, 1_000)
const QUARTERS = 4
const PEOPLE = 12
/** The newest messages, which events are about. The test itself must not be what grows. */
const REMEMBERED = 300
const HEAP_GROWTH = 1.05

type SentMessage = { readonly id: string; readonly by: string }
type Soak = { readonly lone: Lone; readonly random: () => number; readonly written: SentMessage[]; count: number }

const pick = <T>(random: () => number, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]

/**
 * One event of an ordinary day: mostly messages, typing that often has no end, reactions, edits, reads, users coming
 * online and going offline.
 */
function nextEvent(soak: Soak, now: number): Record<string, unknown> {
  const { random, written } = soak
  const by = `p${Math.floor(random() * PEOPLE)}`
  const common = { cid: CID, created_at: at(now), user: aWireUser(by) }
  const about = pick(random, written)
  const kind = random()
  if (kind < 0.3) return { ...common, type: 'typing.start' }
  if (kind < 0.35) return { ...common, type: 'typing.stop' }
  if (kind < 0.45) return { ...common, type: 'message.read' }
  if (kind < 0.5) return { ...common, type: 'user.watching.start', watcher_count: Math.floor(random() * PEOPLE) }
  if (kind < 0.55)
    return { type: 'user.presence.changed', created_at: at(now), user: { ...aWireUser(by), online: kind < 0.53 } }
  if (kind < 0.6) return { type: 'health.check', created_at: at(now) }
  if (about && kind < 0.7) {
    const message = aWireMessage(about.id, now, {
      text: `edited ${now}`,
      user: aWireUser(about.by),
      updated_at: at(now),
    })
    return { ...common, type: 'message.updated', message }
  }
  if (kind < 0.72) {
    // One that is not cached: it waits in memory for a while, and is then dropped.
    const message = aWireMessage(`elsewhere-${soak.count}`, now, { updated_at: at(now) })
    return { ...common, type: 'message.updated', message }
  }
  const id = `said-${(soak.count += 1)}`
  written.push({ id, by })
  if (written.length > REMEMBERED) written.shift()
  return { ...common, type: 'message.new', message: aWireMessage(id, now, { user: aWireUser(by) }) }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after a collection, without the calls that the test kit recorded. */
function heapOf({ lone }: Soak): number {
  lone.api.calls.length = 0
  lone.log.length = 0
  collect()
  return process.memoryUsage().heapUsed
}

/** Everything that could pile up, at an idle moment. */
function usage({ lone }: Soak) {
  const rows = (store: 'cache' | 'outbox', table: string): number =>
    lone.engine.stores[store].reader.db.get<{ n: number }>('SELECT count(*) AS n FROM ' + table)?.n ?? 0
  return {
    timers: lone.clock.pending,
    typing: Object.keys(lone.replica.tables.typing ?? {}).length <= 1,
    people: rows('cache', 'users') <= PEOPLE + 2,
    stretches: rows('cache', 'ranges'),
    waiting: rows('outbox', 'intents'),
    windows: lone.replica.windows.size,
    notices: (lone.replica.windows.get('notices')?.ids ?? []).length,
  }
}

test(
  'hours of events leave only their messages, and no more timers, rows or windows',
  { timeout: PATIENCE_MS },
  async () => {
    const lone = await reading()
    lone.api.on('MarkRead', () => ({}))
    const soak: Soak = { lone, random: () => ids.random(), written: [], count: 0 }
    const ids = seededIds(33)
    const perQuarter = (HOURS * 3_600_000) / QUARTERS / EVERY_MS
    const seen: { usage: ReturnType<typeof usage>; handles: number; stored: number; written: number }[] = []
    let sent = 0
    const heap: number[] = []
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
      for (let n = 0; n < perQuarter; n += 1) {
        await lone.clock.advance(EVERY_MS)
        await lone.hear(nextEvent(soak, lone.clock.now() - Date.parse('2026-03-02T09:00:00Z')))
        if (n % 200 === 0) {
          await send(lone, `own ${quarter} ${n}`)
          sent += 1
          await lone.engine.handlers.channels.markRead({ cid: asCid(CID) }, lone.client)
        }
      }
      await lone.clock.advance(60_000)
      const stored = lone.engine.stores.cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n ?? 0
      seen.push({
        usage: usage(soak),
        // An immediate is over with its turn: there is one or none, by where in it we are.
        handles: process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate').length,
        stored,
        written: 1 + soak.count + sent,
      })
      if (quarter === 0 || quarter === QUARTERS - 1) heap.push(heapOf(soak))
    }
    expect(seen.map(({ stored }) => stored)).toEqual(seen.map(({ written }) => written))
    expect(seen.map((each) => each.usage)).toEqual(seen.map(() => seen[0]?.usage))
    expect(Math.max(...seen.map(({ handles }) => handles)) - (seen[0]?.handles ?? 0)).toBeLessThanOrEqual(1)
    expect((heap[1] ?? Infinity) / (heap[0] ?? 0)).toBeLessThan(HEAP_GROWTH)
    expect(seen[0]?.usage).toMatchObject({ typing: true, people: true, waiting: 0 })
    await lone.engine.stop()
    expect(lone.clock.pending).toBe(0)
    noteCovered({ kind: 'hours of talk', isFresh: false, count: HOURS })
  },
)
