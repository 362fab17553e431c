import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { callAs, connectUrl, frameText, startTestServer, type Client, type TestServer } from '../contract/kit.ts'
import { dial, type RawConnection } from './kit/raw.ts'

/** One bad client does not affect the others. */

const room = { type: 'messaging', id: 'room' }
let server: TestServer
let ann: Client
beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('eve')).close()
  ann = await server.connect('ann')
  await ann.call(queryChannel, room, { body: { data: { members: ['ann', 'eve'] }, watch: true } })
})
afterAll(() => server.stopAll())

const send = (text: string) => ann.call(sendMessage, room, { body: { message: { text } } })

/** A user who watches the channel and stops reading. */
async function stalled(): Promise<{ socket: WebSocket; closed: Promise<number>; resume: () => void }> {
  const socket = new WebSocket(connectUrl(server.url, 'eve'))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const first = await new Promise<{ connection_id: string }>((resolve) =>
    socket.once('message', (data) => resolve(JSON.parse(frameText(data)) as { connection_id: string })),
  )
  const who = { userId: 'eve', connectionId: first.connection_id }
  await callAs(server.url, who, queryChannel, room, { body: { watch: true } })
  socket.pause()
  return { socket, closed, resume: () => socket.resume() }
}

test('SRV-46 five hundred events to a reader that stopped do not delay another one', async () => {
  const eve = await stalled()
  const before = ann.events.length
  const text = 'x'.repeat(4_900)
  for (let sent = 0; sent < 50; sent += 1) {
    await Promise.all(Array.from({ length: 10 }, (_each, at) => send(`${sent * 10 + at} ${text}`)))
  }
  await ann.settle()
  const received = ann.events.slice(before).filter((event) => event.type === 'message.new')
  expect(new Set(received.map((event) => event.message?.id)).size).toBe(500)
  expect(server.services.hub.ofUser('ann').size).toBe(1)
  eve.socket.terminate()
  await eve.closed
})

test('SRV-46 a reader far behind is closed, and its queue is freed', async () => {
  const eve = await stalled()
  const text = 'x'.repeat(4_900)
  let sent = 0
  while (server.services.hub.ofUser('eve').size > 0 && sent < 6_000) {
    await Promise.all(Array.from({ length: 20 }, () => send(text)))
    sent += 20
  }
  expect(sent).toBeLessThan(6_000)
  expect(server.services.hub.ofUser('eve').size).toBe(0)
  eve.resume()
  expect([1006, 1013]).toContain(await eve.closed)
  expect((await ann.takeEventTypes()).filter((type) => type === 'message.new').length).toBeGreaterThanOrEqual(sent)
})

const spread = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** How long a normal client waits for each of fifty calls. */
async function waits(): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < 50; call += 1) {
    const started = performance.now()
    expect((await send('hello')).status).toBe(201)
    times.push(performance.now() - started)
  }
  return times
}

test('SRV-49 two hundred connections that never finish their request do not slow down a normal client', async () => {
  await waits()
  const alone = spread(await waits(), 0.5)
  const connections: RawConnection[] = await Promise.all(Array.from({ length: 200 }, () => dial(server.url)))
  for (const { socket } of connections) socket.write('POST /channels HTTP/1.1\r\nHost: x\r\nX-A: ')
  const beside: number[] = []
  for (let round = 0; round < 2; round += 1) {
    for (const { socket } of connections) socket.write('b')
    beside.push(...(await waits()))
  }
  // Nearly all of the time is spent on the disk; an idle connection costs nothing. Ten times leaves room for a busy
  // machine.
  expect(spread(beside, 0.5)).toBeLessThan(alone * 10)
  expect(connections.filter(({ socket }) => socket.destroyed)).toEqual([])
  for (const { socket } of connections) socket.destroy()
})

test('SRV-49 headers that do not arrive in time get 23 and the connection is closed', async () => {
  const connection = await dial(server.url)
  connection.socket.write('POST /channels HTTP/1.1\r\nHost: x\r\nX-A: ')
  await connection.ended
  expect(connection.text()).toMatch(/^HTTP\/1\.1 408 [^]*"code":23/)
})
