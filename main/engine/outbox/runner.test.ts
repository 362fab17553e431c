import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { aMemoryFolder, openTestStores } from '#kit/stores.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { Outbox } from './outbox.ts'
import { type Done, Runner } from './runner.ts'

const CHANNELS = ['a', 'b', 'c']

/** Two messages in each of three channels, and a server that responds when the test says so. */
function queued() {
  const steps: string[] = []
  const stores = openTestStores({ folder: aMemoryFolder(), onCommit: () => void steps.push('outbox') })
  const clock = new ManualClock()
  const outbox = new Outbox({ store: stores.outbox, ids: seededIds(), clock })
  for (const n of [1, 2]) {
    for (const channel of CHANNELS) {
      const id = `${channel}${n}`
      const payload = { text: id, mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: n }
      outbox.add({ kind: 'send-message', id, cid: asCid(`team:${channel}`), messageId: asMessageId(id), payload })
    }
  }
  steps.length = 0
  const started = new Map<string, (done: Done) => void>()
  const runner = new Runner({
    outbox,
    clock,
    ids: seededIds(),
    log: logger('outbox', silentSink),
    perform: ({ id }) => new Promise((resolve) => started.set(id, resolve)),
    verify: async () => undefined,
    applyFacts(work) {
      stores.cache.transaction(work)
      steps.push('facts')
    },
    filesReady: () => true,
    onParked: () => undefined,
    onHeld: () => undefined,
  })
  const answer = async (...ids: string[]): Promise<void> => {
    for (const id of ids) started.get(id)?.({ apply: () => void steps.push(`fact of ${id}`) })
    await clock.settle()
  }
  return { outbox, runner, steps, asked: started, answer }
}

const waiting = ({ outbox }: ReturnType<typeof queued>): string[] =>
  outbox.all().map(({ id, state }) => `${id} ${state}`)

test('responses that arrive together are stored in one write, facts first, which also starts the next intents', async () => {
  const world = queued()
  world.runner.open()
  expect(world.steps).toEqual(['outbox'])
  expect([...world.asked.keys()]).toEqual(['a1', 'b1', 'c1'])
  world.steps.length = 0
  await world.answer('a1', 'b1', 'c1')
  expect(world.steps).toEqual(['fact of a1', 'fact of b1', 'fact of c1', 'facts', 'outbox'])
  expect(waiting(world)).toEqual(['a2 inflight', 'b2 inflight', 'c2 inflight'])
  await world.answer('a2', 'b2', 'c2')
  expect(waiting(world)).toEqual([])
  expect(world.steps.filter((step) => step === 'outbox')).toEqual(['outbox', 'outbox'])
})

test('a response does not wait for one that never arrives', async () => {
  const world = queued()
  world.runner.open()
  await world.answer('b1')
  expect(waiting(world)).toEqual(['a1 inflight', 'c1 inflight', 'a2 ready', 'b2 inflight', 'c2 ready'])
})

test('responses are still stored at stop, and nothing new is sent', async () => {
  const world = queued()
  world.runner.open()
  world.asked.get('a1')?.({})
  await Promise.resolve()
  const stopped = world.runner.stop()
  await world.answer('b1', 'c1')
  await stopped
  expect(waiting(world)).toEqual(['a2 ready', 'b2 ready', 'c2 ready'])
})
