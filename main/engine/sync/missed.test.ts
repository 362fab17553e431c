import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { aWireChannelState, aWireMessage, aWireUser, at, refused } from '#kit/lone-engine.ts'
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

test('how many channels fit into one response is found out once', async () => {
  const states = Array.from({ length: 270 }, (_, index) => channel(index))
  const lone = await reading([aWireMessage('here', 1)])
  lone.api.on('QueryChannels', ({ body }) => {
    const { offset = 0, limit = 30 } = body as { offset?: number; limit?: number }
    return { channels: states.slice(offset, offset + limit) }
  })
  await lone.offline()
  await lone.online()
  await lone.clock.advance(1_000)
  let refusals = 0
  lone.api.on('Sync', ({ body }) => {
    if ((body as SyncBody).channel_cids.length <= 10) return { events: [] }
    refusals += 1
    throw refused(400, 4, 'too many events')
  })
  await lone.offline()
  await lone.online()
  await lone.clock.advance(2_000)
  // Of the first 255 channels, then of 128, 64, 32 and 16. The others are not tried together.
  expect(refusals).toBe(5)
})

const news = (id: string, ms: number, cid: string) => ({
  type: 'message.new',
  cid,
  created_at: at(ms),
  message: aWireMessage(id, ms, { cid }),
})

/** An engine with some channels, whose events since then are given when it is connected again. */
async function away(channels = 2) {
  const lone = await reading([aWireMessage('here', 1)])
  lone.api.on('QueryChannels', () => ({ channels: Array.from({ length: channels }, (_, index) => channel(index)) }))
  await lone.offline()
  await lone.online()
  await lone.clock.advance(1_000)
  await lone.offline()
  const { reader } = lone.engine.stores.cache
  return {
    ...lone,
    held: (id: string) => messages.byId(reader, asMessageId(id)),
    async back(events: readonly object[]) {
      lone.api.on('Sync', () => ({ events }))
      await lone.online()
      await lone.clock.settle()
    },
  }
}

test('missed events are applied channel by channel: each mark of an author is written once', async () => {
  const lone = await away(3)
  const { db } = lone.engine.stores.cache.reader as { db: { run: (statement: string, ...binds: unknown[]) => number } }
  const { run } = db
  let written = 0
  db.run = (statement, ...binds) => {
    if (statement.startsWith('INSERT INTO reads') && binds.includes('ana')) written += 1
    return run(statement, ...binds)
  }
  // Applied a hundred at first, and then two hundred.
  await lone.back(Array.from({ length: 300 }, (_, n) => news(`n${n}`, 9_000 + n, `team:c${n % 3}`)))
  expect(lone.held('n299')?.text).toBe('n299')
  expect(written).toBe(3)
})

test('windows are told of the last missed events at once', async () => {
  const lone = await away()
  await lone.back([news('a', 9_000, 'team:c0')])
  expect(lone.replica.tables.channels?.['team:c0']?.unread).toBe(2)
})

test('missed events of a channel keep the order of the server', async () => {
  const lone = await away()
  const edited = (text: string, ms: number) => ({
    type: 'message.updated',
    cid: 'team:c0',
    created_at: at(ms),
    message: { ...aWireMessage('a', 9_000, { cid: 'team:c0', text }), updated_at: at(9_500) },
  })
  await lone.back([
    news('a', 9_000, 'team:c0'),
    news('b', 9_001, 'team:c1'),
    edited('first', 9_600),
    news('c', 9_601, 'team:c1'),
    edited('second', 9_700),
  ])
  expect(lone.held('a')?.text).toBe('second')
  expect(lone.held('c')?.text).toBe('c')
})

test('a missed event of no channel is applied after all before it, and before all after it', async () => {
  const lone = await away()
  await lone.back([
    news('a', 9_000, 'team:c0'),
    news('b', 9_001, 'team:c1'),
    { type: 'user.messages.deleted', created_at: at(9_002), user: aWireUser('ana') },
    news('later', 9_003, 'team:c0'),
  ])
  expect(lone.held('a')?.type).toBe('deleted')
  expect(lone.held('b')?.type).toBe('deleted')
  expect(lone.held('later')?.type).toBe('regular')
})

test('missed messages are announced in the order of their times, once it is known what was read elsewhere', async () => {
  const lone = await away()
  const announced: { readonly id: string; readonly isRead: boolean }[] = []
  lone.engine.onCommitted(({ arrived }) => {
    for (const { id, createdAt } of arrived) {
      const lastReadAt = lone.engine.aboutArrival(id)?.place.lastReadAt ?? 0
      announced.push({ id, isRead: lastReadAt >= createdAt })
    }
  })
  const many = Array.from({ length: 200 }, (_, n) => news(`n${n}`, 9_000 + n, `team:c${n % 2}`))
  const read = { type: 'message.read', cid: 'team:c1', created_at: at(9_900), user: aWireUser('me') }
  await lone.back([...many, read])
  expect(announced.map(({ id }) => id)).toEqual(many.map(({ message }) => message['id']))
  expect(announced.every(({ id, isRead }) => isRead === (Number(id.slice(1)) % 2 === 1))).toBe(true)
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
