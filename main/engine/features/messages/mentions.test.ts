import { expect, test } from 'vitest'
import { aWireMessage, aWireUser, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'

/** Mentions beyond the cache, which has the newest hundred of a thousand messages. */
const cid = asCid(CID)
const NAMED = new Set([100, 400, 905, 950])
const idOf = (n: number): string => `m${String(n).padStart(3, '0')}`
const history = Array.from({ length: 1_000 }, (_, n) =>
  aWireMessage(idOf(n), n * 1_000, NAMED.has(n) ? { mentioned_users: [aWireUser('me')] } : {}),
)

type Payload = {
  payload: {
    message_filter_conditions: { created_at: { $gte?: string; $lte?: string }; text?: unknown }
    sort: { direction: number }[]
  }
}

function searched() {
  const api = withChannel(new FakeApi(), history.slice(-100)).on('Search', ({ body }) => {
    const { message_filter_conditions: filter, sort } = (body as Payload).payload
    const { $gte = '', $lte = '9' } = filter.created_at
    const found = history.filter(
      (message, n) =>
        filter.text === undefined &&
        NAMED.has(n) &&
        String(message['created_at']) >= $gte &&
        String(message['created_at']) <= $lte,
    )
    return { results: (sort[0]?.direction === 1 ? found : found.toReversed()).map((message) => ({ message })) }
  })
  return { api, asked: () => api.to('Search').length }
}

test('the nearest mention is found where it is held, and by the server where something between may be missing', async () => {
  const { api, asked } = searched()
  const lone = await reading([], api)
  const from = (n: number, direction: 'older' | 'newer') =>
    lone.engine.handlers.messages.nearestMention({ cid, messageId: asMessageId(idOf(n)), direction }, lone.client)
  expect(await from(990, 'older')).toEqual({ id: idOf(950), isWhole: true })
  expect(await from(950, 'older')).toEqual({ id: idOf(905), isWhole: true })
  expect(asked()).toBe(0)
  expect(await from(950, 'newer')).toEqual({ id: null, isWhole: true })
  expect(asked()).toBe(0)
  expect(await from(905, 'older')).toEqual({ id: idOf(400), isWhole: true })
  expect(asked()).toBe(2)
  expect(await from(400, 'older')).toEqual({ id: idOf(100), isWhole: true })
  expect(await from(100, 'older')).toEqual({ id: null, isWhole: true })
  expect(await from(400, 'newer')).toEqual({ id: idOf(905), isWhole: true })
})

test('without a connection it is the nearest that is held, and that is said', async () => {
  const lone = await reading([], searched().api)
  await lone.offline()
  const from = (n: number) =>
    lone.engine.handlers.messages.nearestMention(
      { cid, messageId: asMessageId(idOf(n)), direction: 'older' },
      lone.client,
    )
  expect(await from(905)).toEqual({ id: null, isWhole: false })
  expect(await from(990)).toEqual({ id: idOf(950), isWhole: true })
})
