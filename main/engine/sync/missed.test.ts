import { expect, test } from 'vitest'
import { aWireChannelState, aWireMessage, refused } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'
import { nextBatch } from './recover.ts'

const CHANNELS = 40
/** Events per channel; a response of this server holds a hundred. */
const EACH = 10
const ONE_ANSWER = 100

type SyncBody = { readonly channel_cids: readonly string[] }

function channel(index: number) {
  const cid = `team:c${index}`
  const state = aWireChannelState([aWireMessage(`old-${index}`, 1, { cid })])
  return { ...state, channel: { ...(state['channel'] as object), cid, id: `c${index}`, name: `c${index}` } }
}

test('events that do not fit into one response are requested in smaller parts, and none are lost', async () => {
  const states = Array.from({ length: CHANNELS }, (_, index) => channel(index))
  const lone = await reading([aWireMessage('here', 1)])
  lone.api.on('QueryChannels', ({ body }) => ({
    channels: ((body as { offset?: number }).offset ?? 0) === 0 ? states.slice(0, 30) : states.slice(30),
  }))
  await lone.offline()
  await lone.online()
  await lone.clock.advance(1_000)
  const sizes: number[] = []
  lone.api.on('Sync', ({ body }) => {
    const { channel_cids: cids } = body as SyncBody
    const own = cids.filter((cid) => /:c\d/.test(cid))
    if (own.length * EACH > ONE_ANSWER) throw refused(400, 4, 'too many events')
    sizes.push(cids.length)
    const events = own.flatMap((cid) =>
      Array.from({ length: EACH }, (_, n) => {
        const message = aWireMessage(`${cid.slice(6)}-${n}`, 9_000 + n, { cid })
        return { type: 'message.new', cid, created_at: message['created_at'], message }
      }),
    )
    return { events }
  })
  await lone.offline()
  await lone.online()
  await lone.clock.advance(2_000)
  const held = lone.engine.stores.cache.reader.db.get<{ n: number }>(
    "SELECT count(*) AS n FROM messages WHERE id GLOB '[0-9]*-[0-9]'",
  )?.n
  expect(held).toEqual(CHANNELS * EACH)
  expect(Math.min(...sizes)).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10)
  expect(lone.engine.diagnostics().connection.caughtUp).toBe(true)
})

test('windows are told of many missed events together, and of what else changes at once', async () => {
  const many = 6_000
  const lone = await reading([aWireMessage('here', 1)])
  lone.api.on('QueryChannels', () => ({ channels: [channel(0)] }))
  await lone.offline()
  await lone.online()
  await lone.clock.advance(1_000)
  await lone.offline()
  const cid = 'team:c0'
  lone.api.on('Sync', () => ({
    events: Array.from({ length: many }, (_, n) => {
      const message = aWireMessage(`missed-${n}`, 9_000 + n, { cid })
      return { type: 'message.new', cid, created_at: message['created_at'], message }
    }),
  }))
  let told = 0
  lone.engine.onCommitted(({ changes }) => (told += changes.has('w1') ? 1 : 0))
  await lone.online()
  await lone.clock.settle()
  const held = lone.engine.stores.cache.reader.db.get<{ n: number }>(
    "SELECT count(*) AS n FROM messages WHERE id GLOB 'missed-*'",
  )?.n
  expect(held).toBe(many)
  // At most five hundred are applied in one transaction.
  expect(told).toBeLessThan(many / 500)
  const before = told
  await send(lone, 'own')
  expect(told).toBeGreaterThan(before)
})

test.each([
  [100, 0, 200],
  [100, 10, 200],
  [100, 20, 125],
  [100, 50, 50],
  [400, 10, 500],
  [500, 500, 50],
])('after %d events in %d ms as many follow as fit into a moment of work', (size, tookMs, next) => {
  expect(nextBatch(size, tookMs)).toBe(next)
})
