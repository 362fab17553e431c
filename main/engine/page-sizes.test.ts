import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireChannelState, aWireMessage, CID, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { open, reading, type Lone } from '#kit/lone-talk.ts'

/** Page sizes of requests. */
const cid = asCid(CID)
const bodies = (lone: Lone, operation: string) => lone.api.to(operation).map(({ body }) => body)
/** A hundred messages, so that there may be older ones. */
const page = Array.from({ length: 100 }, (_, at) => aWireMessage(`m${100 + at}`, at))

test('AGR-09 AGR-10 a channel is opened with its newest 100 messages, and pages by 25', async () => {
  const api = withChannel(new FakeApi(), page).on('QueryChannels', () => ({
    channels: [aWireChannelState(page.slice(-25))],
  }))
  const lone = await reading([], api)
  expect(bodies(lone, 'GetOrCreateChannel')).toMatchObject([{ messages: { limit: 100 } }])
  for (const _turn of [1, 2]) {
    await lone.engine.handlers.channels.page({ cid, direction: 'older' }, lone.client)
    await lone.clock.settle()
  }
  expect(bodies(lone, 'GetOrCreateChannel').at(-1)).toMatchObject({ messages: { limit: 25, id_lt: 'm100' } })
})

test('the list requests 25 messages of each channel', async () => {
  const lone = await reading()
  expect(bodies(lone, 'QueryChannels')[0]).toMatchObject({ message_limit: 25, offset: 0 })
})

test('AGR-15 replies are requested by 50', async () => {
  const lone = await reading([aWireMessage('m1', 1, { reply_count: 1 })])
  lone.api.on('GetReplies', () => ({ messages: [] })).on('GetThread', () => ({ thread: {} }))
  await lone.engine.handlers.threads.open({ cid, parentId: asMessageId('m1') }, lone.client)
  await lone.clock.settle()
  expect(bodies(lone, 'GetReplies')).toMatchObject([{ limit: 50 }])
})

test('AGR-17 the list of threads requests 25, with 10 participants and 10 replies each', async () => {
  const lone = await reading()
  lone.api.on('QueryThreads', () => ({ threads: [] }))
  await lone.engine.handlers.threads.openInbox(undefined, lone.client)
  await lone.clock.settle()
  expect(bodies(lone, 'QueryThreads')).toMatchObject([
    { limit: 25, participant_limit: 10, reply_limit: 10, watch: true },
  ])
})

test('a search for members requests ten, in the order of their ids; without a connection it uses the cache', async () => {
  const lone = await reading()
  lone.api.on('QueryMembers', () => ({ members: [{ user_id: 'zoe', user: { id: 'zoe', name: 'Zoe' } }] }))
  const found = await lone.engine.handlers.channels.members({ cid, text: 'zo' }, lone.client)
  expect(found).toContain('zoe')
  expect(bodies(lone, 'QueryMembers')).toMatchObject([
    {
      payload: {
        filter_conditions: { name: { $autocomplete: 'zo' } },
        sort: [{ field: 'user_id', direction: 1 }],
        limit: 10,
      },
    },
  ])
  await lone.offline()
  expect(await lone.engine.handlers.channels.members({ cid, text: 'x' }, lone.client)).toContain('zoe')
  expect(bodies(lone, 'QueryMembers')).toHaveLength(1)
})

const failing = () =>
  withChannel(new FakeApi(), []).on('QueryChannels', () => {
    throw refused(500, -1)
  })

test('AGR-49 a failing list reports nothing if channels are cached: they stay as they are', async () => {
  const { engine, folder } = await reading()
  await engine.stop()
  const again = await aLoneEngine({ folder, api: failing() })
  await again.online()
  await again.clock.advance(10_000)
  const { ids, error } = again.replica.windows.get('channels') ?? {}
  expect(ids).toEqual([CID])
  expect(error).toBeUndefined()
  expect(again.engine.notices()).toEqual([])
})

test('AGR-20 a failing list is retried three times, a second apart; then the error is shown if nothing is cached', async () => {
  const lone = await aLoneEngine({ api: failing() })
  await lone.online()
  const counts: number[] = []
  for (const ms of [999, 1, 1_000, 1_000]) {
    counts.push(bodies(lone, 'QueryChannels').length)
    await lone.clock.advance(ms)
  }
  counts.push(bodies(lone, 'QueryChannels').length)
  expect(counts).toEqual([1, 1, 2, 3, 4])
  const shown = () => lone.replica.windows.get('channels')?.error
  expect(shown()).toBe('server/internal')
  expect(lone.engine.notices().map(({ code }) => code)).toEqual(['channels/load-failed'])

  lone.api.on('QueryChannels', () => ({ channels: [aWireChannelState()] }))
  await lone.engine.handlers.channels.reload(undefined, lone.client)
  await lone.clock.settle()
  expect(shown()).toBeUndefined()
  expect(lone.replica.windows.get('channels')?.ids).toEqual([CID])
  await open(lone)
})
