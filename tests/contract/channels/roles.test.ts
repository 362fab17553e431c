import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/**
 * Custom roles, permissions and grants of an administrator take effect when they are written, and teams are separated
 * where the administrator says so. See docs/wire.md 3.16, 5.19 `grants`, 5.22 `multi_tenant_enabled`, 8.1.
 */
let room: Room
const ROOM = { type: 'messaging', id: 'room' }
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('GetOrCreateChannel', 'ann', { params: ROOM, body: { data: { members: ['ann', 'bob'] } } })
  room.done('SendMessage', 'ann', { params: ROOM, body: { message: { id: 'anns', text: 'x' } } })
})
afterAll(() => room.close())

const capabilities = (who: string): string[] =>
  room.done<{ channel: { own_capabilities: string[] } }>('GetChannel', who, { params: ROOM }).channel.own_capabilities
const grant = (grants: Json) =>
  room.done('UpdateChannelType', ADMIN, { params: { name: 'messaging' }, body: { grants } })
const edit = (who: string) =>
  room.ask('UpdateMessagePartial', who, { params: { id: 'anns' }, body: { set: { text: 'y' } } }).code

describe('grants of a channel type', () => {
  test('take away and give at once, in responses and in effect', () => {
    expect(capabilities('bob').includes('send-poll')).toBe(true)
    expect(edit('bob')).toBe(17)
    grant({ channel_member: ['read-channel', 'send-message', 'update-any-message'] })
    expect(capabilities('bob')).toEqual(['send-message', 'update-any-message'])
    expect(edit('bob')).toBeUndefined()
    grant({ channel_member: ['!send-message'] })
    const send = room.ask('SendMessage', 'bob', { params: ROOM, body: { message: { text: 'x' } } })
    expect(capabilities('bob').includes('send-poll')).toBe(true)
    expect(send.code).toBe(17)
    expect(edit('bob')).toBe(17)
    grant({})
  })
  test('open and close a type for lists, and so decide what code 70 refuses', () => {
    const list = () => room.ask('QueryChannels', 'eve', { body: { filter_conditions: { type: 'messaging' } } }).code
    expect(list()).toBe(70)
    grant({ user: ['read-channel'] })
    expect(list()).toBeUndefined()
    expect(room.ask('GetChannel', 'eve', { params: ROOM }).code).toBeUndefined()
    grant({})
    expect(list()).toBe(70)
    expect(room.ask('GetChannel', 'eve', { params: ROOM }).code).toBe(16)
  })
  test('of one channel apply to that channel alone', () => {
    const set = { config_overrides: { grants: { channel_member: ['read-channel', 'update-any-message'] } } }
    room.done('UpdateChannelPartial', ADMIN, { params: ROOM, body: { set } })
    expect(capabilities('bob')).toEqual(['update-any-message'])
    room.done('UpdateChannelPartial', ADMIN, { params: ROOM, body: { unset: ['config_overrides'] } })
    expect(capabilities('bob')).toContain('send-message')
  })
})

describe('a custom role', () => {
  test('in a channel is like member until something is granted to it, and only an existing role may be assigned', () => {
    const give = (who: string) =>
      room.ask('UpdateChannel', who, {
        params: ROOM,
        body: { assign_roles: [{ user_id: 'bob', channel_role: 'editor' }] },
      }).code
    expect(give('ann')).toBe(4)
    room.done('CreateRole', ADMIN, { body: { name: 'editor' } })
    expect(give('eve')).toBe(16)
    expect(give('bob')).toBe(17)
    expect(give('ann')).toBeUndefined()
    expect(edit('bob')).toBe(17)
    grant({ editor: ['read-channel', 'update-any-message'] })
    expect(capabilities('bob')).toEqual(['update-any-message'])
    expect(edit('bob')).toBeUndefined()
    grant({})
  })
  test('of the app is like user until something is granted to it', () => {
    room.done('CreateRole', ADMIN, { body: { name: 'auditor' } })
    room.done('UpdateUsers', ADMIN, { body: { users: { eve: { role: 'auditor' } } } })
    expect(room.ask('GetChannel', 'eve', { params: ROOM }).code).toBe(16)
    grant({ auditor: ['read-channel'] })
    expect(capabilities('eve')).toEqual([])
    expect(room.ask('SendMessage', 'eve', { params: ROOM, body: { message: { text: 'x' } } }).code).toBe(17)
    grant({})
    room.done('UpdateUsers', ADMIN, { body: { users: { eve: { role: 'user' } } } })
  })
})

