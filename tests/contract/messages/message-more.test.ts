import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { pinnedMessages, queryChannel } from '#shared/wire/channels.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import {
  commitMessage,
  deleteMessage,
  getMessage,
  queryMessageHistory,
  queryReactions,
  sendMessage,
  sendReaction,
  translateMessage,
  undeleteMessage,
  updateMessage,
  updateMessageEphemeral,
  updateMessagePartial,
} from '#shared/wire/messages.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let root: Client
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  server = await startTestServer()
  root = await server.connect('root')
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel() {
  const params = { type: 'messaging', id: `x${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob', 'eve', 'root'] } } })
  for (const client of [ann, bob]) await client.call(queryChannel, params, { body: { watch: true } })
  for (const client of [ann, bob, eve]) await client.takeEventTypes()
  return { params, cid: `messaging:${params.id}` }
}
type Channel = Awaited<ReturnType<typeof newChannel>>
const send = async (client: Client, channel: Channel, message: Record<string, unknown>) =>
  (await client.call(sendMessage, channel.params, { body: { message } })).body.message
const token = createToken({}, SECRET)
const asServer = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body: unknown = {}, query: object = {}) =>
  callAs(server.url, { userId: 'root', token }, endpoint, params, { body, query })
const texts = async (client: Client, channel: Channel) =>
  (await client.call(queryChannel, channel.params, { body: {} })).body.messages?.map((each) => each.text)

test('D38: the history holds the older texts, newest first, for server tokens only', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'one' })
  for (const text of ['two', 'three']) await ann.call(updateMessage, { id }, { body: { message: { id, text } } })
  await ann.call(updateMessagePartial, { id }, { body: { set: { pinned: true } } })
  const filter = { message_id: id }
  const found = await asServer(queryMessageHistory, {}, { filter })
  expect(found.body.message_history.map((each) => [each.text, each.message_updated_by_id, each.is_deleted])).toEqual([
    ['two', 'ann', false],
    ['one', 'ann', false],
  ])
  const first = await asServer(queryMessageHistory, {}, { filter, limit: 1 })
  const second = await asServer(queryMessageHistory, {}, { filter, limit: 1, next: first.body.next })
  expect(second.body.message_history.map((each) => each.text)).toEqual(['one'])
  expect((await ann.call(queryMessageHistory, {}, { body: { filter } })).body.code).toBe(17)
})

test('a deleted message is read by moderators on request, and restored by a server token', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'secret' })
  await ann.call(deleteMessage, { id }, {})
  const shown = { query: { show_deleted_message: true } }
  expect((await bob.call(getMessage, { id }, shown)).body.message.text).toBe('')
  expect((await root.call(getMessage, { id }, shown)).body.message).toMatchObject({ text: 'secret', type: 'deleted' })
  expect((await ann.call(undeleteMessage, { id }, { body: {} })).body.code).toBe(17)
  await bob.takeEventTypes()
  const back = await asServer(undeleteMessage, { id }, { undeleted_by: 'root' })
  expect(back.status).toBe(201)
  expect(back.body.message.text).toBe('secret')
  expect(back.body.message.type).toBe('regular')
  expect(await bob.takeEventTypes()).toEqual(['message.undeleted'])
  expect((await asServer(undeleteMessage, { id })).body.code).toBe(4)
})

test('D12: a pending message is visible to its author alone, with its metadata, until it is committed', async () => {
  const channel = await newChannel()
  const metadata = { ticket: 7 }
  const sent = await ann.call(sendMessage, channel.params, {
    body: { message: { text: 'wait' }, pending: true, pending_message_metadata: metadata },
  })
  const { id } = sent.body.message
  expect(sent.body['pending_message_metadata' as 'code']).toEqual(metadata)
  expect(await ann.takeEventTypes()).toEqual(['message.new'])
  expect(await bob.takeEventTypes()).toEqual([])
  expect(await eve.takeEventTypes()).toEqual([])
  expect((await ann.call(getMessage, { id })).body['pending_message_metadata' as 'code']).toEqual(metadata)
  expect(await texts(ann, channel)).toEqual(['wait'])
  expect(await texts(bob, channel)).toEqual([])
  expect((await bob.call(getMessage, { id })).status).toBe(404)
  expect((await asServer(commitMessage, { id })).status).toBe(201)
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
  expect(await eve.takeEventTypes()).toEqual(['notification.message_new'])
  expect(await texts(bob, channel)).toEqual(['wait'])
  expect((await asServer(commitMessage, { id })).body.code).toBe(4)
})

test('D35: a restricted message is echoed to its author, and sent to its recipients only', async () => {
  const channel = await newChannel()
  const restricted_visibility = ['ann']
  expect(await send(ann, channel, { text: 'x', restricted_visibility })).toContain('RestrictedVisibility')
  const sent = await send(root, channel, { text: 'for Ann', restricted_visibility })
  expect(sent['restricted_visibility']).toEqual(['ann'])
  await root.call(updateMessagePartial, { id: sent.id }, { body: { set: { text: 'only for Ann' } } })
  await ann.call(sendReaction, { id: sent.id }, { body: { reaction: { type: 'like' } } })
  expect(await ann.takeEventTypes()).toEqual(['message.new', 'message.updated', 'reaction.new'])
  expect(await bob.takeEventTypes()).toEqual([])
  expect(await eve.takeEventTypes()).toEqual([])
  expect(await texts(ann, channel)).toEqual(['only for Ann'])
  expect(await texts(bob, channel)).toEqual([])
  const reads = (await bob.call(queryChannel, channel.params, { body: {} })).body.read ?? []
  expect(Object.fromEntries(reads.map((each) => [each.user.id, each.unread_messages]))).toMatchObject({
    ann: 1,
    bob: 0,
  })
  expect((await bob.call(sendReaction, { id: sent.id }, { body: { reaction: { type: 'like' } } })).status).toBe(404)
})

test('deleting for oneself leaves the message to the others', async () => {
  const channel = await newChannel()
  const { id } = await send(bob, channel, { text: 'unwanted' })
  for (const client of [ann, bob]) await client.takeEventTypes()
  const deleted = await ann.call(deleteMessage, { id }, { query: { delete_for_me: true } })
  expect(deleted.status).toBe(200)
  expect(deleted.body.message.type).toBe('deleted')
  expect(deleted.body.message['deleted_for_me']).toBe(true)
  expect(await ann.takeEventTypes()).toEqual(['message.deleted'])
  expect(await bob.takeEventTypes()).toEqual([])
  expect(await texts(ann, channel)).toEqual([''])
  expect(await texts(bob, channel)).toEqual(['unwanted'])
})

test('live text of a bot changes without counting as an edit', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'thin' })
  await bob.takeEventTypes()
  const live = await asServer(updateMessageEphemeral, { id }, { set: { text: 'thinking' } })
  expect(live.status).toBe(200)
  expect(live.body.message.text).toBe('thinking')
  expect(live.body.message.message_text_updated_at).toBeUndefined()
  expect(await bob.takeEventTypes()).toEqual(['message.updated'])
  expect((await asServer(queryMessageHistory, {}, { filter: { message_id: id } })).body.message_history).toEqual([])
  expect((await ann.call(translateMessage, { id }, { body: { language: 'pl' } })).body.code).toBe(19)
})

test('a partial update changes the quote and the silent flag too', async () => {
  const channel = await newChannel()
  const [quoted, message] = [await send(bob, channel, { text: 'first' }), await send(ann, channel, { text: 'second' })]
  const set = { quoted_message_id: quoted.id, silent: true, mood: 'calm' }
  const changed = await ann.call(updateMessagePartial, { id: message.id }, { body: { set } })
  expect(changed.body.message).toMatchObject({
    text: 'second',
    quoted_message: { text: 'first' },
    silent: true,
    mood: 'calm',
  })
  const back = await ann.call(
    updateMessagePartial,
    { id: message.id },
    { body: { unset: ['quoted_message_id', 'mood'] } },
  )
  expect(back.body.message.quoted_message_id).toBeUndefined()
  expect(back.body.message['mood']).toBeUndefined()
  expect(back.body.message.silent).toBe(true)
})

test('reactions are queried with filters and cursors', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'react' })
  for (const client of [ann, bob, eve])
    await client.call(sendReaction, { id }, { body: { reaction: { type: 'like' } } })
  await bob.call(sendReaction, { id }, { body: { reaction: { type: 'wow' } } })
  const page = async (body: Record<string, unknown>) => (await ann.call(queryReactions, { id }, { body })).body
  const first = await page({ filter: { type: 'like' }, limit: 2 })
  const second = await page({ filter: { type: 'like' }, limit: 2, next: first.next })
  expect([...first.reactions, ...second.reactions].map((each) => each.user_id)).toEqual(['eve', 'bob', 'ann'])
  expect(first.prev).toBeUndefined()
  expect(second.next).toBeUndefined()
  expect((await page({ filter: { user_id: { $in: ['bob'] } } })).reactions.map((each) => each.type)).toEqual([
    'wow',
    'like',
  ])
})

test('pinned messages are paged from any position, newest pins first or oldest first', async () => {
  const channel = await newChannel()
  const ids: string[] = []
  for (const id of ['p1', 'p2', 'p3', 'p4', 'p5']) {
    const message = await send(ann, channel, { id: `${channel.params.id}-${id}`, text: id })
    await ann.call(updateMessagePartial, { id: message.id }, { body: { set: { pinned: true } } })
    ids.push(message.id)
  }
  const page = async (payload: Record<string, unknown>, query: Record<string, unknown> = { payload }) =>
    (await bob.call(pinnedMessages, channel.params, { query })).body.messages?.map((each) => each.text).join(' ')
  const middle = (await bob.call(getMessage, { id: ids[2] ?? '' })).body.message.pinned_at
  expect({
    newest: await page({ limit: 2 }),
    oldest: await page({ limit: 2, sort: [{ field: 'pinned_at', direction: 1 }] }),
    lt: await page({ id_lt: ids[2] }),
    lte: await page({ id_lte: ids[2], limit: 2 }),
    gt: await page({ id_gt: ids[2] }),
    gte: await page({ id_gte: ids[2], limit: 1 }),
    around: await page({ id_around: ids[2], limit: 3 }),
    before: await page({ pinned_at_before: middle }),
    after: await page({ pinned_at_after: middle }),
    plain: await page({}, { limit: 1, id_lt: ids[1] }),
    offset: await page({ limit: 2, offset: 1 }),
  }).toEqual({
    newest: 'p5 p4',
    oldest: 'p1 p2',
    lt: 'p2 p1',
    lte: 'p3 p2',
    gt: 'p5 p4',
    gte: 'p3',
    around: 'p4 p3 p2',
    before: 'p2 p1',
    after: 'p5 p4',
    plain: 'p1',
    offset: 'p4 p3',
  })
  const both = await bob.call(pinnedMessages, channel.params, { query: { payload: { id_lt: ids[1], id_gt: ids[0] } } })
  expect(both.body.code).toBe(4)
})
