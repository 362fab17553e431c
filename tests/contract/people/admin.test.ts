import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import {
  addUserGroupMembers,
  createBlocklist,
  createChannelType,
  createCommand,
  createPermission,
  createRole,
  createUserGroup,
  deleteBlocklist,
  deleteChannelType,
  deleteCommand,
  deleteRole,
  deleteUserGroup,
  getBlocklist,
  getChannelType,
  getCommand,
  getRateLimits,
  getTask,
  listChannelTypes,
  listCommands,
  listPermissions,
  listRoles,
  listUserGroups,
  removeUserGroupMembers,
  searchRoles,
  searchUserGroups,
  updateApp,
  updateBlocklist,
  updateChannelType,
  updateUserGroup,
} from '#shared/wire/admin.ts'
import { getApp } from '#shared/wire/app.ts'
import { deleteChannels, queryChannel, updateChannelPartial } from '#shared/wire/channels.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import { getMessage, sendMessage } from '#shared/wire/messages.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

const clock = new ManualClock()
let server: TestServer
let root: Client
let ann: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer({ clock })
  root = await server.connect('root')
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
})
afterAll(() => server.stopAll())

const admin = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body: object = {}, query: object = {}) =>
  callAs(server.url, { userId: '', token: createToken({}, SECRET) }, endpoint, params, { body, query })

test('a new channel type has its own flags and grants, and its channels follow them at once', async () => {
  expect((await ann.call(createChannelType, {}, { body: { name: 'forum' } })).body.code).toBe(17)
  const made = await admin(
    createChannelType,
    {},
    {
      name: 'forum',
      reactions: false,
      max_message_length: 10,
      grants: { user: ['read-channel', 'create-channel'] },
    },
  )
  expect(made.status).toBe(201)
  expect(made.body.name).toBe('forum')
  expect(made.body['reactions']).toBe(false)
  expect(made.body.commands.includes('mute')).toBe(true)
  const params = { type: 'forum', id: 'one' }
  const created = await ann.call(queryChannel, params, { body: { data: { members: ['ann'] } } })
  expect(created.status).toBe(201)
  expect(created.body.channel.config?.reactions).toBe(false)
  expect(created.body.channel.own_capabilities).not.toContain('send-reaction')
  expect((await bob.call(queryChannel, params, { body: {} })).status).toBe(201)
  const long = await ann.call(sendMessage, params, { body: { message: { text: 'longer than ten' } } })
  expect(long.body.code).toBe(20)
  await admin(updateChannelType, { name: 'forum' }, { max_message_length: 100 })
  expect((await ann.call(sendMessage, params, { body: { message: { text: 'longer than ten' } } })).status).toBe(201)
  expect((await admin(getChannelType, { name: 'forum' })).body['reactions']).toBe(false)
  expect((await admin(deleteChannelType, { name: 'forum' })).body.code).toBe(4)
  const deleted = await admin(deleteChannels, {}, { cids: ['forum:one', 'forum:none'], hard_delete: true })
  expect(deleted.body.result['forum:one']?.status).toBe('ok')
  expect(deleted.body.result['forum:none']?.status).toBe('failed')
  expect((await admin(getTask, { id: deleted.body.task_id ?? '' })).body.status).toBe('completed')
  expect((await admin(deleteChannelType, { name: 'forum' })).status).toBe(200)
  expect((await admin(getChannelType, { name: 'forum' })).body.code).toBe(16)
})

test('the built-in types are listed and can be changed, not deleted', async () => {
  const { channel_types: types } = (await admin(listChannelTypes, {})).body
  expect(Object.keys(types)).toEqual(expect.arrayContaining(['messaging', 'team', 'livestream', 'gaming', 'commerce']))
  expect((await admin(deleteChannelType, { name: 'team' })).body.code).toBe(4)
  expect((await admin(updateChannelType, { name: 'team' }, { uploads: 'yes' })).body.code).toBe(4)
})

test('custom commands are listed with the built-in ones and can be removed', async () => {
  const made = await admin(createCommand, {}, { name: 'shrug', description: 'Shrug', args: '[text]' })
  expect(made.status).toBe(201)
  expect(made.body.command.name).toBe('shrug')
  expect((await admin(createCommand, {}, { name: 'mute', description: 'x' })).body.code).toBe(4)
  const names = (await admin(listCommands, {})).body.commands.map((command) => command.name)
  expect(names).toEqual(expect.arrayContaining(['shrug', 'mute', 'ban']))
  expect((await admin(getCommand, { name: 'shrug' })).body.description).toBe('Shrug')
  expect((await admin(deleteCommand, { name: 'shrug' })).body.name).toBe('shrug')
  expect((await admin(getCommand, { name: 'shrug' })).body.code).toBe(16)
})

test('roles and permissions are listed, created, searched and removed', async () => {
  expect((await admin(createRole, {}, { name: 'Bad Name' })).body.code).toBe(4)
  expect((await admin(createRole, {}, { name: 'editor' })).body.role.custom).toBe(true)
  expect((await admin(listRoles, {})).body.roles.map((role) => role.name)).toContain('editor')
  expect((await ann.call(searchRoles, {}, { query: { query: 'edi' } })).body.roles.map((role) => role.name)).toEqual([
    'editor',
  ])
  expect((await admin(deleteRole, { name: 'admin' })).body.code).toBe(4)
  expect((await admin(deleteRole, { name: 'editor' })).status).toBe(200)
  const permissions = (await admin(listPermissions, {})).body.permissions.map((each) => each.id)
  // the capabilities clients know, and the two that stay inside
  expect(permissions.length).toBe(44)
  expect((await admin(createPermission, {}, { id: 'paint', name: 'Paint' })).body.permission.custom).toBe(true)
})