test('the creator of a channel without members manages it, until it has members', () => {
  const params = { type: 'messaging', id: 'empty' }
  const made = room.done<{ channel: { own_capabilities: string[] } }>('GetOrCreateChannel', 'ann', { params, body: {} })
  expect(made.channel.own_capabilities).toContain('update-channel-members')
  expect(room.ask('GetOrCreateChannel', 'bob', { params, body: {} }).code).toBe(17)
  room.done('UpdateChannel', 'ann', { params, body: { add_members: ['ann', 'bob'] } })
  room.done('UpdateChannel', 'ann', { params, body: { remove_members: ['ann'] } })
  expect(room.ask('GetChannel', 'ann', { params }).code).toBe(16)
})

describe('a custom permission', () => {
  test('acts as the capability it names, follows its changes, and ends with it', () => {
    room.done('UpdateChannel', 'ann', { params: ROOM, body: { demote_moderators: ['bob'] } })
    room.done('CreatePermission', ADMIN, { body: { id: 'mend', action: 'update-any-message' } })
    grant({ channel_member: ['read-channel', 'mend'] })
    expect(capabilities('bob')).toEqual(['update-any-message'])
    expect(edit('bob')).toBeUndefined()
    room.done('UpdatePermission', ADMIN, { params: { id: 'mend' }, body: { action: 'send-message' } })
    expect(capabilities('bob')).toEqual(['send-message'])
    expect(edit('bob')).toBe(17)
    room.done('DeletePermission', ADMIN, { params: { id: 'mend' } })
    expect(edit('bob')).toBe(17)
    room.done('CreatePermission', ADMIN, { body: { id: 'mend', action: 'UpdateAnyMessage' } })
    expect(capabilities('bob')).toEqual(['update-any-message'])
    expect(edit('bob')).toBeUndefined()
    room.done('UpdatePermission', ADMIN, { params: { id: 'mend' }, body: { action: 'Fly' } })
    expect(capabilities('bob')).toEqual([])
    expect(edit('bob')).toBe(17)
    grant({})
  })
})

describe('teams', () => {
  const TEAM = { params: { type: 'team', id: 'red' } }
  beforeAll(() => {
    const users = {
      rita: { teams: ['red'] },
      ben: { teams: ['blue'] },
      both: { teams: ['red', 'blue'] },
      boss: { role: 'admin' },
    }
    room.done('UpdateUsers', ADMIN, { body: { users } })
    room.done('GetOrCreateChannel', 'rita', { ...TEAM, body: { data: { members: ['rita', 'ben'], team: 'red' } } })
    room.done('SendMessage', 'rita', { ...TEAM, body: { message: { id: 'reds', text: 'crimson' } } })
  })
  const seen = (who: string) => ({
    channel: room.ask('GetChannel', who, TEAM).code,
    message: room.ask('GetMessage', who, { params: { id: 'reds' } }).code,
    listed: JSON.stringify(
      room.ask('QueryChannels', who, { body: { filter_conditions: { type: 'team' } } }).reply,
    ).includes('team:red'),
    found: JSON.stringify(
      room.ask('Search', who, { query: { payload: { filter_conditions: { cid: 'team:red' }, query: 'crimson' } } })
        .reply,
    ).includes('reds'),
    rita: JSON.stringify(room.done('QueryUsers', who, { query: { payload: { filter_conditions: {} } } })).includes(
      '"rita"',
    ),
  })
  const EVERYTHING = { channel: undefined, message: undefined, listed: true, found: true, rita: true }
  const NOTHING = { channel: 16, message: 16, listed: false, found: false, rita: false }

  test('mean nothing until they are separated', () => {
    for (const who of ['rita', 'ben', 'both', 'eve']) expect(seen(who), who).toEqual(EVERYTHING)
  })
  test('do not see each other when they are separated, members or not', () => {
    room.done('UpdateApp', ADMIN, { body: { multi_tenant_enabled: true } })
    for (const who of ['rita', 'both', 'boss']) expect(seen(who), who).toEqual(EVERYTHING)
    for (const who of ['ben', 'eve']) expect(seen(who), who).toEqual(NOTHING)
    const make = (who: string) =>
      room.ask('GetOrCreateChannel', who, {
        params: { type: 'messaging', id: `by-${who}` },
        body: { data: { members: [who, 'ann'], team: 'red' } },
      }).code
    expect(make('rita')).toBeUndefined()
    expect(make('ben')).toBe(17)
    room.done('UpdateApp', ADMIN, { body: { multi_tenant_enabled: false } })
    expect(seen('ben')).toEqual(EVERYTHING)
  })
})

test('roles without the permission to search users are refused', () => {
  const find = (who: string) => room.ask('QueryUsers', who, { query: { payload: { filter_conditions: {} } } }).code
  room.done('UpdateApp', ADMIN, { body: { user_search_disallowed_roles: ['user'] } })
  expect(find('bob')).toBe(17)
  expect(find('boss')).toBeUndefined()
  room.done('UpdateApp', ADMIN, { body: { user_search_disallowed_roles: null } })
  expect(find('bob')).toBe(undefined)
})
