import { describe, expect, test } from 'vitest'
import { connected, createNewConnection, ME } from '#kit/one-connection.ts'

describe('a rejected handshake', () => {
  test('an expired token of a provider is renewed and used at once', async () => {
    let made = 0
    const provider = { kind: 'provider' as const, load: () => Promise.resolve(`T${(made += 1)}`) }
    const { connection, sockets, clock } = createNewConnection(provider)
    connection.start()
    await clock.settle()
    sockets.latest.refuse(40)
    await clock.settle()
    expect(sockets.all.map((socket) => socket.query.get('authorization'))).toEqual(['T1', 'T2'])
    sockets.latest.refuse(40)
    await clock.settle()
    expect(sockets.all.length).toBe(2)
    expect(connection.state().state).toBe('unhealthy')
    await clock.advance(2_500)
    expect(sockets.latest.query.get('authorization')).toBe('T3')
  })

  test('an expired static token stops until the user signs in', async () => {
    const { connection, sockets, clock } = createNewConnection()
    connection.start()
    await clock.settle()
    sockets.latest.refuse(40)
    await clock.advance(600_000)
    expect(connection.state()).toMatchObject({ state: 'unhealthy', blocked: 'server/token-expired', offline: true })
    expect(sockets.all.length).toBe(1)
  })

  test.each([
    [2, 'server/access-key'],
    [5, 'server/authentication'],
    [17, 'server/not-allowed'],
    [43, 'server/token-signature'],
    [99, 'server/app-suspended'],
  ])('code %i blocks with a reason and no retry', async (code, blocked) => {
    const { connection, sockets, clock } = createNewConnection()
    connection.start()
    await clock.settle()
    sockets.latest.refuse(code)
    await clock.advance(600_000)
    expect(connection.state().blocked).toEqual(blocked)
    expect(sockets.all.length).toBe(1)
  })

  test.each([-1, 9, 71])('code %i is a server problem: tried again', async (code) => {
    const { connection, sockets, clock } = createNewConnection()
    connection.start()
    await clock.settle()
    sockets.latest.refuse(code)
    expect(connection.state()).not.toMatchObject({ blocked: expect.anything() })
    await clock.advance(2_500)
    expect(sockets.all.length).toBe(2)
  })

  test.each([41, 42])(
    'a token too early for the server (%i) is reported, and retried slowly until the clocks agree',
    async (code) => {
      const { connection, sockets, clock } = createNewConnection()
      connection.start()
      await clock.settle()
      for (let step = 0; step < 60; step += 1) {
        if (sockets.latest.state === 'opening') sockets.latest.refuse(code)
        await clock.advance(10_000)
      }
      expect(connection.state()).toMatchObject({ trouble: 'session/clocks-differ', offline: true })
      expect(connection.state()).not.toMatchObject({ blocked: expect.anything() })
      // Ten minutes: three attempts with back-off, then one a minute.
      expect(sockets.all.length).toBeGreaterThan(8)
      expect(sockets.all.length).toBeLessThan(15)
      await clock.advance(60_000)
      sockets.latest.accept(ME)
      expect(connection.state()).toMatchObject({ state: 'healthy' })
      expect(connection.state()).not.toMatchObject({ trouble: expect.anything() })
    },
  )

  test('a token that the server calls too early is replaced if another can be loaded', async () => {
    let made = 0
    const provider = { kind: 'provider' as const, load: () => Promise.resolve(`T${(made += 1)}`) }
    const { connection, sockets, clock } = createNewConnection(provider)
    connection.start()
    await clock.settle()
    sockets.latest.refuse(42)
    await clock.advance(2_500)
    expect(sockets.latest.query.get('authorization')).toBe('T2')
  })

  test('a failing provider is reported if the server is reachable, and not if nothing is', async () => {
    let isUp = false
    let isReachable = true
    const load = () => (isUp ? Promise.resolve('T') : Promise.reject(new Error('no')))
    const { connection, sockets, clock } = createNewConnection({ kind: 'provider', load }, 1, undefined, {
      probe: async () => isReachable,
    })
    connection.start()
    await clock.advance(60_000)
    expect(connection.state()).toMatchObject({ trouble: 'session/not-renewed', offline: true })
    isReachable = false
    await clock.advance(60_000)
    expect(connection.state()).not.toMatchObject({ trouble: expect.anything() })
    isReachable = true
    isUp = true
    await clock.advance(30_000)
    sockets.latest.accept(ME)
    expect(connection.state()).not.toMatchObject({ trouble: expect.anything() })
  })

  test('code 3 is tried once more with a new token, then waits for the user', async () => {
    let made = 0
    const { connection, sockets, clock } = createNewConnection({
      kind: 'provider',
      load: () => Promise.resolve(`T${(made += 1)}`),
    })
    connection.start()
    await clock.settle()
    sockets.latest.refuse(3)
    await clock.settle()
    sockets.latest.refuse(3)
    await clock.advance(60_000)
    expect(connection.state().blocked).toBe('server/authentication-failed')
    expect(sockets.all.length).toBe(2)
  })

  test('trying now ends a block', async () => {
    const { connection, sockets, clock } = createNewConnection()
    connection.start()
    await clock.settle()
    sockets.latest.refuse(43)
    connection.reconnectNow()
    await clock.settle()
    sockets.latest.accept(ME)
    expect(connection.state().state).toBe('healthy')
  })

  test('close code 1000 without a reason is final', async () => {
    const { connection, sockets, clock } = await connected()
    sockets.latest.end(1_000)
    await clock.advance(600_000)
    expect(connection.state().blocked).toBe('server/closed')
    expect(sockets.all.length).toBe(1)
  })

  test('a failing provider is tried again later', async () => {
    let calls = 0
    const load = () => ((calls += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve('T'))
    const { connection, sockets, clock } = createNewConnection({ kind: 'provider', load })
    connection.start()
    await clock.settle()
    expect(sockets.all.length).toBe(0)
    expect(connection.state().state).toBe('unhealthy')
    await clock.advance(2_500)
    expect(sockets.latest.query.get('authorization')).toBe('T')
  })
})

test.each([
  ['by close code 4001', (world: Awaited<ReturnType<typeof connected>>) => world.sockets.latest.end(4_001)],
  [
    'by a late error frame',
    (world: Awaited<ReturnType<typeof connected>>) => world.sockets.latest.frame({ error: { code: 40 } }),
  ],
])('a token that runs out while connected, told %s, is renewed without a word', async (_how, expire) => {
  let made = 0
  const world = await connected({ kind: 'provider', load: () => Promise.resolve(`T${(made += 1)}`) })
  expire(world)
  await world.clock.settle()
  expect(world.sockets.latest.query.get('authorization')).toBe('T2')
  expect(world.sockets.live.length).toBe(1)
  world.sockets.latest.accept(ME)
  expect(world.seen.states.some((state) => state.offline)).toBe(false)
})
