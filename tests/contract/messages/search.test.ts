import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel, truncateChannel } from '#shared/wire/channels.ts'
import { deleteMessage, sendMessage, updateMessagePartial, search } from '#shared/wire/messages.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client

const ROOM = { type: 'messaging', id: 'room' }
const OTHER = { type: 'messaging', id: 'other' }
const here = { cid: 'messaging:room' }

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann')
  bob = await server.connect('bob')
  await ann.call(queryChannel, ROOM, { body: { data: { members: ['ann', 'bob'] } } })
  await ann.call(queryChannel, OTHER, { body: { data: { members: ['ann'] } } })
  for (const text of [
    'Zażółć gęślą jaźń',
    'Straße nach Łódź',
    'Ёлка и ель',
    'the concatenated cat',
    'a cat and a dog',
  ]) {
    await ann.call(sendMessage, ROOM, { body: { message: { text } } })
  }
  await ann.call(sendMessage, OTHER, { body: { message: { text: 'the cat of Ann alone' } } })
})
afterAll(() => server.stopAll())

const find = (client: Client, payload: Record<string, unknown>) =>
  client.call(search, {}, { query: { payload: { filter_conditions: here, ...payload } } })
const texts = async (client: Client, payload: Record<string, unknown>) =>
  (await find(client, payload)).body.results.map(({ message }) => message.text)

test('D30: whole words only, all of them, newest first, whatever the accents', async () => {
  expect(await texts(ann, { query: 'cat' })).toEqual(['a cat and a dog', 'the concatenated cat'])
  expect(await texts(ann, { query: 'DOG cat' })).toEqual(['a cat and a dog'])
  expect(await texts(ann, { query: 'concat' })).toEqual([])
  expect(await texts(ann, { query: 'gesla zazolc' })).toEqual(['Zażółć gęślą jaźń'])
  expect(await texts(ann, { query: 'lodz strasse' })).toEqual(['Straße nach Łódź'])
  expect(await texts(ann, { query: 'елка' })).toEqual(['Ёлка и ель'])
  expect(await texts(ann, { query: '"AND" NEAR( *' })).toEqual([])
  expect(await texts(ann, { query: '***' })).toEqual([])
})

test.each([
  ['both kinds of question', { query: 'a', message_filter_conditions: { text: { $q: 'a' } } }],
  ['no question', {}],
  ['an offset with next', { query: 'a', offset: 1, next: 'e30' }],
  ['an offset with a sort', { query: 'a', offset: 1, sort: [{ field: 'created_at', direction: 1 }] }],
  ['no channel filter', { query: 'a', filter_conditions: {} }],
  ['an unknown sort', { query: 'a', sort: [{ field: 'size', direction: 1 }] }],
  ['an operator that is none', { message_filter_conditions: { text: { $near: 'a' } } }],
])('D30: a search with %s is refused', async (_name, payload) => {
  const answer = await find(ann, payload)
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe(4)
})

test('D30: next and previous page through all matches once', async () => {
  const room = { type: 'messaging', id: 'many' }
  await ann.call(queryChannel, room, { body: { data: { members: ['ann'] } } })
  for (let at = 0; at < 5; at += 1) await ann.call(sendMessage, room, { body: { message: { text: `word ${at}` } } })
  const page = async (more: Record<string, unknown>) => {
    const { body } = await find(ann, { filter_conditions: { cid: 'messaging:many' }, query: 'word', limit: 2, ...more })
    return { ...body, texts: body.results.map(({ message }) => message.text) }
  }
  const first = await page({})
  const second = await page({ next: first.next })
  const third = await page({ next: second.next })
  expect(first.texts).toEqual(['word 4', 'word 3'])
  expect(second.texts).toEqual(['word 2', 'word 1'])
  expect(third.texts).toEqual(['word 0'])
  expect(first.previous).toBeUndefined()
  expect(third.next).toBeUndefined()
  expect((await page({ next: second.previous })).texts).toEqual(['word 4', 'word 3'])
  expect((await page({ offset: 3 })).texts).toEqual(['word 1', 'word 0'])
  expect((await page({ sort: [{ field: 'created_at', direction: 1 }] })).texts).toEqual(['word 0', 'word 1'])
})

test('a filter on messages finds by text, author, attachment, mention and custom keys', async () => {
  const room = { type: 'messaging', id: 'kinds' }
  await ann.call(queryChannel, room, { body: { data: { members: ['ann', 'bob'] } } })
  const send = (client: Client, message: Record<string, unknown>) =>
    client.call(sendMessage, room, { body: { message } })
  await send(ann, { text: 'picture', attachments: [{ type: 'image', image_url: 'https://x.example/a.png' }] })
  await send(bob, { text: 'hello ann', mentioned_users: ['ann'], topic: 'tea' })
  const by = (message_filter_conditions: Record<string, unknown>) =>
    texts(ann, { filter_conditions: { cid: 'messaging:kinds' }, message_filter_conditions })
  expect(await by({ text: { $autocomplete: 'hel' } })).toEqual(['hello ann'])
  expect(await by({ text: { $any: 'picture hello' } })).toEqual(['hello ann', 'picture'])
  expect(await by({ text: { $q: 'hello' }, user_id: 'ann' })).toEqual([])
  expect(await by({ 'attachments.type': { $in: ['image'] } })).toEqual(['picture'])
  expect(await by({ attachments: { $exists: false } })).toEqual(['hello ann'])
  expect(await by({ 'mentioned_users.id': { $contains: 'ann' } })).toEqual(['hello ann'])
  expect(await by({ topic: 'tea', 'user.id': { $in: ['bob'] } })).toEqual(['hello ann'])
})

test('only messages the user may read are found, with their channel', async () => {
  const found = await find(ann, { filter_conditions: { members: { $in: ['ann'] } }, query: 'cat' })
  expect(found.body.results.map(({ message }) => (message['channel'] as { cid: string }).cid)).toContain(
    'messaging:other',
  )
  const bobs = await texts(bob, { filter_conditions: { members: { $in: ['bob'] } }, query: 'cat' })
  expect(bobs).not.toContain('the cat of Ann alone')
  expect(await texts(bob, { filter_conditions: { cid: 'messaging:other' }, query: 'cat' })).toEqual([])
})

test('edited messages are found by their new text, deleted and truncated ones no more', async () => {
  const room = { type: 'messaging', id: 'changing' }
  await ann.call(queryChannel, room, { body: { data: { members: ['ann'] } } })
  const send = async (text: string) =>
    (await ann.call(sendMessage, room, { body: { message: { text } } })).body.message.id
  const [edited, deleted] = [await send('before'), await send('going')]
  await send('staying')
  const by = (query: string) => texts(ann, { filter_conditions: { cid: 'messaging:changing' }, query })
  await ann.call(updateMessagePartial, { id: edited }, { body: { set: { text: 'after' } } })
  await ann.call(deleteMessage, { id: deleted }, {})
  expect(await by('before')).toEqual([])
  expect(await by('after')).toEqual(['after'])
  expect(await by('going')).toEqual([])
  await ann.call(deleteMessage, { id: edited }, { query: { hard: true } })
  expect(await by('after')).toEqual([])
  expect(await by('staying')).toEqual(['staying'])
  await ann.call(truncateChannel, room, { body: {} })
  expect(await by('staying')).toEqual([])
})
