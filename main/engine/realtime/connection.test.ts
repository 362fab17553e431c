import { beforeEach, describe, expect, test } from 'vitest'
import { connected, createNewConnection, ME } from '#kit/one-connection.ts'
import { staggeredClose } from '#shared/wire/connect.ts'
import type { ConnectionControl } from './transport.ts'

const event = (type: string) => ({ type, cid: 'messaging:general', created_at: '2026-03-02T09:00:01Z' })

describe('connecting', () => {
  test('uses the address of the wire contract', async () => {
    const { sockets, connection, clock } = createNewConnection()
    connection.start()
    await clock.settle()
    const { url, query } = sockets.latest
    expect(url.startsWith('wss://chat.example/connect?')).toBe(true)
    expect(JSON.parse(query.get('json') ?? '')).toMatchObject({ user_id: 'ann', user_details: ME })
    expect(query.get('api_key')).toBe('K')
    expect(query.get('authorization')).toBe('T1')
    expect(query.get('stream-auth-type')).toBe('jwt')
  })

  test('is healthy with the first health check, not with the open socket', async () => {
    const { sockets, connection, clock, seen } = createNewConnection()
    connection.start()
    await clock.settle()
    sockets.latest.open()
    expect(connection.state().state).toBe('connecting')
    sockets.latest.accept(ME, 'c1')
    expect(connection.state()).toEqual({
      state: 'healthy',
      offline: false,
      transport: 'websocket',
      serverRestarting: false,
    })
    expect(seen.healthy).toEqual([{ me: ME, connectionId: 'c1', first: true }])
  })

  test('refuses to be started twice, with the text of the contract', () => {
    const { connection } = createNewConnection()
    connection.start()
    expect(() => connection.start()).toThrow("You've called connect twice, can only attempt 1 connection at the time")
  })

  test('AGR-23 gives a dial fifteen seconds, then tries again', async () => {
    const { sockets, connection, clock } = createNewConnection()
    connection.start()
    await clock.advance(14_999)
    expect(connection.state().state).toBe('connecting')
    await clock.advance(1)
    expect(connection.state().state).toBe('unhealthy')
    await clock.advance(2_500)
    expect(sockets.all.length).toBe(2)
    expect(sockets.live.length).toBe(1)
  })
})

describe('losing the connection', () => {
  test('AGR-26 reports offline only after five seconds, and online at once', async () => {
    const { sockets, connection, clock, seen } = await connected()
    sockets.latest.end()
    expect(connection.state()).toMatchObject({ state: 'unhealthy', offline: false, lostAt: clock.now() })
    const lostAt = connection.state().lostAt
    await clock.advance(4_999)
    expect(seen.states.some((state) => state.offline)).toBe(false)
    await clock.advance(1)
    expect(connection.state()).toMatchObject({ offline: true, lostAt })
    await clock.advance(20_000)
    sockets.latest.accept(ME, 'c2')
    expect(connection.state()).toEqual({
      state: 'healthy',
      offline: false,
      transport: 'websocket',
      serverRestarting: false,
    })
    expect(seen.healthy.at(-1)).toMatchObject({ connectionId: 'c2', first: false })
  })

  test('tries at most three times in the first ten seconds, and reports the time of the next attempt', async () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const world = createNewConnection(undefined, seed)
      world.connection.start()
      await world.clock.settle()
      world.sockets.latest.accept(ME)
      world.sockets.latest.end()
      const before = world.sockets.all.length
      for (let step = 0; step < 100; step += 1) {
        await world.clock.advance(100)
        if (world.sockets.latest.state === 'opening') world.sockets.latest.end()
      }
      expect(world.sockets.all.length - before).toBeLessThanOrEqual(3)
      expect(world.connection.state().nextTryAt).toBeGreaterThan(world.clock.now())
    }
  })

  test('AGR-11 never waits longer than the maximum', async () => {
    const { sockets, connection, clock } = await connected()
    for (let round = 0; round < 30; round += 1) {
      sockets.latest.end()
      expect((connection.state().nextTryAt ?? Infinity) - clock.now()).toBeLessThanOrEqual(25_000)
      await clock.advance(25_000)
    }
    expect(sockets.live.length).toBe(1)
  })

  test('waits for the time slot of a restarting server, then for the back-off', async () => {
    const { sockets, connection, clock } = await connected()
    const { code, reason } = staggeredClose(8_000)
    sockets.latest.end(code, reason)
    const wait = (connection.state().nextTryAt ?? 0) - clock.now()
    expect(wait).toBeGreaterThanOrEqual(8_250)
    expect(wait).toBeLessThanOrEqual(10_500)
    await clock.advance(8_000)
    expect(sockets.all.length).toBe(1)
    await clock.advance(2_500)
    expect(sockets.all.length).toBe(2)
  })

  test('waits only for the back-off if the time slot is malformed', async () => {
    const { sockets, connection, clock } = await connected()
    sockets.latest.end(1012, 'come back after 31000 ms')
    expect((connection.state().nextTryAt ?? Infinity) - clock.now()).toBeLessThanOrEqual(2_500)
  })

  test.each([
    ['a person asks', (connection: ConnectionControl) => connection.reconnectNow()],
    ['the network comes back', (connection: ConnectionControl) => connection.networkOnline()],
    ['the device wakes', (connection: ConnectionControl) => connection.resumed()],
  ])('does not wait for the moment it was given when %s', async (_what, act) => {
    const { sockets, connection, clock } = await connected()
    const { code, reason } = staggeredClose(30_000)
    sockets.latest.end(code, reason)
    act(connection)
    await clock.advance(10)
    expect(sockets.all.length).toBe(2)
  })

  test.each([24, -24])(
    'AGR-22 notices a dead peer after 35 seconds of silence, even if the wall clock jumps %i h',
    async (hours) => {
      const { clock, connection } = await connected()
      clock.jumpWall(hours * 3_600_000)
      await clock.advance(34_999)
      expect(connection.state().state).toBe('healthy')
      await clock.advance(1)
      expect(connection.state().state).toBe('unhealthy')
    },
  )

  test('never has two sockets, even when two attempts waited for the same token', async () => {
    let release: (token: string) => void = () => {}
    const { connection, sockets, clock } = createNewConnection({
      kind: 'provider',
      load: () => new Promise((resolve) => (release = resolve)),
    })
    connection.start()
    await clock.advance(2_000)
    connection.networkOnline()
    await clock.advance(10)
    release('T1')
    await clock.settle()
    expect(sockets.all.length).toBe(1)
  })

  test('any frame proves that the connection is alive', async () => {
    const { clock, connection, sockets } = await connected()
    await clock.advance(30_000)
    sockets.latest.frame(event('message.new'))
    await clock.advance(34_000)
    expect(connection.state().state).toBe('healthy')
  })

  test('ignores frames of an old socket', async () => {
    const { clock, sockets, seen } = await connected()
    const old = sockets.latest
    old.end()
    await clock.advance(3_000)
    sockets.latest.accept(ME, 'c2')
    old.frame(event('message.new'))
    old.frame({ error: { code: 17, message: '' } })
    await clock.settle()
    expect(seen.batches).toEqual([])
    expect(seen.healthy.length).toBe(2)
  })
})

