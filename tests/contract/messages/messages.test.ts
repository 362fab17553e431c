import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getManyMessages,
  markRead,
  markUnread,
  pinnedMessages,
  queryChannel,
  sendEvent,
  updateChannel,
} from '#shared/wire/channels.ts'
import {
  deleteMessage,
  deleteReaction,
  getMessage,
  getReactions,
  getReplies,
  sendMessage,
  sendReaction,
  updateMessage,
  updateMessagePartial,
} from '#shared/wire/messages.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

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
/** A channel of the three users; the named ones watch it, and their events so far are dropped. */
async function newChannel(watching: readonly Client[] = [ann, bob]) {
  const params = { type: 'messaging', id: `m${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob', 'eve'] } } })
  for (const client of watching) await client.call(queryChannel, params, { body: { watch: true } })
  for (const client of [ann, bob, eve]) await client.takeEventTypes()
  return { params, cid: `messaging:${params.id}` }
}
type Channel = Awaited<ReturnType<typeof newChannel>>

const send = async (client: Client, channel: Channel, message: Record<string, unknown>) =>
  (await client.call(sendMessage, channel.params, { body: { message } })).body.message

const last = (client: Client, type: string) => client.events.findLast((event) => event.type === type)

test('a message is returned with id, html, cid, user and the role of its author', async () => {
  const channel = await newChannel()
  const message = await send(ann, channel, { id: 'first', text: 'a <b>', colour: 'red' })
  expect(message.id).toBe('first')
  expect(message.html).toBe('<p>a &lt;b&gt;</p>\n')
  expect(message.cid).toEqual(channel.cid)
  expect(message.user?.id).toBe('ann')
  expect(message['member']).toEqual({ channel_role: 'channel_member' })
  expect(message['colour']).toBe('red')
  expect(message.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('watchers and the author receive message.new, members who do not watch get a notification', async () => {
  const channel = await newChannel([bob])
  await send(ann, channel, { text: 'hello' })
  expect(await ann.takeEventTypes()).toEqual(['message.new'])
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
  expect(await eve.takeEventTypes()).toEqual(['notification.message_new'])
  expect(last(eve, 'notification.message_new')?.channel?.config?.commands).toBeDefined()
})

test('counters in an event are those of each recipient', async () => {
  const channel = await newChannel([ann, bob, eve])
  await bob.call(markRead, channel.params)
  const unread = (client: Client) => last(client, 'message.new')?.total_unread_count ?? -1
  await send(ann, channel, { text: 'one' })
  await Promise.all([ann, bob, eve].map((client) => client.settle()))
  const before = [unread(ann), unread(bob), unread(eve)]
  await send(bob, channel, { text: 'two' })
  await Promise.all([ann, bob, eve].map((client) => client.settle()))
  expect(unread(ann) - (before[0] ?? 0)).toBe(1)
  expect(unread(bob) - (before[1] ?? 0)).toBe(-1)
  expect(unread(eve) - (before[2] ?? 0)).toBe(1)
})

test('the sender has read the message, the others have one unread, silent messages none', async () => {
  const channel = await newChannel()
  await send(ann, channel, { text: 'loud' })
  expect((await send(ann, channel, { text: 'quiet', silent: true })).silent).toBe(true)
  const state = await bob.call(queryChannel, channel.params, { body: {} })
  const unread = Object.fromEntries((state.body.read ?? []).map((read) => [read.user.id, read.unread_messages]))
  expect(unread).toEqual({ ann: 0, bob: 1, eve: 1 })
})

test('the same id twenty times is one message and one event', async () => {
  const channel = await newChannel()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      ann.call(sendMessage, channel.params, { body: { message: { id: 'twin', text: 'x' } } }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 201).length).toBe(1)
  const refused = answers.filter((answer) => answer.status !== 201)
  expect(refused.every((answer) => answer.status === 400 && answer.body.code === 4)).toBe(true)
  expect(refused.every((answer) => answer.body.message?.toString().includes('already exists'))).toBe(true)
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
})

test('times in a channel are strictly increasing, also within one millisecond', async () => {
  const channel = await newChannel()
  await Promise.all(
    Array.from({ length: 50 }, (_none, index) => send(index % 2 ? ann : bob, channel, { text: `${index}` })),
  )
  const state = await eve.call(queryChannel, channel.params, { body: {} })
  const times = (state.body.messages ?? []).map((message) => String(message.created_at))
  expect(times.length).toBe(50)
  expect(new Set(times).size).toBe(50)
  expect(times).toEqual(times.toSorted())
  await ann.settle()
  const received = ann.events.filter((event) => event.type === 'message.new' && event.cid === channel.cid)
  expect(received.map((event) => event.message?.created_at)).toEqual(times)
})

test('replies count on their parent, are not in the channel, and do not nest', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'parent' })
  const reply = await send(bob, channel, { text: 'reply', parent_id: parent.id })
  expect(reply.type).toBe('reply')
  expect(await ann.takeEventTypes()).toEqual([
    'message.new',
    'message.new',
    'message.updated',
    'notification.thread_message_new',
  ])
  const replies = await ann.call(getReplies, { id: parent.id })
  expect(replies.body.messages.map((message) => message.text)).toEqual(['reply'])
  const again = await ann.call(getMessage, { id: parent.id })
  expect(again.body.message.reply_count).toBe(1)
  expect(again.body.message.thread_participants?.map((user) => user.id)).toEqual(['bob'])
  const nested = await ann.call(sendMessage, channel.params, { body: { message: { text: 'x', parent_id: reply.id } } })
  expect(nested.status).toBe(400)
  expect(nested.body.code).toBe(21)
  const state = await ann.call(queryChannel, channel.params, { body: {} })
  expect(state.body.messages?.map((message) => message.text)).toEqual(['parent'])
})

test('a quote is embedded one level deep', async () => {
  const channel = await newChannel()
  const one = await send(ann, channel, { text: 'one' })
  const two = await send(bob, channel, { text: 'two', quoted_message_id: one.id })
  const three = await send(ann, channel, { text: 'three', quoted_message_id: two.id })
  expect(three.quoted_message_id).toEqual(two.id)
  expect(three.quoted_message?.text).toBe('two')
  expect(three.quoted_message?.quoted_message).toBeUndefined()
})

test('messages that are too long, empty or another user’s are refused by their own codes', async () => {
  const channel = await newChannel()
  const code = async (message: Record<string, unknown>) =>
    (await ann.call(sendMessage, channel.params, { body: { message } })).body.code
  expect(await code({ text: 'x'.repeat(5_001) })).toBe(20)
  expect(await code({ text: '  ' })).toBe(4)
  expect(await code({ text: 'x', parent_id: 'nowhere' })).toBe(16)
  expect(await code({ text: 'x', quoted_message_id: 'nowhere' })).toBe(16)
  expect(await code({ text: 'x', note: 'y'.repeat(6_000) })).toBe(22)
  expect(
    (await ann.call(sendMessage, { type: 'messaging', id: 'nowhere' }, { body: { message: { text: 'x' } } })).body.code,
  ).toBe(16)
})

test('editing replaces text and custom data, sets the edit time, and is for the author', async () => {
  const channel = await newChannel()
  const message = await send(ann, channel, { text: 'old', a: 1 })
  const edited = await ann.call(
    updateMessage,
    { id: message.id },
    { body: { message: { id: message.id, text: 'new', b: 2 } } },
  )
  expect(edited.status).toBe(201)
  expect(edited.body.message.text).toBe('new')
  expect(edited.body.message['a']).toBeUndefined()
  expect(edited.body.message['b']).toBe(2)
  expect(edited.body.message.message_text_updated_at).toBeDefined()
  const partial = await ann.call(updateMessagePartial, { id: message.id }, { body: { set: { c: 3 }, unset: ['b'] } })
  expect(partial.body.message.text).toBe('new')
  expect(partial.body.message['b']).toBeUndefined()
  expect(partial.body.message['c']).toBe(3)
  const foreign = await bob.call(updateMessagePartial, { id: message.id }, { body: { set: { text: 'mine' } } })
  expect(foreign.body.code).toBe(17)
  expect((await bob.takeEventTypes()).slice(-2)).toEqual(['message.updated', 'message.updated'])
})

test('pinning records when and by whom, unpinning clears both, an expired pin reads as none', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'pin me' })
  const pinned = await bob.call(updateMessagePartial, { id }, { body: { set: { pinned: true } } })
  expect(typeof pinned.body.message.pinned_at).toBe('string')
  expect(pinned.body.message.pinned_by?.id).toBe('bob')
  expect(pinned.body.message.pinned).toBe(true)
  expect((await ann.call(pinnedMessages, channel.params)).body.messages.map((message) => message.id)).toEqual([id])
  const off = await bob.call(updateMessagePartial, { id }, { body: { set: { pinned: false } } })
  expect(off.body.message.pinned_at).toBeNull()
  expect(off.body.message.pinned_by).toBeNull()
  const past = '2020-01-01T00:00:00Z'
  const expired = await bob.call(updateMessagePartial, { id }, { body: { set: { pinned: true, pin_expires: past } } })
  expect(expired.body.message.pinned).toBe(false)
})

test('a soft deletion leaves an empty stub, a hard one nothing', async () => {
  const channel = await newChannel()
  const soft = await send(ann, channel, { text: 'secret', colour: 'red' })
  const hard = await send(ann, channel, { text: 'gone' })
  expect((await eve.call(deleteMessage, { id: soft.id })).body.code).toBe(17)
  const answer = await ann.call(deleteMessage, { id: soft.id })
  expect(answer.status).toBe(200)
  expect(answer.body.message.type).toBe('deleted')
  expect(answer.body.message.text).toBe('')
  expect(answer.body.message['colour']).toBeUndefined()
  await ann.call(deleteMessage, { id: hard.id }, { query: { hard: true } })
  await bob.settle()
  expect(bob.events.filter((event) => event.type === 'message.deleted').map((event) => event['hard_delete'])).toEqual([
    false,
    true,
  ])
  const state = await bob.call(queryChannel, channel.params, { body: {} })
  expect(state.body.messages?.map((message) => [message.id, message.type])).toEqual([[soft.id, 'deleted']])
  expect(state.body.read?.find((read) => read.user.id === 'bob')?.unread_messages).toBe(0)
})

test('a reaction is counted and listed newest first, and its removal reverts both', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'react' })
  const one = await bob.call(sendReaction, { id }, { body: { reaction: { type: 'like', note: 'x' } } })
  expect(one.status).toBe(201)
  expect(one.body.message.reaction_counts).toEqual({ like: 1 })
  expect(one.body.message.own_reactions?.length).toBe(1)
  expect(one.body.reaction['note']).toBe('x')
  await eve.call(sendReaction, { id }, { body: { reaction: { type: 'wow' } } })
  const listed = await ann.call(getReactions, { id })
  expect(listed.body.reactions.map((reaction) => reaction.type)).toEqual(['wow', 'like'])
  expect(
    (await ann.call(getReactions, { id }, { query: { offset: 1 } })).body.reactions.map((each) => each.type),
  ).toEqual(['like'])
  const unique = await bob.call(sendReaction, { id }, { body: { reaction: { type: 'love' }, enforce_unique: true } })
  expect(unique.body.message.reaction_counts).toEqual({ wow: 1, love: 1 })
  const removed = await bob.call(deleteReaction, { id, type: 'love' })
  expect(removed.status).toBe(200)
  expect(removed.body.message.reaction_counts).toEqual({ wow: 1 })
  expect(await ann.takeEventTypes()).toEqual([
    'message.new',
    'reaction.new',
    'reaction.new',
    'reaction.updated',
    'reaction.deleted',
  ])
})

test('own reactions never leak through events', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'react' })
  await bob.call(sendReaction, { id }, { body: { reaction: { type: 'like' } } })
  await ann.call(updateMessagePartial, { id }, { body: { set: { text: 'edited' } } })
  await eve.call(queryChannel, channel.params, { body: { watch: true } })
  await Promise.all([ann.settle(), bob.settle()])
  for (const client of [ann, bob]) {
    const shown = client.events.filter((event) => event.message?.id === id).map((event) => event.message?.own_reactions)
    expect(shown).toEqual([[], [], []])
  }
})

test('reading and marking unread change the counters and notify those who may know', async () => {
  const channel = await newChannel()
  const one = await send(ann, channel, { text: 'one' })
  const two = await send(ann, channel, { text: 'two' })
  await ann.takeEventTypes()
  await bob.takeEventTypes()
  const read = await bob.call(markRead, channel.params)
  expect(read.status).toBe(201)
  expect(read.body.event?.type).toBe('message.read')
  expect(read.body.event?.['last_read_message_id']).toEqual(two.id)
  expect(await ann.takeEventTypes()).toEqual(['message.read'])
  expect(await bob.takeEventTypes()).toEqual(['message.read', 'notification.mark_read'])
  await bob.call(markUnread, channel.params, { body: { message_id: two.id } })
  await bob.settle()
  const event = last(bob, 'notification.mark_unread')
  expect(event?.unread_messages).toBe(1)
  expect(event?.['first_unread_message_id']).toEqual(two.id)
  expect(event?.['last_read_message_id']).toEqual(one.id)
  expect(await ann.takeEventTypes()).toEqual([])
})

test('typing reaches the other watchers only, and reserved types are refused', async () => {
  const channel = await newChannel()
  const answer = await ann.call(sendEvent, channel.params, { body: { event: { type: 'typing.start' } } })
  expect(answer.status).toBe(201)
  expect(answer.body.event.type).toBe('typing.start')
  expect(await ann.takeEventTypes()).toEqual([])
  expect(await bob.takeEventTypes()).toEqual(['typing.start'])
  expect(await eve.takeEventTypes()).toEqual([])
  const custom = await ann.call(sendEvent, channel.params, { body: { event: { type: 'wave', hand: 'left' } } })
  expect(custom.body.event['hand']).toBe('left')
  const forged = await ann.call(sendEvent, channel.params, { body: { event: { type: 'message.new', message: {} } } })
  expect(forged.status).toBe(400)
  expect(forged.body.code).toBe(18)
})

test('every cursor returns the right page, oldest first', async () => {
  const channel = await newChannel()
  const sent: { id: string; at: string }[] = []
  for (let index = 0; index < 9; index += 1) {
    const message = await send(ann, channel, { id: `${channel.params.id}-${index}`, text: String(index) })
    sent.push({ id: message.id, at: String(message.created_at) })
  }
  const page = async (messages: Record<string, unknown>) => {
    const state = await bob.call(queryChannel, channel.params, { body: { messages } })
    return (state.body.messages ?? []).map((message) => message.text).join('')
  }
  const [id4 = '', at4 = ''] = [sent[4]?.id, sent[4]?.at]
  expect({
    newest: await page({ limit: 3 }),
    lt: await page({ limit: 3, id_lt: id4 }),
    lte: await page({ limit: 3, id_lte: id4 }),
    gt: await page({ limit: 3, id_gt: id4 }),
    gte: await page({ limit: 3, id_gte: id4 }),
    around: await page({ limit: 5, id_around: id4 }),
    atEnd: await page({ limit: 5, id_around: sent[8]?.id }),
    atStart: await page({ limit: 5, id_around: sent[0]?.id }),
    before: await page({ limit: 3, created_at_before: at4 }),
    beforeOrEqual: await page({ limit: 3, created_at_before_or_equal: at4 }),
    after: await page({ limit: 3, created_at_after: at4 }),
    afterOrEqual: await page({ limit: 3, created_at_after_or_equal: at4 }),
    aroundTime: await page({ limit: 5, created_at_around: at4 }),
    none: await page({ limit: 0 }),
  }).toEqual({
    newest: '678',
    lt: '123',
    lte: '234',
    gt: '567',
    gte: '456',
    around: '23456',
    atEnd: '45678',
    atStart: '01234',
    before: '123',
    beforeOrEqual: '234',
    after: '567',
    afterOrEqual: '456',
    aroundTime: '23456',
    none: '',
  })
  const two = await bob.call(queryChannel, channel.params, {
    body: { messages: { id_lt: id4, created_at_after: at4 } },
  })
  expect(two.status).toBe(400)
  expect(two.body.code).toBe(4)
  const many = await bob.call(getManyMessages, channel.params, { query: { ids: `${sent[2]?.id},gone,${sent[0]?.id}` } })
  expect(many.body.messages.map((message) => message.text)).toEqual(['2', '0'])
})

test('a removed member receives no more events of the channel', async () => {
  const channel = await newChannel()
  await ann.call(updateChannel, channel.params, { body: { remove_members: ['bob'] } })
  expect(await bob.takeEventTypes()).toContain('notification.removed_from_channel')
  await send(ann, channel, { text: 'without bob' })
  expect(await bob.takeEventTypes()).toEqual([])
})
