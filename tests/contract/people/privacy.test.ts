import { afterAll, beforeAll, expect, test } from 'vitest'
import { markRead, queryChannel, sendEvent } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

/** A user can hide typing and reading. See docs/wire.md 8.8 "privacy". */
let server: TestServer
let ann: Client
let shy: Client
const channel = { type: 'messaging', id: 'private' }

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann')
  const off = { enabled: false }
  shy = await server.connect('shy', { privacy_settings: { typing_indicators: off, read_receipts: off } })
  for (const client of [ann, shy]) {
    await client.call(queryChannel, channel, { body: { data: { members: ['ann', 'shy'] }, watch: true } })
  }
  await ann.call(sendMessage, channel, { body: { message: { id: 'p1', text: 'hello' } } })
  for (const client of [ann, shy]) await client.takeEventTypes()
})
afterAll(() => server.stopAll())

test('typing with the setting off reaches no one, and the typing of others still arrives', async () => {
  await shy.call(sendEvent, channel, { body: { event: { type: 'typing.start' } } })
  expect(await ann.takeEventTypes()).toEqual([])
  await ann.call(sendEvent, channel, { body: { event: { type: 'typing.start' } } })
  expect(await shy.takeEventTypes()).toEqual(['typing.start'])
})

test('reading with the setting off is sent to the user’s own connections only, and hidden in the channel', async () => {
  await shy.call(markRead, channel, { body: {} })
  expect(await ann.takeEventTypes()).toEqual([])
  expect(await shy.takeEventTypes()).toEqual(['message.read', 'notification.mark_read'])
  const readers = async (client: Client) => {
    const { body } = await client.call(queryChannel, channel, { body: { state: true } })
    return body.read?.map((read) => read.user?.id).toSorted()
  }
  expect(await readers(ann)).toEqual(['ann'])
  expect(await readers(shy)).toEqual(['ann', 'shy'])
})