test('a block list flags, hides or blocks what is sent', async () => {
  const list = await admin(createBlocklist, {}, { name: 'rude', words: ['Blörp', 'two words'] })
  expect(list.status).toBe(201)
  expect(list.body.blocklist.words.length).toBe(2)
  const params = { type: 'messaging', id: 'clean' }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
  await bob.call(queryChannel, params, { body: { watch: true } })
  const overrides = { set: { config_overrides: { blocklist: 'rude', blocklist_behavior: 'block' } } }
  expect((await ann.call(updateChannelPartial, params, { body: overrides })).body.code).toBe(17)
  await root.call(updateChannelPartial, params, { body: overrides })
  await bob.takeEventTypes()
  const send = async (text: string) =>
    (await ann.call(sendMessage, params, { body: { message: { text } } })).body.message
  const blocked = await send('you BLORP you')
  expect(blocked.type).toBe('error')
  expect((await ann.call(getMessage, { id: blocked.id })).body.code).toBe(16)
  expect(await bob.takeEventTypes()).toEqual([])
  expect((await send('blorping is fine')).type).toBe('regular')
  await root.call(updateChannelPartial, params, {
    body: { set: { config_overrides: { blocklist: 'rude', blocklist_behavior: 'shadow_block' } } },
  })
  await bob.takeEventTypes()
  expect((await send('two  Words')).type).toBe('regular')
  expect(await bob.takeEventTypes()).toEqual([])
  await admin(updateBlocklist, { name: 'rude' }, { words: ['other'] })
  expect((await admin(getBlocklist, { name: 'rude' })).body.blocklist.words).toEqual(['other'])
  expect((await send('blorp')).type).toBe('regular')
  expect((await admin(deleteBlocklist, { name: 'rude' })).status).toBe(200)
})

test('groups are created by administrators, changed all or nothing, found by the start of their name, and announced to all', async () => {
  expect((await ann.call(createUserGroup, {}, { body: { name: 'x' } })).body.code).toBe(17)
  await bob.takeEventTypes()
  const made = await admin(createUserGroup, {}, { id: 'crew', name: 'Crew', member_ids: ['ann'] })
  expect(made.status).toBe(201)
  expect(made.body.user_group.members?.map((member) => member.user_id)).toEqual(['ann'])
  const failed = await admin(addUserGroupMembers, { id: 'crew' }, { member_ids: ['bob', 'ghost'] })
  expect(failed.body.code).toBe(16)
  const after = await admin(addUserGroupMembers, { id: 'crew' }, { member_ids: ['bob'] })
  expect(after.body.user_group.members?.length).toBe(2)
  await admin(removeUserGroupMembers, { id: 'crew' }, { member_ids: ['ann', 'ghost'] })
  expect(
    (await ann.call(searchUserGroups, {}, { query: { query: 'cr' } })).body.user_groups.map(({ id }) => id),
  ).toEqual(['crew'])
  expect((await ann.call(listUserGroups, {})).body.user_groups[0]?.members?.map((member) => member.user_id)).toEqual([
    'bob',
  ])
  await admin(updateUserGroup, { id: 'crew' }, { name: 'The crew' })
  await admin(deleteUserGroup, { id: 'crew' })
  expect(await bob.takeEventTypes()).toEqual([
    'user_group.created',
    'user_group.member_added',
    'user_group.member_removed',
    'user_group.updated',
    'user_group.deleted',
  ])
})

test('the app’s settings are complete for a server token, short for users, and a change is announced to all', async () => {
  await bob.takeEventTypes()
  expect((await ann.call(updateApp, {}, { body: { name: 'Mine' } })).body.code).toBe(17)
  expect((await admin(updateApp, {}, { name: 'Ours', file_upload_config: { size_limit: 5 } })).status).toBe(200)
  expect(await bob.takeEventTypes()).toEqual(['app.updated'])
  const short = (await ann.call(getApp, {})).body.app as Record<string, unknown> & { file_upload_config: object }
  expect(short['name']).toBe('Ours')
  expect(short.file_upload_config).toMatchObject({ size_limit: 5 })
  expect(short['channel_configs']).toBeUndefined()
  expect((await admin(getApp, {})).body.app).toHaveProperty('channel_configs.messaging.reactions', true)
  expect((await admin(updateApp, {}, { disable_auth_checks: true })).body.code).toBe(4)
})

test('every response has the limit of its class, and a call over it is refused with 9 until there is room', async () => {
  const strict = new ManualClock()
  const small = await startTestServer({ clock: strict, limits: { send: 2, query: 100, other: 100 } })
  try {
    await (await small.connect('root')).close()
    const cat = await small.connect('cat')
    const params = { type: 'messaging', id: 'slow' }
    await cat.call(queryChannel, params, { body: { data: { members: ['cat'] } } })
    const send = () => cat.call(sendMessage, params, { body: { message: { text: 'x' } } })
    expect((await send()).status).toBe(201)
    expect((await send()).status).toBe(201)
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe(9)
    const limits = (await cat.call(getRateLimits, {}, { query: { endpoints: 'SendMessage' } })).body['web'] as Record<
      string,
      object
    >
    expect(limits['SendMessage']).toMatchObject({ limit: 2, remaining: 0 })
    await strict.advance(30_000)
    expect((await send()).status).toBe(201)
    const { headers } = await small.request('/app?api_key=wrong')
    expect(headers.has('x-ratelimit-limit')).toBe(true)
    expect(headers.has('x-ratelimit-reset')).toBe(true)
  } finally {
    await small.stopAll()
  }
})
