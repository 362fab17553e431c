import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import {
  deleteMessage,
  sendMessage,
  getThread,
  queryThreads,
  updateThreadPartial,
  createDraft,
} from '#shared/wire/messages.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel() {
  const params = { type: 'messaging', id: `t${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
  return { params, cid: `messaging:${params.id}` }
}
type Channel = Awaited<ReturnType<typeof newChannel>>
const send = async (client: Client, channel: Channel, message: Record<string, unknown>) =>
  (await client.call(sendMessage, channel.params, { body: { message } })).body.message

test('D28: a thread begins with its first reply and is titled by its parent', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'What now?' })
  expect((await ann.call(getThread, { messageId: parent.id })).body.code).toBe(16)
  const reply = await send(ann, channel, { text: 'this', parent_id: parent.id })
  const found = await ann.call(queryThreads, {}, { body: { filter: { channel_cid: channel.cid } } })
  expect(found.status).toBe(201)
  expect(found.body.next).toBeUndefined()
  expect(found.body.prev).toBeUndefined()
  expect(found.body.threads.length).toBe(1)
  expect(found.body.threads[0]).toMatchObject({
    parent_message_id: parent.id,
    channel_cid: channel.cid,
    title: 'What now?',
    created_by_user_id: 'ann',
    reply_count: 1,
    participant_count: 1,
    created_at: reply.created_at,
    updated_at: reply.created_at,
    last_message_at: reply.created_at,
    parent_message: { id: parent.id },
    channel: { cid: channel.cid },
    latest_replies: [{ id: reply.id }],
    thread_participants: [{ user_id: 'ann', user: { name: 'Ann' } }],
    read: [{ user: { id: 'ann' }, unread_messages: 0 }],
  })
})

test('replies of a thread are the newest ones, oldest first, with all read states and the viewer’s draft', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'root' })
  for (const text of ['1', '2', '3', '4']) await send(bob, channel, { text, parent_id: parent.id })
  await ann.call(createDraft, channel.params, { body: { message: { text: 'to say', parent_id: parent.id } } })
  const { body } = await ann.call(getThread, { messageId: parent.id }, { query: { reply_limit: 2 } })
  expect(body.thread.latest_replies.map((each) => each.text)).toEqual(['3', '4'])
  expect(body.thread.draft?.message.text).toBe('to say')
  expect(body.thread.created_by_user_id).toBe('bob')
  const reads = (body.thread.read ?? []).map((each) => [each.user.id, each.unread_messages])
  expect(Object.fromEntries(reads)).toEqual({ ann: 4, bob: 0 })
  expect(body.thread.participant_count).toBe(2)
  const token = createToken({}, SECRET)
  const byServer = await callAs(server.url, { userId: 'ann', token }, getThread, { messageId: parent.id })
  expect(byServer.status).toBe(200)
  expect(byServer.body.thread.read).toBeUndefined()
})

test('only threads the user takes part in are listed: unread ones first, then the newest, page by page', async () => {
  const channel = await newChannel()
  const roots = []
  for (const text of ['a', 'b', 'c']) {
    const parent = await send(ann, channel, { text })
    await send(ann, channel, { text: 'own', parent_id: parent.id })
    roots.push(parent)
  }
  await send(bob, channel, { text: 'news', parent_id: roots[0]?.id })
  const filter = { channel_cid: channel.cid }
  const page = async (client: Client, body: Record<string, unknown>) => {
    const answer = (await client.call(queryThreads, {}, { body: { filter, ...body } })).body
    return { ...answer, titles: answer.threads.map((each) => each.title) }
  }
  const first = await page(ann, { limit: 2 })
  expect(first.titles).toEqual(['a', 'c'])
  const second = await page(ann, { limit: 2, next: first.next })
  expect(second.titles).toEqual(['b'])
  expect(second.next).toBeUndefined()
  expect((await page(ann, { limit: 2, prev: second.prev })).titles).toEqual(['a', 'c'])
  expect((await page(bob, {})).titles).toEqual(['a'])
  expect((await page(ann, { filter: { ...filter, has_unread: true } })).titles).toEqual(['a'])
  expect((await page(ann, { sort: [{ field: 'created_at', direction: 1 }] })).titles).toEqual(['a', 'b', 'c'])
  expect((await ann.call(queryThreads, {}, { body: { sort: [{ field: 'colour', direction: 1 }] } })).body.code).toBe(4)
})

test('watching the list watches the channels of its threads', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'watched' })
  await send(bob, channel, { text: 'reply', parent_id: parent.id })
  await bob.call(queryThreads, {}, { body: { watch: true, filter: { channel_cid: channel.cid } } })
  await bob.takeEventTypes()
  await send(ann, channel, { text: 'hello' })
  expect(await bob.takeEventTypes()).toContain('message.new')
})

test('title and custom keys are changed in part, sent to the watchers, and reserved keys are refused', async () => {
  const channel = await newChannel()
  const parent = await send(bob, channel, { text: 'root' })
  await send(ann, channel, { text: 'reply', parent_id: parent.id })
  await bob.call(queryChannel, channel.params, { body: { watch: true } })
  await bob.takeEventTypes()
  await ann.takeEventTypes()
  const at = { messageId: parent.id }
  const set = { title: 'Plans', colour: 'red' }
  const changed = await ann.call(updateThreadPartial, at, { body: { set } })
  expect(changed.status).toBe(200)
  expect(changed.body.thread).toMatchObject({ title: 'Plans', colour: 'red' })
  expect(await bob.takeEventTypes()).toEqual(['thread.updated'])
  expect(await ann.takeEventTypes()).toEqual([])
  const back = await ann.call(updateThreadPartial, at, { body: { unset: ['title', 'colour'] } })
  expect(back.body.thread.title).toBe('root')
  expect(back.body.thread['colour']).toBeUndefined()
  for (const key of ['reply_count', 'channel', 'custom', 'created_at']) {
    expect((await ann.call(updateThreadPartial, at, { body: { set: { [key]: 1 } } })).body.code).toBe(4)
  }
  expect((await eve.call(updateThreadPartial, at, { body: { set } })).body.code).toBe(16)
})

test('a thread without replies is removed from the list', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'root' })
  const reply = await send(ann, channel, { text: 'only', parent_id: parent.id })
  await ann.call(deleteMessage, { id: reply.id }, {})
  const found = await ann.call(queryThreads, {}, { body: { filter: { channel_cid: channel.cid } } })
  expect(found.body.threads).toEqual([])
  expect((await ann.call(getThread, { messageId: parent.id })).status).toBe(404)
})
