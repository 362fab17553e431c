import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

/** The history of actions: `alice` has the API secret, `mo` moderates the app, the others do not. */

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob', 'mo'], channels: ['general'], withSecret: ['alice'] })
  await world.asServer('POST', '/users', { users: { mo: { id: 'mo', role: 'moderator' } } })
  await world.pass(2_000)
})
afterAll(() => world.stop())

const ui = (userId: string) => world.person(userId).ui
const list = (userId = 'alice') => world.done(ui(userId).history.list({ filter: {} }))
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const send = async (id: string, text: string) => {
  await world.as('bob', 'POST', '/channels/team/general/message', { message: { id, text } })
}

test('what is done with the server token is done by the person who uses it', async () => {
  await world.done(ui('alice').roles.create({ name: 'guide', like: 'channel_member' }))
  const { entries, since } = await list()
  expect(entries.filter(({ action }) => action === 'role.create')).toMatchObject([
    { action: 'role.create', byId: 'alice', subject: 'guide' },
  ])
  expect(since).toBeLessThanOrEqual(entries.at(-1)?.at ?? 0)
  expect(entries.filter(({ action }) => action === 'channel_type.update').every(({ byId }) => byId === 'alice')).toBe(
    true,
  )
})

test('it is offered to those who moderate, and to nobody else', async () => {
  const rights = (userId: string) => world.person(userId).replica.get('manage', 'self')?.rights
  expect(rights('alice')).toContain('history')
  expect(rights('mo')).toContain('history')
  expect(rights('bob')).toBeUndefined()
  expect((await list('mo')).entries.length).toBeGreaterThan(0)
  expect(await code(ui('bob').history.list({ filter: {} }))).toBe('manage/not-allowed')
})

test('a deleted message is restored, and a ban ended, from their entries', async () => {
  await send('m1', 'spam, or not')
  await world.as('mo', 'DELETE', '/messages/m1')
  await world.as('mo', 'POST', '/moderation/ban', { target_user_id: 'bob', type: 'team', id: 'general' })
  const { entries } = await list()
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'user.ban', byId: 'mo', targetId: 'bob', cid: world.cid, undo: 'unban' },
    { action: 'message.delete', byId: 'mo', targetId: 'bob', messageId: 'm1', undo: 'restore' },
  ])
  await world.done(ui('alice').history.undo({ undo: 'unban', userId: asUserId('bob'), cid: world.cid }))
  await world.done(ui('alice').history.undo({ undo: 'restore', messageId: asMessageId('m1') }))
  const after = await list()
  expect(after.entries.slice(0, 2).map(({ action }) => action)).toEqual(['message.restore', 'user.unban'])
  expect(after.entries.some(({ undo }) => undo !== undefined)).toBe(false)
  expect(world.stored(world.cid).find(({ id }) => id === 'm1')?.deleted).toBe(false)
  expect(await code(ui('mo').history.undo({ undo: 'restore', messageId: asMessageId('m1') }))).toBe(
    'manage/not-allowed',
  )
})

test('the ended ban is listed with who ended it', async () => {
  const { bans, onlyExpired } = await world.done(ui('alice').bans.list({ ended: true }))
  expect(bans).toMatchObject([{ userId: 'bob', byId: 'mo', cid: world.cid, endedById: 'alice' }])
  expect(bans[0]?.endedAt).toBeGreaterThanOrEqual(bans[0]?.since ?? Infinity)
  expect(onlyExpired).toBeUndefined()
})

test('the versions of a message say who wrote each', async () => {
  await send('m2', 'closed until Sunday')
  await world.pass(5_000)
  await world.as('bob', 'PUT', '/messages/m2', { set: { text: 'closed until Monday' } })
  await world.pass(5_000)
  await world.as('mo', 'PUT', '/messages/m2', { set: { text: 'closed' } })
  const versions = await world.done(ui('alice').history.versions({ messageId: asMessageId('m2') }))
  expect(versions.map(({ byId, text }) => [byId, text])).toEqual([
    ['mo', 'closed'],
    ['bob', 'closed until Monday'],
    ['bob', 'closed until Sunday'],
  ])
  expect(await code(ui('mo').history.versions({ messageId: asMessageId('m2') }))).toBe('manage/not-allowed')
})

test('it is filtered, and comes page by page', async () => {
  for (let at = 0; at < 60; at += 1) await world.asServer('POST', '/roles', { name: `role-${at}` })
  const first = await list()
  expect(first.entries.length).toBe(50)
  const second = await world.done(ui('alice').history.list({ filter: {}, next: first.next }))
  const ids = [...first.entries, ...second.entries].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const filter = { byId: asUserId('mo'), actions: ['message.edit'] }
  const edits = await world.done(ui('alice').history.list({ filter }))
  expect(edits.entries).toMatchObject([{ messageId: 'm2', targetId: 'bob' }])
})
