import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { Json } from '#main/server/http/json.ts'
import { sync, upsertUsers } from '#shared/wire/app.ts'
import {
  queryChannel,
  markChannelsRead,
  markDelivered,
  unreadCounts,
  unreadCountsBatch,
} from '#shared/wire/channels.ts'
import { sendMessage, createDraft } from '#shared/wire/messages.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'
import { openRoom } from '../room.ts'

let server: TestServer
let ann: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel(type = 'messaging') {
  const params = { type, id: `r${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
  for (const client of [ann, bob]) await client.call(queryChannel, params, { body: { watch: true } })
  for (const client of [ann, bob]) await client.takeEventTypes()
  return { params, cid: `${type}:${params.id}` }
}
type Channel = Awaited<ReturnType<typeof newChannel>>
const send = async (client: Client, channel: Channel, message: Record<string, unknown>) =>
  (await client.call(sendMessage, channel.params, { body: { message } })).body.message
const counts = async (client: Client) => (await client.call(unreadCounts, {})).body
const last = (client: Client, type: string) => client.events.findLast((event) => event.type === type)

test('D29: unread messages are counted by channel and by type, and unread threads separately', async () => {
  const channel = await newChannel()
  const other = await newChannel('team')
  for (let at = 0; at < 5; at += 1) await send(ann, channel, { text: 'x' })
  await send(ann, other, { text: 'y' })
  const root = await send(bob, other, { text: 'root' })
  await send(bob, other, { text: 'own', parent_id: root.id })
  await send(ann, other, { text: 'again' })
  await send(ann, other, { text: 'theirs', parent_id: root.id })
  const found = await counts(bob)
  expect(found).toMatchObject({
    total_unread_count: 6,
    total_unread_threads_count: 1,
    channels: [
      { channel_id: channel.cid, unread_count: 5 },
      { channel_id: other.cid, unread_count: 1 },
    ],
    threads: [{ parent_message_id: root.id, unread_count: 1 }],
  })
  expect(Object.fromEntries(found.channel_type.map((each) => [each.channel_type, each.unread_count]))).toEqual({
    messaging: 5,
    team: 1,
  })
  const token = createToken({}, SECRET)
  const body = { user_ids: ['bob', 'nobody'] }
  const batch = await callAs(server.url, { userId: 'root', token }, unreadCountsBatch, {}, { body })
  expect(Object.keys(batch.body.counts_by_user)).toEqual(['bob'])
  expect(batch.body.counts_by_user['bob']?.total_unread_count).toBe(6)
  expect((await ann.call(unreadCountsBatch, {}, { body })).body.code).toBe(17)
})

test('marking everything read sends one event to the reader, and one per channel to its watchers', async () => {
  const channels = [await newChannel(), await newChannel()]
  for (const channel of channels) await send(ann, channel, { text: 'new' })
  for (const client of [ann, bob]) await client.takeEventTypes()
  const { status, body } = await bob.call(markChannelsRead, {}, { body: {} })
  expect(status).toBe(201)
  expect(body.event?.type).toBe('notification.mark_read')
  expect(body.event?.cid).toBeUndefined()
  const types = await bob.takeEventTypes()
  expect(types.filter((type) => type === 'notification.mark_read')).toHaveLength(1)
  expect(last(bob, 'notification.mark_read')).toMatchObject({ unread_channels: 0, total_unread_count: 0 })
  const cids = ann.events.filter((event) => event.type === 'message.read').map((event) => event.cid)
  expect(cids).toEqual(expect.arrayContaining(channels.map((channel) => channel.cid)))
  expect((await counts(bob)).total_unread_count).toBe(0)
})

test('some channels are read up to a message each, and users outside read none', async () => {
  const [one, two] = [await newChannel(), await newChannel()]
  const first = await send(ann, one, { text: '1' })
  await send(ann, one, { text: '2' })
  await send(ann, two, { text: '3' })
  await bob.call(markChannelsRead, {}, { body: { read_by_channel: { [one.cid]: first.id, [two.cid]: '' } } })
  expect((await counts(bob)).channels).toMatchObject([{ channel_id: one.cid, unread_count: 1 }])
  const eve = await server.connect('eve')
  const refused = await eve.call(markChannelsRead, {}, { body: { read_by_channel: { [one.cid]: first.id } } })
  expect(refused.body.code).toBe(16)
  const many = Object.fromEntries(Array.from({ length: 31 }, (_none, at) => [`messaging:${at}`, 'x']))
  expect((await bob.call(markChannelsRead, {}, { body: { read_by_channel: many } })).body.code).toBe(4)
})

test('delivery is sent to the watchers, never goes back, and is part of the read state', async () => {
  const channel = await newChannel()
  const [first, second] = [await send(ann, channel, { text: '1' }), await send(ann, channel, { text: '2' })]
  for (const client of [ann, bob]) await client.takeEventTypes()
  const mark = (client: Client, id: string) =>
    client.call(markDelivered, {}, { body: { latest_delivered_messages: [{ cid: channel.cid, id }] } })
  const notified = await mark(bob, second.id)
  expect(notified.status).toBe(201)
  expect(notified.body.event?.type).toBe('message.delivered')
  expect((await mark(bob, first.id)).body.event).toBeUndefined()
  expect((await mark(bob, 'missing')).body.event).toBeUndefined()
  expect(await ann.takeEventTypes()).toEqual(['message.delivered'])
  expect(last(ann, 'message.delivered')).toMatchObject({ user: { id: 'bob' }, last_delivered_message_id: second.id })
  const reads = (await ann.call(queryChannel, channel.params, { body: {} })).body.read ?? []
  expect(reads.find((each) => each.user.id === 'bob')).toMatchObject({ last_delivered_message_id: second.id })
  const privacy_settings = { delivery_receipts: { enabled: false } }
  await bob.call(upsertUsers, {}, { body: { users: { bob: { id: 'bob', privacy_settings } } } })
  const third = await send(ann, channel, { text: '3' })
  for (const client of [ann, bob]) await client.takeEventTypes()
  await mark(bob, third.id)
  expect(await ann.takeEventTypes()).toEqual([])
  expect(await bob.takeEventTypes()).toEqual(['message.delivered'])
})

test('a sync returns missed events: those of drafts to their owner only', async () => {
  const channel = await newChannel()
  const last_sync_at = new Date(Date.now() - 1).toISOString()
  await ann.call(createDraft, channel.params, { body: { message: { text: 'later' } } })
  await send(bob, channel, { text: 'now' })
  const missed = async (client: Client) => {
    const { body } = await client.call(sync, {}, { body: { channel_cids: [channel.cid], last_sync_at } })
    return body.events.map((event) => event.type)
  }
  expect(await missed(ann)).toEqual(['draft.updated', 'message.new'])
  expect(await missed(bob)).toEqual(['message.new'])
})

test('only the last hundred messages can be marked unread by id, an older one by its time', async () => {
  const room = openRoom(['ann', 'bob'])
  const params = { type: 'messaging', id: 'long' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
  for (let at = 0; at <= 100; at += 1) {
    await room.clock.advance(1_000)
    room.done('SendMessage', 'ann', { params, body: { message: { id: `n${at}`, text: 'x' } } })
  }
  room.done('MarkRead', 'bob', { params })
  const unread = (body: Json) => room.ask('MarkUnread', 'bob', { params, body })
  expect(unread({ message_id: 'n0' })).toMatchObject({
    code: 4,
    reply: { message: 'MarkUnread failed with error: "only one of the last 100 messages can be marked unread"' },
  })
  const left = () => room.done<{ total_unread_count: number }>('UnreadCounts', 'bob').total_unread_count
  expect(left()).toBe(0)
  expect(unread({ message_id: 'n1' }).code).toBeUndefined()
  expect(left()).toBe(100)
  room.done('MarkRead', 'bob', { params })
  const message_timestamp = new Date(room.clock.now() - 101_000).toISOString()
  expect(unread({ message_timestamp }).code).toBeUndefined()
  expect(left()).toBe(101)
  room.close()
})
