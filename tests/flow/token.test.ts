import { afterEach, describe, expect, test } from 'vitest'
import { createWorld, tokenOf, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('when a fixed token expires the app asks for a sign-in and preserves unsent messages', async () => {
  const startsAt = Date.parse('2026-03-02T09:00:00Z') / 1_000
  world = await createWorld({ claims: { exp: startsAt + 60 } })
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(90_000)
  await alice.ui.messages.send({ cid: world.cid, text: 'written after the token ended' })
  await world.rest()
  expect(alice.texts(world.cid)).toHaveLength(1)
  expect(alice.account.engine.unsentCount()).toBe(1)
  expect(alice.replica.get('connection', 'self')?.blocked).toBeDefined()
  expect(world.stored(world.cid)).toEqual([])
})

const NAMES: Readonly<Record<string, number | undefined>> = {
  'without a code': undefined,
  'with code 2': 2,
  'with code 3': 3,
  'with code 5': 5,
  'with code 40': 40,
  'with code 43': 43,
  'with code 99': 99,
}

test.each(Object.keys(NAMES))(
  'a mistaken 401 %s is shown, and queued messages are sent automatically once the server accepts again',
  async (name) => {
    world = await createWorld()
    const alice = world.person('alice')
    await alice.open(world.cid)
    await world.pass(1_000)
    let refusals = 0
    alice.link.tamper = {
      answer(request, given) {
        if (!request.url.includes('/message') || (refusals += 1) > 1) return given
        return { status: 401, headers: {}, text: JSON.stringify({ code: NAMES[name], message: 'no' }) }
      },
    }
    await alice.ui.messages.send({ cid: world.cid, text: 'one' })
    await alice.ui.messages.send({ cid: world.cid, text: 'two' })
    await world.pass(500)
    expect(alice.replica.get('connection', 'self')?.blocked).toBeDefined()
    await world.pass(10_000)
    expect(alice.replica.get('connection', 'self')).toMatchObject({ state: 'healthy' })
    expect(alice.replica.get('connection', 'self')?.blocked).toBeUndefined()
    expect(alice.texts(world.cid)).toEqual(['one', 'two'])
    expect(alice.account.engine.unsentCount()).toBe(0)
    expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['one', 'two'])
  },
)

test('reconnecting checks at once whether a refusal still holds', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(1_000)
  let isRefused = true
  alice.link.tamper = {
    answer: (request, given) =>
      isRefused && request.url.includes('/message') ? { status: 401, headers: {}, text: '{}' } : given,
    request: (request) => (isRefused && request.url.includes('/message') ? { ...request, method: 'GET' } : request),
  }
  await alice.ui.messages.send({ cid: world.cid, text: 'kept' })
  await world.pass(600_000)
  expect(world.stored(world.cid)).toEqual([])
  expect(alice.account.engine.unsentCount()).toBe(1)
  isRefused = false
  alice.account.engine.reconnectNow()
  await world.pass(500)
  expect(world.stored(world.cid).length).toBe(1)
  expect(alice.account.engine.unsentCount()).toBe(0)
})

describe('a token endpoint that is down', () => {
  const ENDPOINT = 'http://127.0.0.1:9999/token'
  const EXPIRED = { status: 401, headers: {}, text: JSON.stringify({ code: 40, message: 'no' }) }

  async function worldWithEndpoint() {
    world = await createWorld({ people: ['alice'], tokenEndpoint: ENDPOINT })
    const alice = world.person('alice')
    const token = await tokenOf({ user_id: 'alice' })
    const state = { isUp: true, isExpired: false }
    alice.link.tamper = {
      answer(request, given) {
        if (request.url === ENDPOINT)
          return { status: state.isUp ? 200 : 503, headers: {}, text: state.isUp ? token : 'no' }
        if (request.method === 'HEAD') return { ...given, status: 404 }
        return state.isExpired && request.url.includes('/message') ? EXPIRED : given
      },
    }
    await world.pass(30_000)
    await alice.open(world.cid)
    await world.pass(1_000)
    const notices = () => alice.account.engine.notices().map(({ code }) => code)
    const line = () => alice.replica.get('connection', 'self')
    return { alice, state, notices, line }
  }

  test('is reported once, and the user does not have to do anything; queued messages are sent when it is back', async () => {
    const { alice, state, notices, line } = await worldWithEndpoint()
    expect(line()).toMatchObject({ state: 'healthy' })
    state.isUp = false
    alice.restart()
    await world.pass(120_000)
    expect(line()).toMatchObject({ offline: true, trouble: 'session/not-renewed' })
    expect(line()?.blocked).toBeUndefined()
    expect(notices()).toEqual(['session/not-renewed'])
    await alice.ui.messages.send({ cid: world.cid, text: 'kept' })
    state.isUp = true
    await world.pass(60_000)
    expect(line()).toMatchObject({ state: 'healthy' })
    expect(line()?.trouble).toBeUndefined()
    expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['kept'])
    expect(notices()).toEqual(['session/not-renewed'])
  })

  test('is named also while the connection itself is up', async () => {
    const { alice, state, notices, line } = await worldWithEndpoint()
    state.isUp = false
    state.isExpired = true
    await alice.ui.messages.send({ cid: world.cid, text: 'kept' })
    await world.pass(3_000)
    expect(line()).toMatchObject({ state: 'healthy', trouble: 'session/not-renewed' })
    expect(notices()).toEqual(['session/not-renewed'])
    state.isUp = true
    state.isExpired = false
    await world.pass(60_000)
    expect(line()?.trouble).toBeUndefined()
    expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['kept'])
  })

  test('is not reported separately where nothing can be reached', async () => {
    const { alice, notices, line } = await worldWithEndpoint()
    alice.link.down()
    alice.restart()
    await world.pass(120_000)
    expect(line()).toMatchObject({ offline: true })
    expect(line()?.trouble).toBeUndefined()
    expect(notices()).toEqual([])
  })
})

test('a server whose clock is behind is waited for, and named', async () => {
  const startsAt = Date.parse('2026-03-02T09:00:00Z') / 1_000
  world = await createWorld({ people: ['alice'], claims: { iat: startsAt + 3_600 } })
  const alice = world.person('alice')
  await alice.ui.messages.send({ cid: world.cid, text: 'kept' })
  await world.pass(600_000)
  expect(alice.replica.get('connection', 'self')).toMatchObject({ offline: true, trouble: 'session/clocks-differ' })
  expect(alice.replica.get('connection', 'self')?.blocked).toBeUndefined()
  expect(alice.account.engine.notices().map(({ code }) => code)).toEqual(['session/clocks-differ'])
  await world.pass(3_200_000)
  expect(alice.replica.get('connection', 'self')).toMatchObject({ state: 'healthy' })
  expect(alice.replica.get('connection', 'self')?.trouble).toBeUndefined()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['kept'])
})
