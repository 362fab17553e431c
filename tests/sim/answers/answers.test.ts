import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aWireMessage, at, CID } from '#kit/lone-engine.ts'
import { blocksOf, PATIENCE_MS, replayLine, replaySeed, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { registry } from '#main/engine/features/index.ts'
import { aBrokenServer, Stumbled, type BrokenServer } from './broken-server.ts'
import { DRIVES, ELSEWHERE } from './drives.ts'
import { mutated } from './mutate.ts'
import { record, type Recorded } from './recorded.ts'
import { unsoundIn } from './sound.ts'

/**
 * Whatever a server responds or sends, the process does not end, cached data stays valid, and the next good message
 * works.
 */
/** For each call and each event. */
const AMOUNT: Amount = { fixed: 6, fresh: 6, long: 5_000, share: 0.001 }
const LOOK_EVERY = 10

let recorded: Recorded
beforeAll(async () => {
  recorded = await record()
}, 60_000)

test('every call of the engine is driven here, and the real server responds to each', async () => {
  expect(recorded.problems).toEqual([])
  expect(
    (await operationsOfEngine()).filter((operation) => !(operation in DRIVES) && !(operation in ELSEWHERE)),
  ).toEqual([])
  expect(Object.keys(DRIVES).filter((operation) => !recorded.answers.has(operation))).toEqual([])
})

test.each(Object.keys(DRIVES))(
  'the response to %s may contain anything',
  { timeout: PATIENCE_MS },
  async (operation) => {
    const faults: string[] = []
    let broken = 0
    let asked = 0
    for (const block of blocksOf('broken answers', AMOUNT, LOOK_EVERY)) {
      const [first, last] = seedsIn(block)
      const server = await aBrokenServer(recorded, seededIds(first))
      server.break(operation)
      for (let seed = first; seed <= last; seed += 1) faults.push(...(await ask(server, operation, seed)))
      asked += last - first + 1
      broken += server.broken()
      server.break(undefined)
      faults.push(...(await stillGood(server)).map((fault) => `${replayLine('tests/sim/answers', last)}: ${fault}`))
      await server.lone.engine.stop()
    }
    expect(faults.slice(0, 5)).toEqual([])
    expect(broken).toBeGreaterThanOrEqual(replaySeed === undefined ? asked * 0.9 : 1)
  },
)

/** The first and the last seed of a block; with a seed to replay, only that one. */
const seedsIn = (block: number): readonly [first: number, last: number] =>
  replaySeed === undefined ? [block * LOOK_EVERY + 1, (block + 1) * LOOK_EVERY] : [replaySeed, replaySeed]

async function ask({ stage, lone }: BrokenServer, operation: string, seed: number): Promise<string[]> {
  try {
    await DRIVES[operation]?.(stage)
    await lone.clock.settle()
    return []
  } catch (error) {
    if (error instanceof AppError) return []
    const text = error instanceof Stumbled ? error.message : ((error as Error).stack ?? String(error))
    return [`${replayLine('tests/sim/answers', seed)}: ${text.split('\n').slice(0, 4).join(' ')}`]
  }
}

test.each(Object.keys(registry.appliers))(
  'the event %s may contain anything',
  { timeout: PATIENCE_MS },
  async (type) => {
    const all = Object.assign({}, ...recorded.events.values()) as object
    const example = { ...all, ...recorded.events.get(type), type }
    const faults: string[] = []
    const server = await aBrokenServer(recorded, seededIds(1))
    for (const block of blocksOf('broken events', AMOUNT, LOOK_EVERY)) {
      const [first, last] = seedsIn(block)
      for (let seed = first; seed <= last; seed += 1) {
        const bad = mutated(example, seededIds(seed * 31 + 7))
        const event = typeof bad === 'object' && bad !== null ? { ...bad, type } : { type }
        await server.lone.hear(event)
      }
      faults.push(...(await stillGood(server)).map((fault) => `${replayLine('tests/sim/answers', last)}: ${fault}`))
    }
    expect(faults.slice(0, 5)).toEqual([])
    await server.lone.engine.stop()
  },
)

let good = 0
const GENERAL = { cid: CID, id: 'general', type: 'team' }
/** A message that arrives now is shown, and all that a window holds is what the screen may rely on. */
async function stillGood({ lone }: BrokenServer): Promise<string[]> {
  const id = `good-${(good += 1)}`
  const created = at(2e7 + good)
  if (!lone.replica.tables.channels?.[CID])
    await lone.hear({ type: 'notification.added_to_channel', cid: CID, created_at: created, channel: GENERAL })
  await lone.hear({ type: 'message.new', cid: CID, created_at: created, message: aWireMessage(id, 2e7 + good) })
  const snapshot = lone.engine.attach('w2', {})
  lone.engine.detach('w2')
  const held = lone.replica.tables.messages?.[id]
  return [
    ...(held === undefined &&
    lone.engine.stores.cache.reader.db.get('SELECT id FROM messages WHERE id = ?', id) === undefined
      ? [`the good message ${id} is not held`]
      : []),
    ...unsoundIn(lone.replica.tables),
    ...unsoundIn(snapshot.put),
  ]
}

/** Operations of the endpoints that the engine's files import. */
async function operationsOfEngine(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../..')
  const texts = readdirSync(join(root, 'main/engine'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'main/engine', name), 'utf8'))
  const found: string[] = []
  for (const text of texts) {
    for (const [, names = '', file = ''] of text.matchAll(/import \{([^}]+)\} from '#shared\/wire\/([\w-]+)\.ts'/g)) {
      const module = (await import(`#shared/wire/${file}.ts`)) as Record<string, { operation?: unknown }>
      for (const name of names.split(',').map((each) => each.trim())) {
        const operation = module[name]?.operation
        if (typeof operation === 'string') found.push(operation)
      }
    }
  }
  return [...new Set(found)]
}
