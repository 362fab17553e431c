import { describe, expect, test } from 'vitest'
import { FakeHttp, type FakeReply, networkDown, refusal } from '#kit/fake-http.ts'
import { FakeSockets } from '#kit/fake-sockets.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { staggeredClose } from '#shared/wire/connect.ts'
import { silentSink } from '#main/lib/logger.ts'
import { createServerClock } from '../session/server-clock.ts'
import { createTokenManager, type TokenSource } from '../session/token.ts'
import { createConnection } from './connection.ts'
import { websocketTransport, longpollTransport } from './transport.ts'

const ME = { id: 'ann' }
const hello = (id: string): FakeReply => ({
  body: { event: { type: 'health.check', connection_id: id, created_at: '2026-03-02T09:00:00Z', me: ME } },
})
const typed = (...types: string[]) => types.map((type) => ({ type, created_at: '2026-03-02T09:00:00Z' }))
const events = (...types: string[]): FakeReply => ({ body: { events: typed(...types) } })

/** A server of polls: each poll waits until the test answers it. */
function createWorld(options: { source?: TokenSource; withSocket?: boolean } = {}) {
  const clock = new ManualClock()
  const sockets = new FakeSockets()
  const http = new FakeHttp()
  const ids = seededIds()
  const world = {
    connects: 0,
    connectReply: undefined as FakeReply | undefined,
    waiting: [] as ((reply: FakeReply) => void)[],
  }
  http.on('GET', '/longpoll', (call) => {
    const query = call.at.searchParams
    if (query.get('close') === 'true') return { body: {} }
    if (query.has('connection_id')) return new Promise<FakeReply>((resolve) => world.waiting.push(resolve))
    return world.connectReply ?? hello(`p${(world.connects += 1)}`)
  })
  const baseUrl = 'https://chat.example'
  const polling = longpollTransport({
    baseUrl,
    apiKey: 'K',
    userId: 'ann',
    clientName: 'x',
    http,
    clock,
    ids,
    log: silentSink,
  })
  const socket = websocketTransport({ baseUrl, apiKey: 'K', clientName: 'x', sockets, clock })
  const seen = { healthy: [] as string[], events: [] as string[] }
  const connection = createConnection({
    ports: { clock, ids, log: silentSink },
    ...(options.withSocket ? { transport: socket, fallback: polling } : { transport: polling }),
    tokens: createTokenManager(options.source ?? { kind: 'static', token: 'T1' }),
    serverClock: createServerClock(clock),
    user: ME,
    handlers: {
      onState: () => {},
      onHealthy: ({ connectionId, first }) => seen.healthy.push(`${connectionId}${first ? '' : ' again'}`),
      onEvents: (batch) => seen.events.push(...batch.map((event) => event.type)),
    },
  })
  const answer = async (reply: FakeReply) => {
    world.waiting.shift()?.(reply)
    await clock.settle()
  }
  return { ...world, world, clock, sockets, http, connection, seen, answer }
}

async function polling(source?: TokenSource) {
  const made = createWorld(source ? { source } : {})
  made.connection.start()
  await made.clock.settle()
  return made
}

