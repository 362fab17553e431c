import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

const LOBBY = asCid('livestream:lobby')

let world: World
afterEach(() => world.stop())

const begin = async (): Promise<Person> => {
  world = await createWorld({ people: ['alice'], guests: ['nobody-1'], open: ['lobby'] })
  await world.as('alice', 'POST', '/channels/livestream/lobby/message', { message: { id: 'm1', text: 'Welcome' } })
  await world.rest(10_000)
  return world.person('nobody-1')
}
const listed = (person: Person): readonly string[] => person.replica.window('channels')?.ids ?? []
/** Requests of this user other than reads. */
const written = (person: Person): readonly string[] =>
  person.link.requests.filter((each) => !/^GET |POST \/channels$|POST \/channels\/[^/]+\/[^/]+\/query$/.test(each))

test('a guest sees what everyone may read, and receives new messages, before and after a disconnection', async () => {
  const guest = await begin()
  expect(listed(guest)).toEqual([LOBBY])
  await guest.open(LOBBY)
  await world.pass(2_000)
  expect(guest.texts(LOBBY)).toEqual(['Welcome'])
  await world.as('alice', 'POST', '/channels/livestream/lobby/message', { message: { id: 'm2', text: 'Live' } })
  await world.pass(2_000)
  expect(guest.texts(LOBBY)).toEqual(['Welcome', 'Live'])
  guest.link.down()
  await world.as('alice', 'POST', '/channels/livestream/lobby/message', { message: { id: 'm3', text: 'Missed' } })
  await world.pass(60_000)
  guest.link.up()
  await world.rest()
  expect(guest.texts(LOBBY)).toEqual(['Welcome', 'Live', 'Missed'])
})

test('a guest leaves no trace and has no unread counts', async () => {
  const guest = await begin()
  await guest.open(LOBBY)
  await guest.ui.channels.markRead({ cid: LOBBY })
  await world.rest()
  expect(guest.account.engine.badge()).toEqual({ unread: 0, mentions: 0 })
  expect(guest.replica.get('channels', LOBBY)?.unread).toBe(0)
  expect(guest.replica.get('session', 'self')?.guest).toBe(true)
  expect(written(guest)).toEqual([])
  expect(guest.replica.get('channels', LOBBY)?.capabilities).toEqual(expect.not.arrayContaining(['send-message']))
})

test('where guests are not admitted without a token a guest sees nothing', async () => {
  world = await createWorld({ people: ['alice'], guests: ['nobody-1'] })
  await world.rest(20_000)
  expect(listed(world.person('nobody-1'))).toEqual([])
})