describe('keep-alive', () => {
  test('AGR-21 pings 25 seconds after each health check, as an array with one object', async () => {
    const { clock, sockets } = await connected()
    await clock.advance(25_000)
    const [ping] = sockets.latest.sent
    const [body] = JSON.parse(ping ?? '[]') as { type: string; client_id: string }[]
    expect(body).toEqual({ type: 'health.check', client_id: expect.stringMatching(/^ann--[0-9a-f-]{36}$/) })
    sockets.latest.frame({ type: 'health.check', connection_id: 'c1', created_at: '2026-03-02T09:00:25Z' })
    await clock.advance(24_999)
    expect(sockets.latest.sent.length).toBe(1)
    await clock.advance(1)
    expect(sockets.latest.sent.length).toBe(2)
  })

  test('a pong does not count as a new connection', async () => {
    const { sockets, seen } = await connected()
    sockets.latest.frame({ type: 'health.check', connection_id: 'c1', created_at: '2026-03-02T09:00:25Z' })
    expect(seen.healthy.length).toBe(1)
  })
})

describe('the device', () => {
  test('going offline is only a hint, and a frame reverts it', async () => {
    const { connection, sockets, clock, seen } = await connected()
    connection.networkOffline()
    expect(connection.state().state).toBe('unhealthy')
    expect(sockets.live.length).toBe(1)
    sockets.latest.frame(event('message.new'))
    await clock.settle()
    expect(connection.state().state).toBe('healthy')
    expect(seen.healthy.length).toBe(1)
    expect(sockets.all.length).toBe(1)
  })

  test('AGR-24 coming online tries again after ten milliseconds, with one socket', async () => {
    const { connection, sockets, clock } = await connected()
    connection.networkOffline()
    connection.networkOnline()
    await clock.advance(9)
    expect(sockets.all.length).toBe(1)
    await clock.advance(1)
    expect(sockets.all.length).toBe(2)
    expect(sockets.live.length).toBe(1)
  })

  test('coming online shortens a planned wait', async () => {
    const { connection, sockets, clock } = await connected()
    sockets.latest.end()
    connection.networkOnline()
    await clock.advance(10)
    expect(sockets.all.length).toBe(2)
  })

  test('waking after eight hours reconnects once, without a burst of timers', async () => {
    const { connection, sockets, clock } = await connected()
    clock.jumpWall(8 * 3_600_000)
    connection.resumed()
    connection.networkOnline()
    await clock.advance(1_000)
    expect(sockets.all.length).toBe(2)
    expect(sockets.live.length).toBe(1)
    expect(clock.pending).toBeLessThanOrEqual(10)
  })

  test('waking after a moment only pings the connection', async () => {
    const { connection, sockets } = await connected()
    connection.resumed()
    expect(sockets.all.length).toBe(1)
    expect(sockets.latest.sent.length).toBe(1)
  })
})

