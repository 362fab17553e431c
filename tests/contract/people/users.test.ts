import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { queryUsers, upsertUsers } from '#shared/wire/app.ts'
import { queryChannel, queryChannels, queryDistinctChannel } from '#shared/wire/channels.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import { getMessage, sendMessage } from '#shared/wire/messages.ts'
import {
  addDevice,
  blockUser,
  createGuest,
  deactivateUser,
  deleteUser,
  deleteUsers,
  exportUser,
  getBlockedUsers,
  getDevices,
  reactivateUser,
  removeDevice,
  sendUserEvent,
  setPushPreferences,
  unblockUser,
  updateUsersPartial,
} from '#shared/wire/users.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { callAs, SECRET, startTestServer, tokenOf, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  server = await startTestServer({ clock: new ManualClock() })
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann Lee' })
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

const admin = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, input: { query?: object; body?: unknown } = {}) =>
  callAs(server.url, { userId: '', token: createToken({}, SECRET) }, endpoint, params, input)

const find = async (filter: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (await ann.call(queryUsers, {}, { query: { payload: { filter_conditions: filter, ...more } } })).body.users.map(
    (user) => user.id,
  )

const pair = (one: Client, members: string[]) =>
  one.call(queryDistinctChannel, { type: 'messaging' }, { body: { data: { members }, watch: true } })

test('people who are created within one tick of the clock are listed newest first', async () => {
  const ids = ['zoe', 'amy', 'lea'].map((name) => `tick-${name}`)
  for (const id of ids) await admin(upsertUsers, {}, { body: { users: { [id]: { id, tick: 'one' } } } })
  expect(await find({ tick: 'one' })).toEqual(ids.toReversed())
  expect(await find({ tick: 'one' }, { sort: [{ field: 'created_at', direction: 1 }] })).toEqual(ids)
})

test('users change only themselves, and watchers of a shared channel are notified', async () => {
  await pair(ann, ['ann', 'bob'])
  await pair(bob, ['ann', 'bob'])
  await bob.takeEventTypes()
  const changed = await ann.call(
    updateUsersPartial,
    {},
    {
      body: { users: [{ id: 'ann', set: { color: 'red', role: 'admin' } }] },
    },
  )
  const user = changed.body.users['ann']
  expect(changed.status).toBe(200)
  expect(user?.['color']).toBe('red')
  expect(user?.role).toBe('user')
  expect(await bob.takeEventTypes()).toEqual(['user.updated'])
  const unset = await ann.call(updateUsersPartial, {}, { body: { users: [{ id: 'ann', unset: ['color'] }] } })
  expect(unset.body.users['ann']).not.toHaveProperty('color')
  expect((await ann.call(updateUsersPartial, {}, { body: { users: [{ id: 'bob', set: {} }] } })).body.code).toBe(17)
})

test('a server token gives roles and teams', async () => {
  const done = await admin(
    upsertUsers,
    {},
    { body: { users: { zed: { id: 'zed', role: 'moderator', teams: ['red'] } } } },
  )
  expect(done.status).toBe(201)
  expect(done.body.users['zed']?.role).toBe('moderator')
  expect(done.body.users['zed']?.['teams']).toEqual(['red'])
  const found = await admin(
    queryUsers,
    {},
    { query: { payload: { filter_conditions: { teams: { $contains: 'red' } } } } },
  )
  expect(found.body.users.map((user) => user.id)).toEqual(['zed'])
  const input = { query: { payload: { filter_conditions: { teams: { $contains: 'red' } } } } }
  expect((await ann.call(queryUsers, {}, input)).body.code).toBe(4)
})

test('D32 deactivated users are not listed, cannot sign in, and can be reactivated', async () => {
  await admin(upsertUsers, {}, { body: { users: { old: { id: 'old', name: 'Old' } } } })
  expect((await ann.call(deactivateUser, { id: 'old' })).body.code).toBe(17)
  const deactivated = await admin(deactivateUser, { id: 'old' })
  expect(deactivated.status).toBe(201)
  expect(typeof deactivated.body.user['deactivated_at']).toBe('string')
  expect(await find({ id: 'old' })).toEqual([])
  expect(await find({ id: 'old' }, { include_deactivated_users: true })).toEqual(['old'])
  const refused = await callAs(server.url, { userId: 'old' }, queryChannels, {}, { body: { filter_conditions: {} } })
  expect(refused.status).toBe(401)
  expect(refused.body.code).toBe(5)
  await admin(reactivateUser, { id: 'old' })
  expect(await find({ id: 'old' })).toEqual(['old'])
})

test('a deleted user is announced, their messages are deleted on request, and they are no longer found', async () => {
  const dan = await server.connect('dan')
  const channel = { type: 'messaging', id: 'with-dan' }
  await ann.call(queryChannel, channel, { body: { data: { members: ['ann', 'dan'] }, watch: true } })
  const { message } = (await dan.call(sendMessage, channel, { body: { message: { text: 'x' } } })).body
  await ann.takeEventTypes()
  const done = await admin(deleteUser, { id: 'dan' }, { query: { mark_messages_deleted: true } })
  expect(done.status).toBe(200)
  expect(typeof done.body.user['deleted_at']).toBe('string')
  expect(await ann.takeEventTypes()).toEqual(expect.arrayContaining(['user.deleted', 'user.messages.deleted']))
  expect((await ann.call(getMessage, { id: message.id })).body.message.type).toBe('deleted')
  expect(await find({ id: 'dan' })).toEqual([])
  await admin(deleteUsers, {}, { body: { user_ids: ['dan'], user: 'hard', messages: 'hard' } })
  expect((await ann.call(getMessage, { id: message.id })).body.code).toBe(16)
  expect((await ann.call(queryChannel, channel, { body: {} })).body.channel.member_count).toBe(1)
})

test('everything of one user can be exported with a server token', async () => {
  const channel = { type: 'messaging', id: 'exported' }
  await ann.call(queryChannel, channel, { body: { data: { members: ['ann', 'bob'] } } })
  await bob.call(sendMessage, channel, { body: { message: { text: 'mine' } } })
  expect((await ann.call(exportUser, { id: 'bob' })).body.code).toBe(17)
  const { body } = await admin(exportUser, { id: 'bob' })
  expect(body.user.id).toBe('bob')
  expect(body.messages.map((message) => message.text)).toEqual(['mine'])
})

test('blocking hides the conversation of two from the blocking user, and keeps it hidden', async () => {
  const { channel } = (await pair(eve, ['eve', 'bob'])).body
  await eve.takeEventTypes()
  const blocked = await eve.call(blockUser, {}, { body: { blocked_user_id: 'bob' } })
  expect(blocked.status).toBe(201)
  expect(blocked.body.blocked_by_user_id).toBe('eve')
  expect(typeof blocked.body.blocked_at).toBe('string')
  expect(await eve.takeEventTypes()).toEqual(['channel.hidden'])
  const list = async () =>
    (await eve.call(queryChannels, {}, { body: { filter_conditions: { cid: channel.cid } } })).body.channels.length
  expect(await list()).toBe(0)
  expect((await eve.call(getBlockedUsers, {})).body.blocks.map((block) => block.blocked_user_id)).toEqual(['bob'])
  await bob.call(sendMessage, { type: channel.type, id: channel.id }, { body: { message: { text: 'hello?' } } })
  expect(await list()).toBe(0)
  await eve.call(unblockUser, {}, { body: { blocked_user_id: 'bob' } })
  expect(await list()).toBe(1)
  expect((await eve.call(blockUser, {}, { body: { blocked_user_id: 'eve' } })).body.code).toBe(4)
})

test('devices are stored for their owner, and push preferences are returned', async () => {
  expect((await ann.call(addDevice, {}, { body: { id: 'd1', push_provider: 'pigeon' } })).body.code).toBe(4)
  await ann.call(addDevice, {}, { body: { id: 'd1', push_provider: 'apn' } })
  expect((await ann.call(getDevices, {})).body.devices.map((device) => device.id)).toEqual(['d1'])
  expect((await bob.call(getDevices, {})).body.devices).toEqual([])
  expect((await bob.call(removeDevice, {}, { query: { id: 'd1' } })).body.code).toBe(16)
  expect((await ann.call(removeDevice, {}, { query: { id: 'd1' } })).status).toBe(200)
  const set = await ann.call(setPushPreferences, {}, { body: { preferences: [{ chat_level: 'mentions' }] } })
  expect(set.body.user_preferences['ann']).toEqual({ chat_level: 'mentions' })
})

test('a guest gets a new id and a token that works', async () => {
  const response = await server.request(`/guest?api_key=test-key`, {
    method: 'POST',
    headers: { 'stream-auth-type': 'anonymous', 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: { id: 'ann', name: 'Visitor', role: 'admin' } }),
  })
  const guest = JSON.parse(response.text) as { access_token: string; user: { id: string; role: string } }
  expect(response.status).toBe(201)
  expect(guest.user.role).toBe('guest')
  expect(guest.user.id).toMatch(/^guest-.+-ann$/)
  const asGuest = { userId: guest.user.id, token: guest.access_token }
  expect(
    (await callAs(server.url, asGuest, queryChannels, {}, { body: { filter_conditions: { joined: true } } })).status,
  ).toBe(201)
  expect((await callAs(server.url, { userId: 'ann', token: guest.access_token }, createGuest, {})).body.code).toBe(5)
  expect((await server.request(`/app?api_key=test-key`, { headers: { 'stream-auth-type': 'anonymous' } })).status).toBe(
    403,
  )
  expect(tokenOf('ann')).not.toBe(guest.access_token)
})

test('a custom event reaches every connection of one user and no one else', async () => {
  await bob.takeEventTypes()
  await ann.takeEventTypes()
  expect((await ann.call(sendUserEvent, { id: 'bob' }, { body: { event: { type: 'poke' } } })).body.code).toBe(17)
  await admin(sendUserEvent, { id: 'bob' }, { body: { event: { type: 'poke', from: 'server' } } })
  expect(await bob.takeEventTypes()).toEqual(['poke'])
  expect(await ann.takeEventTypes()).toEqual([])
})

test('an invisible user is offline to others', async () => {
  await ann.call(updateUsersPartial, {}, { body: { users: [{ id: 'ann', set: { invisible: true } }] } })
  const users = (await bob.call(queryUsers, {}, { query: { payload: { filter_conditions: { id: 'ann' } } } })).body
    .users
  expect(users[0]?.online).toBe(false)
})
