import { describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { aMemoryFolder, openTestStores } from '#kit/stores.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { ApiError } from '../api/errors.ts'
import { Outbox } from './outbox.ts'
import { Runner } from './runner.ts'

const CHANNELS = ['a', 'b', 'c']

type Refusing = { code?: number; status?: number; refusing?: (id: string) => boolean }

/** Two messages in each of three channels, and a server that rejects every request while `refusing` returns true. */
function queued({ code, status = 401, refusing = () => true }: Refusing = {}) {
  const stores = openTestStores({ folder: aMemoryFolder() })
  const clock = new ManualClock()
  const outbox = new Outbox({ store: stores.outbox, ids: seededIds(), clock })
  for (const n of [1, 2]) {
    for (const channel of CHANNELS) {
      const id = `${channel}${n}`
      const payload = { text: id, mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: n }
      outbox.add({ kind: 'send-message', id, cid: asCid(`team:${channel}`), messageId: asMessageId(id), payload })
    }
  }
  const world = {
    refusing,
    judging: (_id: string) => false,
    asked: [] as number[],
    sent: [] as string[],
    notified: [] as string[],
  }
  const runner = new Runner({
    outbox,
    clock,
    ids: seededIds(),
    log: logger('outbox', silentSink),
    perform: async ({ id }) => {
      world.asked.push(clock.monotonic())
      if (world.refusing(id))
        throw new ApiError({ kind: 'answer', status, wireCode: code }, { operation: 'SendMessage' })
      if (world.judging(id))
        throw new ApiError({ kind: 'answer', status: 400, wireCode: 20 }, { operation: 'SendMessage' })
      world.sent.push(id)
      return {}
    },
    verify: async () => undefined,
    applyFacts: () => undefined,
    filesReady: () => true,
    onParked: ({ id }) => void world.notified.push(`parked ${id}`),
    onHeld: (reason) => void world.notified.push(reason),
    onFreed: () => void world.notified.push('freed'),
  })
  runner.open()
  return { world, runner, clock, outbox }
}

const CODES: readonly (readonly [string, number | undefined, number])[] = [
  ['without a code', undefined, 401],
  ['code 2', 2, 401],
  ['code 3', 3, 401],
  ['code 5', 5, 401],
  ['code 40', 40, 401],
  ['code 43', 43, 401],
  ['code 99', 99, 403],
  ['a bare 403', undefined, 403],
]

describe.each(CODES)('refused %s', (_name, code, status) => {
  test('by mistake, the queue resumes within seconds, in order', async () => {
    let refusals = 0
    const { world, clock } = queued({ code, status, refusing: () => (refusals += 1) === 1 })
    await clock.advance(5_000)
    expect(world.sent.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    for (const channel of CHANNELS)
      expect(world.sent.filter((id) => id.startsWith(channel))).toEqual([`${channel}1`, `${channel}2`])
    expect(world.notified.length).toBe(2)
    expect(world.notified.at(-1)).toBe('freed')
  })

  test('permanently, one probe is sent at growing intervals and everything stays queued', async () => {
    const { world, clock, outbox } = queued({ code, status })
    await clock.advance(3_600_000)
    expect(outbox.all().map(({ state }) => state)).toEqual(Array(6).fill('ready'))
    const requests = world.asked.slice(CHANNELS.length)
    expect(requests.length).toBeGreaterThan(8)
    expect(requests.length).toBeLessThan(25)
    const pauses = requests.slice(1).map((at, index) => at - (requests[index] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(375_000)
    expect(new Set(world.notified).size).toBe(1)
  })
})

test('a new sign-in and Retry do not wait for the next probe', async () => {
  const { world, runner, clock } = queued()
  await clock.advance(600_000)
  const before = world.asked.length
  world.refusing = () => false
  runner.retryAll()
  await clock.settle()
  expect(world.asked.length).toBeGreaterThan(before)
  expect(world.sent.length).toBe(6)
})

test('Retry of one message uses it as the probe, and another rejection delays the next one', async () => {
  const { world, runner, clock } = queued()
  await clock.advance(600_000)
  const before = world.asked.length
  runner.retryNow('a1')
  await clock.settle()
  expect(world.asked).toHaveLength(before + 1)
  world.refusing = () => false
  runner.retryNow('a1')
  await clock.advance(1_000)
  expect(world.sent).toHaveLength(6)
})

test('a message that is rejected every time blocks only its own channel', async () => {
  const { world, clock } = queued({ refusing: (id) => id === 'a1' })
  await clock.advance(30_000)
  expect(world.sent.toSorted()).toEqual(['b1', 'b2', 'c1', 'c2'])
})

test('an error about the request itself shows that the server accepts the account', async () => {
  const { world, clock, outbox } = queued()
  await clock.settle()
  expect(world.notified).toHaveLength(CHANNELS.length)
  world.refusing = () => false
  world.judging = (id) => id === 'a1'
  await clock.advance(4_000)
  expect(world.notified.slice(CHANNELS.length)).toEqual(['freed', 'parked a1'])
  expect(outbox.all().map(({ id, state }) => [id, state])).toEqual([['a1', 'parked']])
})
