import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { getMessage, runMessageAction, sendMessage } from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client
const ROOM = { type: 'messaging', id: 'room' }

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob Łoś' })
  await ann.call(queryChannel, ROOM, { body: { data: { members: ['ann', 'bob'] } } })
  for (const client of [ann, bob]) {
    await client.call(queryChannel, ROOM, { body: { watch: true } })
    await client.takeEventTypes()
  }
})
afterAll(() => server.stopAll())

const send = async (client: Client, text: string, more: Record<string, unknown> = {}) =>
  (await client.call(sendMessage, ROOM, { body: { message: { text, ...more } } })).body.message
const stored = async () => (await ann.call(queryChannel, ROOM, { body: {} })).body.messages?.length
const press = (client: Client, id: string, button: string) =>
  client.call(runMessageAction, { id }, { body: { message_id: id, form_data: { image_action: button } } })
const picture = (message: WireMessage | undefined) => String(message?.attachments?.[0]?.thumb_url)

test('a mute command responds only to its sender, stores nothing and really mutes', async () => {
  const before = await stored()
  const answer = await send(ann, '/mute @bob')
  expect(answer).toMatchObject({ type: 'ephemeral', text: 'Bob Łoś has been muted', command: 'mute', args: '@bob' })
  expect(await ann.takeEventTypes()).toEqual(expect.arrayContaining(['notification.mutes_updated']))
  expect(await bob.takeEventTypes()).toEqual([])
  expect(await stored()).toEqual(before)
  expect((await ann.call(getMessage, { id: answer.id })).status).toBe(404)
  const undone = await send(ann, '/unmute someone', { mentioned_users: ['bob'] })
  expect(undone.text).toBe('Bob Łoś has been unmuted')
  await ann.takeEventTypes()
})

test('a name is found whatever its accents, and the rest is the reason; the permissions are those of the call', async () => {
  expect(await send(ann, '/ban @bob los much too loud')).toMatchObject({
    type: 'ephemeral',
    text: 'Bob Łoś has been banned',
  })
  const refused = await bob.call(sendMessage, ROOM, { body: { message: { text: 'hello' } } })
  expect(refused.body.code).toBe(17)
  expect((await send(ann, '/unban @bob')).text).toBe('Bob Łoś has been unbanned')
  expect((await send(bob, 'hello')).type).toBe('regular')
  for (const client of [ann, bob]) await client.takeEventTypes()
  expect(await send(bob, '/ban @ann')).toMatchObject({ type: 'error' })
  expect(await send(ann, '/mute @nobody-here')).toMatchObject({ type: 'error', text: 'Name a person: @username' })
  expect(await send(ann, '/flag @bob spam')).toMatchObject({ type: 'ephemeral', text: 'Bob Łoś has been flagged' })
})

test('a text that is not a command of the channel is sent as text', async () => {
  expect(await send(ann, '/shrug well')).toMatchObject({ type: 'regular', text: '/shrug well' })
})

test('a picture is offered, shuffled, sent and dismissed, without any network', async () => {
  const before = await stored()
  const offered = await send(ann, '/giphy cats')
  expect(offered).toMatchObject({
    type: 'ephemeral',
    command: 'giphy',
    attachments: [{ type: 'giphy', title: 'cats' }],
  })
  expect(offered.attachments?.[0]?.['actions']).toMatchObject([
    { value: 'send' },
    { value: 'shuffle' },
    { value: 'cancel' },
  ])
  const shuffled = (await press(ann, offered.id, 'shuffle')).body.message
  expect(shuffled?.id).toEqual(offered.id)
  expect(picture(shuffled)).not.toBe(picture(offered))
  expect(await stored()).toEqual(before)
  expect((await press(bob, offered.id, 'send')).body.code).toBe(16)
  for (const client of [ann, bob]) await client.takeEventTypes()
  const sent = (await press(ann, offered.id, 'send')).body.message
  expect(sent).toMatchObject({
    id: offered.id,
    type: 'regular',
    command: 'giphy',
    args: 'cats',
    command_info: { name: 'giphy' },
  })
  expect(picture(sent)).toEqual(picture(shuffled))
  expect(sent?.attachments?.[0]?.['actions']).toBeUndefined()
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
  expect(await stored()).toEqual(Number(before) + 1)
  expect((await press(ann, offered.id, 'send')).status).toBe(404)
  const other = await send(ann, '/giphy dogs')
  expect((await press(ann, other.id, 'cancel')).body.message).toBeUndefined()
  expect(await send(ann, '/giphy')).toMatchObject({ type: 'error' })
})

test('a picture is a GIF, the same for the same address', async () => {
  const offered = await send(ann, '/giphy waves')
  const path = new URL(picture(offered)).pathname
  const [first, again] = [await fetch(server.url + path), await fetch(server.url + path)]
  const bytes = Buffer.from(await first.arrayBuffer())
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('image/gif')
  expect(bytes.subarray(0, 6).toString()).toBe('GIF89a')
  expect(bytes.at(-1)).toBe(0x3b)
  expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)
  expect((await server.request('/files/giphy/../x.gif')).status).toBe(404)
})
