import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob'], channels: ['general'] })
})
afterAll(() => world.stop())

const alice = () => world.person('alice')
const bob = () => world.person('bob')
const HOUR_MS = 3_600_000
const status = (who: typeof alice) => {
  const user = who().replica.get('users', 'alice')
  return [user?.statusText, user?.statusUntil]
}
const stored = () => {
  const row = world.server.services.db.get<{ custom: string }>('SELECT custom FROM users WHERE id = ?', 'alice')
  return JSON.parse(row?.custom ?? '{}') as Record<string, unknown>
}

test('a status ends by itself: everyone’s window hides it, and its owner’s client removes it', async () => {
  const until = world.clock.now() + HOUR_MS
  await world.done(alice().ui.people.changeProfile({ statusText: 'On the trail', statusUntil: until }))
  await world.pass(1_000)
  expect(status(alice)).toEqual(['On the trail', until])
  expect(status(bob)).toEqual(['On the trail', until])
  await world.pass(HOUR_MS + 2_000)
  expect(status(alice)).toEqual([undefined, undefined])
  expect(status(bob)).toEqual([undefined, undefined])
  expect(stored()).not.toHaveProperty('status_text')
  expect(stored()).not.toHaveProperty('status_until')
})

test('a status is hidden at its end even where its owner is not there to remove it', async () => {
  await world.done(
    alice().ui.people.changeProfile({ statusText: 'Soon back', statusUntil: world.clock.now() + HOUR_MS }),
  )
  await world.pass(1_000)
  alice().crash()
  await world.pass(2 * HOUR_MS)
  expect(status(bob)).toEqual([undefined, undefined])
  expect(stored()).toHaveProperty('status_text', 'Soon back')
  alice().start()
  await world.pass(60_000)
  expect(stored()).not.toHaveProperty('status_text')
})

test('a status without an end stays, also after one with an end', async () => {
  await world.done(alice().ui.people.changeProfile({ statusText: 'A while', statusUntil: world.clock.now() + HOUR_MS }))
  await world.done(alice().ui.people.changeProfile({ statusText: 'For good' }))
  await world.pass(2 * HOUR_MS)
  expect(status(bob)).toEqual(['For good', undefined])
  await world.done(alice().ui.people.changeProfile({ statusText: '' }))
  await world.pass(1_000)
  expect(status(bob)).toEqual([undefined, undefined])
})

test('who has no input for a while is away for the others, until there is some again', async () => {
  const away = () => bob().replica.get('users', 'alice')?.away === true
  const { engine } = alice().account
  expect(away()).toBe(false)
  engine.setAway(true)
  await world.pass(2_000)
  expect(away()).toBe(true)
  engine.setAway(false)
  await world.pass(2_000)
  expect(away()).toBe(false)
})

test('who is away without a connection is so once it is back, and not after a restart', async () => {
  const away = () => bob().replica.get('users', 'alice')?.away === true
  alice().link.down()
  await world.pass(20_000)
  alice().account.engine.setAway(true)
  alice().link.up()
  await world.pass(60_000)
  expect(away()).toBe(true)
  alice().crash()
  await world.pass(20_000)
  expect(away()).toBe(false)
  alice().start()
  await world.pass(20_000)
  expect(away()).toBe(false)
  expect(stored()['away']).toBe(false)
})

test('who does not show their presence is not shown as away', async () => {
  const { engine } = alice().account
  engine.publish({ settings: { ...DEFAULT_SETTINGS, publishPresence: false } })
  engine.setAway(true)
  await world.pass(5_000)
  expect(stored()['away']).toBe(false)
})

test('who chose to be away is so for the others with and without input, until it is chosen otherwise', async () => {
  const away = () => bob().replica.get('users', 'alice')?.away === true
  const { engine } = alice().account
  engine.publish({ settings: { ...DEFAULT_SETTINGS, awayByHand: true } })
  await world.pass(5_000)
  expect(away()).toBe(true)
  engine.setAway(true)
  engine.setAway(false)
  await world.pass(2_000)
  expect(away()).toBe(true)
  engine.publish({ settings: DEFAULT_SETTINGS })
  await world.pass(5_000)
  expect(away()).toBe(false)
})

test('what a person is here, as their server has it, is shown by everyone’s window; what is no short text is not', async () => {
  const is = async (title: unknown): Promise<string | undefined> => {
    await world.asServer('POST', '/users', { users: { alice: { id: 'alice', name: 'Alice', title } } })
    await world.pass(1_000)
    return bob().replica.get('users', 'alice')?.title
  }
  expect(await is('Map data')).toBe('Map data')
  expect(await is(5)).toBeUndefined()
  expect(await is('  ')).toBeUndefined()
  expect(await is('x'.repeat(200))).toHaveLength(80)
})
