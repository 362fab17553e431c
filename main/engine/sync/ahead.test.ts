import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireChannelState, aWireMessage, FakeApi, refused } from '#kit/lone-engine.ts'
import type { Lone } from '#kit/lone-talk.ts'

type Query = { readonly messages: { readonly limit: number }; readonly state: boolean }

const LONG_MS = 60_000
const PAGE = 25

/** The `count` newest of a channel's 120 messages. */
function channel(index: number, count: number, held = 120): Record<string, unknown> {
  const cid = `team:c${index}`
  const messages = Array.from({ length: Math.min(count, held) }, (_, at) => {
    const number = held - Math.min(count, held) + at
    return aWireMessage(`m${index}-${number}`, 1_000 * number + index, { cid })
  })
  const state = aWireChannelState(messages)
  return { ...state, channel: { ...(state['channel'] as object), cid, id: `c${index}`, name: `c${index}` } }
}

/** A server with so many channels; the first ones have the oldest messages. */
function withChannels(count: number, held = 120): FakeApi {
  return new FakeApi()
    .on('QueryChannels', () => ({ channels: Array.from({ length: count }, (_, index) => channel(index, PAGE, held)) }))
    .on('GetOrCreateChannel', ({ params, body }) =>
      channel(Number(params['id']?.slice(1)), (body as Query).messages.limit, held),
    )
    .on('Sync', () => ({ events: [] }))
    .on('GetApp', () => ({ app: { name: 'test', image_upload_config: {}, file_upload_config: {} } }))
}

const fetched = (lone: Lone): string[] =>
  lone.api.to('GetOrCreateChannel').map(({ params }) => params['id'] ?? 'without id')

async function online(api: FakeApi): Promise<Lone> {
  const lone = await aLoneEngine({ api })
  await lone.online()
  return lone
}

test('a channel opened for the first time has the messages of its first screens already', async () => {
  const lone = await online(withChannels(2))
  await lone.clock.advance(LONG_MS)
  await lone.offline()
  const open = lone.engine.handlers.channels.open
  await open({ cid: asCid('team:c0'), around: undefined }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.texts('team:c0')).toHaveLength(100)
})

test('the channels with the newest messages come first, one by one, and no more than twelve', async () => {
  const lone = await online(withChannels(20))
  expect(fetched(lone)).toEqual([])
  await lone.clock.advance(200)
  expect(fetched(lone)).toEqual(['c19'])
  await lone.clock.advance(150)
  expect(fetched(lone)).toEqual(['c19', 'c18'])
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(Array.from({ length: 12 }, (_, index) => `c${19 - index}`))
})

test('a channel that is cached whole is not fetched', async () => {
  const lone = await online(withChannels(3, 10))
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual([])
})

test('a channel that was opened meanwhile is not fetched again, nor one of an earlier connection', async () => {
  const lone = await online(withChannels(2))
  await lone.engine.handlers.channels.open({ cid: asCid('team:c1'), around: undefined }, lone.client)
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(['c1', 'c0'])
  await lone.engine.handlers.channels.close({ cid: asCid('team:c1') }, lone.client)
  await lone.offline()
  await lone.online()
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(['c1', 'c0'])
})

test('nothing is marked as read, and no skeleton or error is shown', async () => {
  const lone = await online(withChannels(2))
  await lone.clock.advance(LONG_MS)
  expect(lone.api.to('MarkRead')).toEqual([])
  expect(lone.replica.windows.get('channels')?.loading).toBe('none')
})

test('the first refusal ends it until the next connection', async () => {
  const api = withChannels(3).on('GetOrCreateChannel', () => {
    throw refused(429, 9, 'too many requests')
  })
  const lone = await online(api)
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(['c2'])
  expect(lone.engine.diagnostics().connection.caughtUp).toBe(true)
  await lone.offline()
  await lone.online()
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(['c2', 'c2'])
})

test('it ends with the connection', async () => {
  const lone = await online(withChannels(3))
  await lone.clock.advance(200)
  await lone.offline()
  await lone.clock.advance(LONG_MS)
  expect(fetched(lone)).toEqual(['c2'])
  await lone.engine.stop()
  expect(lone.clock.pending).toBe(0)
})
