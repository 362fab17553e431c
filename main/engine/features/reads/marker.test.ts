import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'

const cid = asCid(CID)

/** Number of marks sent to the server, with different configurations or capabilities. */
async function marksSent(differs: object): Promise<number> {
  const { channel, ...state } = aWireChannelState([aWireMessage('m1', 1)]) as { channel: object }
  const shown = { ...state, channel: { ...channel, ...differs } }
  const api = withChannel(new FakeApi())
    .on('QueryChannels', () => ({ channels: [shown] }))
    .on('GetOrCreateChannel', () => shown)
    .on('MarkRead', () => ({ event: { type: 'message.read', created_at: at(4_000) } }))
  const lone = await reading([], api)
  await lone.engine.handlers.channels.markRead({ cid }, lone.client)
  await lone.clock.advance(5_000)
  return api.to('MarkRead').length
}

test('a read channel is reported to the server', async () => expect(await marksSent({})).toBe(1))

test.each([
  ['its configuration has no read events', { config: { read_events: false } }],
  ['the viewer has no right to them', { own_capabilities: ['send-message'] }],
])('AGR-50 no mark is sent if %s', async (_why, differs) => expect(await marksSent(differs)).toBe(0))

test('a message too old for the server’s id lookup is marked unread by its time', async () => {
  const messages = [aWireMessage('m1', 1), aWireMessage('m2', 2)]
  const api = withChannel(new FakeApi(), messages).on('MarkUnread', ({ body }) => {
    if ((body as object | undefined) !== undefined && 'message_id' in (body as object)) throw refused(400, 4)
    return {}
  })
  const lone = await reading([], api)
  await lone.engine.handlers.channels.markUnread({ cid, messageId: asMessageId('m2') }, lone.client)
  expect(api.to('MarkUnread').map(({ body }) => body)).toEqual([
    { message_id: 'm2' },
    { message_timestamp: expect.any(String) },
  ])
  const body = api.to('MarkUnread').at(-1)?.body as { readonly message_timestamp?: string } | undefined
  const since = Date.parse(body?.message_timestamp ?? '')
  const createdAt = Date.parse(String(aWireMessage('m2', 2)['created_at']))
  // Everything after that moment is unread, the message itself included and the one before it not.
  expect(since).toBeLessThan(createdAt)
  expect(createdAt - since).toBeLessThanOrEqual(1)
})

const refusals = [
  ['refuses it', refused(403, 17)],
  ['has no such endpoint', refused(404, 16)],
] as const

test.each(refusals)(
  'a message is unread only on this device if the server %s, until it is read',
  async (_how, refusal) => {
    const messages = [aWireMessage('m1', 1), aWireMessage('m2', 2), aWireMessage('m3', 3)]
    const read = (last_read: string) => [{ user: aWireUser('me'), last_read, unread_messages: 0 }]
    const state = (last_read: string) => aWireChannelState(messages, { read: read(last_read) })
    const listing = (last_read: string) =>
      api.on('QueryChannels', () => ({ channels: [state(last_read)] })).on('GetOrCreateChannel', () => state(last_read))
    const api = withChannel(new FakeApi(), messages)
      .on('MarkUnread', () => {
        throw refusal
      })
      .on('MarkRead', () => ({ event: { type: 'message.read', created_at: at(9_000) } }))
    listing(at(10))
    const lone = await reading([], api)
    const unread = () => {
      const { unread: count, firstUnreadId } = lone.replica.tables.channels?.[CID] ?? {}
      return [count, firstUnreadId]
    }
    await lone.clock.advance(1_000)
    expect(unread()).toEqual([0, undefined])
    await lone.engine.handlers.channels.markUnread({ cid, messageId: asMessageId('m2') }, lone.client)
    await lone.clock.settle()
    expect(unread()).toEqual([2, 'm2'])
    expect(Object.values(lone.replica.tables.notices ?? {})).toMatchObject([{ code: 'unread/kept-here' }])
    expect(await lone.engine.handlers.channels.whyUnread({ cid }, lone.client)).toMatchObject({
      isLocalOnly: true,
      unread: 2,
    })
    // The server still reports an old read mark, which does not affect this one.
    await lone.engine.handlers.channels.recount({ cid, parentId: undefined }, lone.client)
    expect(unread()).toEqual([2, 'm2'])
    await lone.engine.handlers.channels.markRead({ cid }, lone.client)
    await lone.clock.advance(5_000)
    expect(unread()).toEqual([0, undefined])
    expect(api.to('MarkRead').length).toBe(1)
  },
)

test('a mark on this device ends once another device has read further', async () => {
  const messages = [aWireMessage('m1', 1), aWireMessage('m2', 2)]
  const state = (last_read: string) =>
    aWireChannelState(messages, { read: [{ user: aWireUser('me'), last_read, unread_messages: 0 }] })
  const api = withChannel(new FakeApi(), messages).on('MarkUnread', () => {
    throw refused(403, 17)
  })
  api.on('QueryChannels', () => ({ channels: [state(at(10))] })).on('GetOrCreateChannel', () => state(at(10)))
  const lone = await reading([], api)
  await lone.clock.advance(1_000)
  const unread = () => lone.replica.tables.channels?.[CID]?.unread
  await lone.engine.handlers.channels.markUnread({ cid, messageId: asMessageId('m1') }, lone.client)
  await lone.clock.settle()
  expect(unread()).toBe(2)
  api.on('GetOrCreateChannel', () => state(new Date(lone.clock.now() + 60_000).toISOString()))
  await lone.engine.handlers.channels.recount({ cid, parentId: undefined }, lone.client)
  await lone.clock.settle()
  expect(unread()).toBe(0)
})

test('a message that is not cached cannot be marked locally: then the refusal is reported', async () => {
  const api = withChannel(new FakeApi(), [aWireMessage('m1', 1)]).on('MarkUnread', () => {
    throw refused(403, 17)
  })
  const lone = await reading([], api)
  const marked = lone.engine.handlers.channels.markUnread({ cid, messageId: asMessageId('m9') }, lone.client)
  await expect(marked).rejects.toMatchObject({ code: 'server/not-allowed' })
})
