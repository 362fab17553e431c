import { afterAll, beforeAll, expect, test } from 'vitest'
import { markRead, markUnread, queryChannel } from '#shared/wire/channels.ts'
import { deleteMessage, sendMessage } from '#shared/wire/messages.ts'
import type { UnknownEvent } from '#shared/wire/events.ts'
import { startTestServer, type Client, type TestServer } from './kit.ts'

/** Thread reads as the wire contract has them in 8.8 and 8.11. */
let server: TestServer
let ann: Client
let bob: Client
let eve: Client
const channel = { type: 'messaging', id: 'threads' }

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann')
  bob = await server.connect('bob')
  eve = await server.connect('eve')
  await ann.call(queryChannel, channel, { body: { data: { members: ['ann', 'bob', 'eve'] } } })
})
afterAll(() => server.stopAll())

let count = 0
async function say(client: Client, parent_id?: string, id = `t${(count += 1)}`): Promise<string> {
  await client.call(sendMessage, channel, { body: { message: { id, text: id, ...(parent_id ? { parent_id } : {}) } } })
  return id
}

/** The newest event of this type, with what it says about threads. */
async function lastOf(client: Client, type: string) {
  await client.settle()
  const event = client.events.findLast((each) => each.type === type)
  const { unread_threads, unread_thread_messages, unread_messages, thread_id }: Partial<UnknownEvent> = event ?? {}
  return { thread_id, unread_threads, unread_thread_messages, unread_messages }
}

test('who takes part in a thread hears of replies, with their own counts, and nobody else does', async () => {
  const parent = await say(ann)
  await say(bob, parent)
  await say(bob, parent)
  expect(await lastOf(ann, 'notification.thread_message_new')).toMatchObject({
    thread_id: parent,
    unread_threads: 1,
    unread_thread_messages: 2,
  })
  expect([
    await lastOf(bob, 'notification.thread_message_new'),
    await lastOf(eve, 'notification.thread_message_new'),
  ]).toEqual([{}, {}])
  await say(ann, parent)
  expect(await lastOf(bob, 'notification.thread_message_new')).toMatchObject({ thread_id: parent, unread_threads: 1 })
})

test('reading a thread reads that thread only, and answers and tells the own connections', async () => {
  const [one, two] = [await say(eve), await say(eve)]
  await say(bob, one)
  const last = await say(bob, two)
  const { body } = await eve.call(markRead, channel, { body: { thread_id: two } })
  expect(body.event).toMatchObject({
    type: 'message.read',
    thread: { parent_message_id: two },
    last_read_message_id: last,
  })
  expect(await lastOf(eve, 'notification.mark_read')).toMatchObject({ thread_id: two, unread_threads: 1 })
  const again = await server.connect('eve')
  expect(again.first['me']).toMatchObject({ unread_threads: 1 })
})

test('a thread marked unread from a reply counts from there, and a deleted reply counts no more', async () => {
  const parent = await say(eve)
  const first = await say(bob, parent)
  const second = await say(bob, parent)
  await eve.call(markRead, channel, { body: { thread_id: parent } })
  await eve.call(markUnread, channel, { body: { thread_id: parent, message_id: second } })
  expect(await lastOf(eve, 'notification.mark_unread')).toMatchObject({ thread_id: parent, unread_messages: 1 })
  await eve.call(markUnread, channel, { body: { thread_id: parent, message_id: first } })
  expect(await lastOf(eve, 'notification.mark_unread')).toMatchObject({ unread_messages: 2 })
  await bob.call(deleteMessage, { id: first }, {})
  await say(bob, parent)
  const { unread_messages } = await lastOf(eve, 'notification.mark_unread')
  expect([
    unread_messages,
    server.services.db.all('SELECT 1 FROM thread_participants WHERE parent_id = ?', parent).length,
  ]).toEqual([2, 2])
})