describe('a long-poll connection', () => {
  test('AGR-27 connects with the payload and no id, then polls with the id it got', async () => {
    const { http, connection, seen } = await polling()
    const [first, second] = http.calls
    expect(JSON.parse(first?.at.searchParams.get('json') ?? '')).toMatchObject({ user_id: 'ann' })
    expect(first?.at.searchParams.has('connection_id')).toBe(false)
    expect(first?.timeoutMs).toBe(8_000)
    expect(second?.at.searchParams.get('connection_id')).toBe('p1')
    expect(second?.timeoutMs).toBe(30_000)
    expect(first?.headers['authorization']).toBe('T1')
    expect(first?.headers['stream-auth-type']).toBe('jwt')
    expect(connection.state().state).toBe('healthy')
    expect(connection.state().transport).toBe('longpoll')
    expect(seen.healthy).toEqual(['p1'])
  })

  test('passes on the events of each poll, and polls again', async () => {
    const { answer, seen, world } = await polling()
    await answer(events('message.new', 'typing.start'))
    await answer(events('message.read'))
    expect(seen.events).toEqual(['message.new', 'typing.start', 'message.read'])
    expect(world.waiting.length).toBe(1)
  })

  test('stays healthy while nothing happens, because empty responses count', async () => {
    const { answer, clock, connection, seen } = await polling()
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(20_000)
      await answer(events())
    }
    expect(connection.state().state).toBe('healthy')
    expect(seen.healthy).toEqual(['p1'])
  })

  test('AGR-59 that lost its id requests a new one and recovers', async () => {
    const { answer, clock, seen } = await polling()
    await answer(refusal(400, 46))
    await clock.advance(2_500)
    expect(seen.healthy).toEqual(['p1', 'p2 again'])
  })

  test('with a time slot waits for it before the back-off, and passes on the events that came with it', async () => {
    const { answer, clock, connection, http, seen } = await polling()
    const calls = http.calls.length
    await answer({ body: { events: typed('message.new'), close: staggeredClose(8_000) } })
    expect(connection.state().state).toBe('unhealthy')
    expect(seen.events).toEqual(['message.new'])
    await clock.advance(8_000)
    expect(http.calls.length).toBe(calls)
    await clock.advance(2_500)
    expect(seen.healthy).toEqual(['p1', 'p2 again'])
  })

  test('ignores a malformed close message', async () => {
    const { answer, connection, world } = await polling()
    for (const close of [{ code: 1012, reason: 'soon' }, { code: '1012' }, 'restart', null]) {
      await answer({ body: { events: [], close } })
    }
    expect(connection.state().state).toBe('healthy')
    expect(world.waiting.length).toBe(1)
  })

  test('polls again after a network fault, with the same id', async () => {
    const { answer, clock, http, seen } = await polling()
    await answer(networkDown())
    await clock.advance(2_500)
    expect(http.calls.at(-1)?.at.searchParams.get('connection_id')).toBe('p1')
    expect(seen.healthy).toEqual(['p1'])
  })

  test('AGR-60 that is rejected permanently is closed', async () => {
    const { answer, clock, connection, http } = await polling()
    await answer(refusal(403, 17))
    const calls = http.calls.length
    await clock.advance(600_000)
    expect(connection.state().blocked).toBe('server/closed')
    expect(http.calls.length).toEqual(calls)
  })

  test('renews an expired token', async () => {
    let made = 0
    const { answer, http, seen } = await polling({ kind: 'provider', load: () => Promise.resolve(`T${(made += 1)}`) })
    await answer(refusal(401, 40))
    expect(http.calls.at(-1)?.headers['authorization']).toBe('T2')
    expect(seen.healthy).toEqual(['p1', 'p2 again'])
  })

  test('closes properly when it is stopped, and polls no more', async () => {
    const { connection, http, clock } = await polling()
    await connection.stop()
    expect(Object.fromEntries(http.calls.at(-1)?.at.searchParams ?? [])).toMatchObject({
      close: 'true',
      connection_id: 'p1',
    })
    expect(http.calls.at(-1)?.timeoutMs).toBe(2_000)
    expect(clock.pending).toBe(0)
  })
})

describe('the fallback', () => {
  async function blocked() {
    const made = createWorld({ withSocket: true })
    made.connection.start()
    await made.clock.advance(20_000)
    return made
  }

  test('is in use within twenty seconds if websockets are blocked', async () => {
    const { connection, seen, sockets } = await blocked()
    expect(connection.state().transport).toBe('longpoll')
    expect(connection.state().state).toBe('healthy')
    expect(seen.healthy).toEqual(['p1'])
    expect(sockets.live).toEqual([])
  })

  test('is replaced by the websocket within ninety seconds after it works, without missing or repeated events', async () => {
    const { clock, sockets, seen, connection, http, answer } = await blocked()
    await answer(events('message.new'))
    for (let waited = 0; waited < 60_000; waited += 15_000) {
      await clock.advance(15_000)
      await answer(events())
    }
    expect(connection.state().transport).toBe('longpoll')
    expect(sockets.live.length).toBe(1)
    sockets.latest.accept(ME, 'c1')
    await clock.settle()
    sockets.latest.frame({ type: 'message.read', created_at: '2026-03-02T09:00:00Z' })
    await answer(events('message.new'))
    expect(connection.state().transport).toBe('websocket')
    expect(seen.healthy).toEqual(['p1', 'c1 again'])
    expect(seen.events).toEqual(['message.new', 'message.read'])
    expect(http.calls.some((call) => call.at.searchParams.get('close') === 'true')).toBe(true)
    sockets.latest.end()
    expect(connection.state().state).toBe('unhealthy')
  })

  test('stays in use when the websocket is tried and still fails', async () => {
    const { clock, sockets, connection, answer, seen } = await blocked()
    for (let waited = 0; waited < 300_000; waited += 15_000) {
      await clock.advance(15_000)
      if (sockets.latest.state === 'opening') sockets.latest.end()
      await answer(events())
    }
    expect(connection.state().transport).toBe('longpoll')
    expect(connection.state().state).toBe('healthy')
    expect(seen.healthy).toEqual(['p1'])
    expect(sockets.live.length).toBeLessThanOrEqual(1)
  })

  test('that a server does not support leads back to the websocket, not to a block', async () => {
    const made = createWorld({ withSocket: true })
    made.world.connectReply = refusal(404, 16)
    made.connection.start()
    await made.clock.advance(60_000)
    expect(made.connection.state()).not.toMatchObject({ blocked: expect.anything() })
    for (let tries = 0; tries < 20 && made.sockets.latest.state !== 'opening'; tries += 1)
      await made.clock.advance(2_000)
    made.sockets.latest.accept(ME, 'c1')
    expect(made.connection.state().transport).toBe('websocket')
    expect(made.connection.state().state).toBe('healthy')
  })
})
