import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import type { UnknownEvent } from '#shared/wire/events.ts'
import { longpollTransport } from '#main/engine/realtime/transport.ts'
import { nodeHttp } from '#main/hosts/node/ports.ts'
import { systemClock, type Clock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { API_KEY, callAs, startTestServer, tokenOf, type Client, type TestServer } from '../kit.ts'

/** Long-polling as in docs/wire.md 2.8. The server's time is moved by hand where it matters. */
let server: TestServer
let ann: Client
const time = new ManualClock()
const clock: Clock = { now: () => Date.now(), monotonic: () => time.monotonic(), after: (ms, fn) => time.after(ms, fn) }
const channel = { type: 'messaging', id: 'polled' }

beforeAll(async () => {
  server = await startTestServer({ clock })
  await (await server.connect('root')).close()
  await (await server.connect('bob')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  await ann.call(queryChannel, channel, { body: { data: { members: ['ann', 'bob'] }, watch: true } })
})
afterAll(() => server.stopAll())

type Answer = {
  status: number
  event?: UnknownEvent & { connection_id?: string; me?: { id: string } }
  events?: UnknownEvent[]
  code?: number
}

async function ask(userId: string, query: Record<string, string>): Promise<Answer> {
  const search = new URLSearchParams({ api_key: API_KEY, user_id: userId, ...query })
  const headers = { Authorization: tokenOf(userId), 'stream-auth-type': 'jwt' }
  const { status, text } = await server.request(`/longpoll?${search.toString()}`, { headers })
  return { status, ...(JSON.parse(text) as object) }
}

/** Connects and watches the channel. Returns the connection's id. */
async function polling(userId: string): Promise<string> {
  const { event } = await ask(userId, { json: JSON.stringify({ user_id: userId, user_details: { id: userId } }) })
  const connectionId = String(event?.connection_id)
  await callAs(server.url, { userId, connectionId }, queryChannel, channel, { body: { watch: true } })
  return connectionId
}

const send = (id: string) => ann.call(sendMessage, channel, { body: { message: { id, text: id } } })
const idsIn = (answer: Answer) => answer.events?.flatMap((event) => event.message_id ?? [])

test('connecting returns the first health check, with the own user', async () => {
  const { status, event } = await ask('bob', { json: JSON.stringify({ user_id: 'bob', user_details: { id: 'bob' } }) })
  expect(status).toBe(200)
  expect(event?.type).toBe('health.check')
  expect(event?.me?.id).toBe('bob')
  expect(typeof event?.connection_id).toBe('string')
})

test('events between two polls are returned at once, in order, and once', async () => {
  const connection_id = await polling('bob')
  await send('l1')
  await send('l2')
  expect(idsIn(await ask('bob', { connection_id }))).toEqual(['l1', 'l2'])
  const held = ask('bob', { connection_id })
  await send('l3')
  expect(idsIn(await held)).toEqual(['l3'])
})

test('an idle poll returns after twenty seconds', async () => {
  const connection_id = await polling('bob')
  await send('l4')
  await ask('bob', { connection_id })
  let answer: Answer | undefined
  void ask('bob', { connection_id }).then((given) => (answer = given))
  const waited = async (): Promise<Answer | undefined> => {
    await time.advance(4_000)
    return answer
  }
  await expect.poll(waited).toMatchObject({ status: 200, events: [] })
})

test('a connection not polled for a minute is gone, as is one that was closed or is another user\u2019s', async () => {
  const [left, closed, mine] = [await polling('bob'), await polling('bob'), await polling('bob')]
  expect(await ask('bob', { connection_id: closed, close: 'true' })).toMatchObject({ status: 200 })
  expect(await ask('ann', { connection_id: mine })).toMatchObject({ status: 400, code: 46 })
  await time.advance(61_000)
  for (const connection_id of [left, closed]) {
    expect(await ask('bob', { connection_id })).toMatchObject({ status: 400, code: 46 })
  }
})

test('a handshake without a token is refused as over a websocket', async () => {
  const json = JSON.stringify({ user_id: 'bob', user_details: {} })
  const { status, text } = await server.request(
    `/longpoll?${new URLSearchParams({ api_key: API_KEY, json }).toString()}`,
  )
  expect(status).toBe(401)
  expect((JSON.parse(text) as { code: number }).code).toBe(5)
})

test('the transport of the engine works with it: health check first, then events, then a close', async () => {
  const frames: UnknownEvent[] = []
  const transport = longpollTransport({
    baseUrl: server.url,
    apiKey: API_KEY,
    userId: 'bob',
    clientName: 'test',
    http: nodeHttp(),
    clock: systemClock,
    ids: systemIds,
    log: silentSink,
  })
  const payload = JSON.stringify({ user_id: 'bob', user_details: { id: 'bob' } })
  const line = transport.open(
    { token: tokenOf('bob'), authType: 'jwt', payload },
    { onFrame: (frame) => void frames.push(frame as UnknownEvent), onLost: () => undefined },
  )
  await expect.poll(() => frames.length).toBe(1)
  const connectionId = String(frames[0]?.['connection_id'])
  await callAs(server.url, { userId: 'bob', connectionId }, queryChannel, channel, { body: { watch: true } })
  await send('l9')
  await expect.poll(() => frames.find((frame) => frame.type === 'message.new')?.['message_id']).toBe('l9')
  await line.close()
  expect(await ask('bob', { connection_id: connectionId })).toMatchObject({ code: 46 })
})

test('a stopping server ends the polls it holds, and says when to reconnect', async () => {
  const other = await startTestServer()
  await (await other.connect('root')).close()
  const search = (query: object) => new URLSearchParams({ api_key: API_KEY, user_id: 'root', ...query }).toString()
  const headers = { Authorization: tokenOf('root') }
  const json = JSON.stringify({ user_id: 'root', user_details: { id: 'root' } })
  const { text } = await other.request(`/longpoll?${search({ json })}`, { headers })
  const { event } = JSON.parse(text) as { event: { connection_id: string } }
  const poll = () => other.request(`/longpoll?${search({ connection_id: event.connection_id })}`, { headers })
  // The second one ends the first: when one returns, the other is held.
  const polls = [poll(), poll()]
  await Promise.race(polls)
  await other.stopAll()
  const answers = await Promise.all(polls)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const closings = answers.flatMap((answer) => (JSON.parse(answer.text) as { close?: object }).close ?? [])
  expect(closings).toEqual([{ code: 1012, reason: 'come back after 0 ms' }])
})