describe('events', () => {
  test('of one turn are passed on together, in order', async () => {
    const { sockets, clock, seen } = await connected()
    for (const type of ['message.new', 'typing.start', 'own.custom']) sockets.latest.frame(event(type))
    expect(seen.batches).toEqual([])
    await clock.settle()
    expect(seen.batches).toEqual([['message.new', 'typing.start', 'own.custom']])
  })

  test('received before a loss are passed on before the next connection', async () => {
    const { sockets, seen } = await connected()
    sockets.latest.frame(event('message.new'))
    sockets.latest.end()
    expect(seen.batches).toEqual([['message.new']])
  })

  test.each(['not json', '[]', '7', 'null', { type: 5 }, { type: '' }, { type: 'x', message: 'text' }, { cid: 'a:b' }])(
    'a malformed frame is skipped and counted: %j',
    async (frame) => {
      const { sockets, clock, seen, connection } = await connected()
      sockets.latest.frame(frame)
      sockets.latest.frame(event('message.new'))
      await clock.settle()
      expect(connection.malformedFrames()).toBe(1)
      expect(seen.batches).toEqual([['message.new']])
    },
  )
})

describe('stopping', () => {
  let world: Awaited<ReturnType<typeof connected>>
  let stopping: Promise<void>
  const stop = (connection: ConnectionControl) => (stopping = connection.stop())
  beforeEach(async () => {
    world = await connected()
    void stop(world.connection)
  })

  test('closes with code 1000 and leaves no timer behind', async () => {
    expect(world.sockets.latest.requestedClose?.code).toBe(1_000)
    world.sockets.latest.end(1_000)
    await stopping
    expect(world.clock.pending).toBe(0)
  })

  test('AGR-25 waits at most a second for the peer to close', async () => {
    await world.clock.advance(1_000)
    await stopping
    expect(world.sockets.latest.state).toBe('closed')
    expect(world.clock.pending).toBe(0)
  })

  test('can be started again', async () => {
    await world.clock.advance(1_000)
    world.connection.start()
    await world.clock.settle()
    expect(world.sockets.all.length).toBe(2)
  })
})

describe('while the user is active', () => {
  test('no back-off is longer than ten seconds', async () => {
    const { sockets, connection, clock } = createNewConnection(undefined, 3, undefined, { isFocused: () => true })
    connection.start()
    await clock.settle()
    for (let round = 0; round < 30; round += 1) {
      sockets.latest.end()
      expect((connection.state().nextTryAt ?? Infinity) - clock.now()).toBeLessThanOrEqual(10_000)
      await clock.advance(10_000)
    }
  })

  test('input brings the next attempt forward, at most every three seconds', async () => {
    const { sockets, connection, clock } = await connected()
    for (let round = 0; round < 20; round += 1) {
      sockets.latest.end()
      await clock.advance(25_000)
    }
    sockets.latest.end()
    const before = sockets.all.length
    for (let ms = 0; ms < 11_000; ms += 100) {
      connection.onActivity()
      await clock.advance(100)
      if (sockets.latest.state === 'opening') sockets.latest.end()
    }
    expect(sockets.all.length - before).toBe(4)
  })

  test('a hanging attempt is replaced, a recent one continues', async () => {
    const { sockets, connection, clock } = await connected()
    sockets.latest.end()
    await clock.advance(2_500)
    const dialed = sockets.all.length
    connection.onActivity()
    await clock.settle()
    expect(sockets.all.length).toBe(dialed)
    await clock.advance(5_000)
    connection.onActivity()
    await clock.settle()
    expect(sockets.all.length).toEqual(dialed + 1)
    expect(sockets.live.length).toBe(1)
  })

  test('no attempt is made before the time slot of a restarting server', async () => {
    const { sockets, connection, clock } = await connected()
    const { code, reason } = staggeredClose(8_000)
    sockets.latest.end(code, reason)
    const dialed = sockets.all.length
    for (let ms = 0; ms < 7_900; ms += 100) {
      connection.onActivity()
      await clock.advance(100)
    }
    expect(sockets.all.length).toBe(dialed)
  })

  test('a server that responds and rejects is not retried earlier because of a probe', async () => {
    const { sockets, connection, clock } = createNewConnection(undefined, 5, undefined, {
      isFocused: () => true,
      probe: async () => true,
    })
    connection.start()
    await clock.settle()
    for (let round = 0; round < 8; round += 1) {
      sockets.latest.refuse(71)
      await clock.advance(10_000)
    }
    expect(sockets.all.length).toBeLessThanOrEqual(16)
  })
})
