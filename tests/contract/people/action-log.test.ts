import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { pruneActions } from '#main/server/moderation/log/log-table.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/** The history of actions of moderators and administrators. See docs/wire.md 3.14 `/logs`. */

let room: Room
const ROOM = { type: 'messaging', id: 'told' }
const CID = 'messaging:told'

beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('UpdateUsers', ADMIN, { body: { users: { mod: { role: 'moderator' } } } })
  room.done('GetOrCreateChannel', 'ann', {
    params: ROOM,
    body: { data: { name: 'Told', members: ['ann', 'bob', 'eve'] } },
  })
})
afterAll(() => room.close())

type Log = Json & { readonly action: string }
const logs = (filter: Json = {}, who: Parameters<Room['ask']>[1] = ADMIN): readonly Log[] =>
  room.done<{ logs: readonly Log[] }>('QueryModerationLogs', who, { body: { filter, limit: 100 } }).logs
let before = 0
beforeEach(() => {
  before = logs().length
})
/** The entries since the test began, oldest first. */
const fresh = () =>
  logs()
    .slice(0, logs().length - before)
    .toReversed()

const message = (id: string, by: string) => {
  room.done('SendMessage', by, { params: ROOM, body: { message: { id, text: 'secret words' } } })
}
const named = (name: string) => ({ params: { name } })

test('a ban and its end are logged with who, whom, why and for how long', () => {
  room.done('Ban', 'root', { body: { target_user_id: 'eve', reason: 'Links', timeout: 60 } })
  room.done('Unban', 'root', { query: { target_user_id: 'eve' } })
  room.done('Unban', 'root', { query: { target_user_id: 'eve' } })
  expect(fresh()).toMatchObject([
    { action: 'user.ban', user_id: 'root', target_user_id: 'eve', reason: 'Links', seconds: 3_600 },
    { action: 'user.unban', user_id: 'root', target_user_id: 'eve' },
  ])
})

test('a ban that ends by itself is logged without anyone who did it', async () => {
  room.done('Ban', 'root', { body: { target_user_id: 'eve', type: 'messaging', id: 'told', timeout: 1 } })
  await room.clock.advance(120_000)
  const [, ended] = fresh()
  expect(ended).toMatchObject({ action: 'user.ban_ended', target_user_id: 'eve', channel_cid: CID })
  expect(ended?.['user_id']).toBeUndefined()
})

test('deleting, restoring and editing the message of someone else is logged without its text; one’s own is not', () => {
  message('m1', 'bob')
  message('m2', 'ann')
  room.done('UpdateMessagePartial', 'root', { params: { id: 'm1' }, body: { set: { text: 'other secret words' } } })
  room.done('DeleteMessage', 'root', { params: { id: 'm1' } })
  room.done('DeleteMessage', 'ann', { params: { id: 'm2' } })
  room.done('UndeleteMessage', ADMIN, { params: { id: 'm1' }, body: {} })
  const about = { target_user_id: 'bob', message_id: 'm1', channel_cid: CID, channel_name: 'Told' }
  expect(fresh()).toMatchObject([
    { action: 'message.edit', user_id: 'root', ...about },
    { action: 'message.delete', user_id: 'root', how: 'soft', ...about },
    { action: 'message.restore', ...about },
  ])
  expect(JSON.stringify(fresh())).not.toContain('secret words')
})

test('a decision in the review queue is one entry', () => {
  message('m3', 'bob')
  const { review_queue_item_id: id } = room.done('Flag', 'eve', { body: { target_message_id: 'm3' } })
  room.done('SubmitAction', 'mod', { body: { action_type: 'delete_message', item_id: id, delete_message: {} } })
  expect(fresh()).toMatchObject([
    { action: 'review.decide', how: 'delete_message', user_id: 'mod', target_user_id: 'bob', message_id: 'm3' },
  ])
})

test('roles are logged with what they were, in the workspace and in channels', () => {
  room.done('UpdateUsersPartial', ADMIN, { body: { users: [{ id: 'bob', set: { role: 'moderator', name: 'Bo' } }] } })
  room.done('UpdateUsersPartial', ADMIN, { body: { users: [{ id: 'bob', set: { role: 'user' } }] } })
  room.done('UpdateUsersPartial', 'bob', { body: { users: [{ id: 'bob', set: { name: 'Bobby' } }] } })
  room.done('UpdateChannel', 'ann', {
    params: ROOM,
    body: { assign_roles: [{ user_id: 'bob', channel_role: 'channel_moderator' }] },
  })
  room.done('UpdateChannel', 'ann', { params: ROOM, body: { demote_moderators: ['bob'] } })
  const change = (from: string, to: string) => ({ changes: [{ field: 'role', from, to }], target_user_id: 'bob' })
  expect(fresh()).toMatchObject([
    { action: 'user.role', ...change('user', 'moderator') },
    { action: 'user.update', changes: [{ field: 'name', to: 'Bo' }] },
    { action: 'user.role', ...change('moderator', 'user') },
    { action: 'member.role', user_id: 'ann', channel_cid: CID, ...change('channel_member', 'channel_moderator') },
    { action: 'member.role', ...change('channel_moderator', 'channel_member') },
  ])
})

test('people who are created, deactivated, deleted and restored are logged, one entry each', () => {
  room.done('UpdateUsers', ADMIN, { body: { users: { dan: {}, kim: {} } } })
  room.done('DeactivateUser', ADMIN, { params: { id: 'dan' }, body: {} })
  room.done('ReactivateUser', ADMIN, { params: { id: 'dan' }, body: {} })
  room.done('DeleteUsers', ADMIN, { body: { user_ids: ['dan', 'nobody', 'kim'], user: 'soft' } })
  room.done('RestoreUsers', ADMIN, { body: { user_ids: ['dan'] } })
  expect(fresh().map(({ action, target_user_id: target }) => `${action} ${String(target)}`)).toEqual([
    'user.create dan',
    'user.create kim',
    'user.deactivate dan',
    'user.reactivate dan',
    'user.delete dan',
    'user.delete kim',
    'user.restore dan',
  ])
})

test('what changed in a channel type is logged flag by flag and right by right', () => {
  room.done('UpdateChannelType', ADMIN, {
    ...named('gaming'),
    body: { reactions: false, grants: { guest: ['read-channel'] } },
  })
  room.done('UpdateChannelType', ADMIN, { ...named('gaming'), body: { reactions: false } })
  expect(fresh()).toMatchObject([
    {
      action: 'channel_type.update',
      subject: 'gaming',
      changes: [
        { field: 'reactions', from: 'true', to: 'false' },
        { field: 'grants.guest', from: 'connect-events' },
        { field: 'grants.guest', from: 'send-reaction' },
        { field: 'grants.guest', from: 'flag-message' },
      ],
    },
  ])
})

test('settings, roles, commands, lists and rules are logged', () => {
  room.done('UpdateApp', ADMIN, { body: { reminders_interval: 120 } })
  room.done('CreateRole', ADMIN, { body: { name: 'guide' } })
  room.done('DeleteRole', ADMIN, named('guide'))
  room.done('CreateCommand', ADMIN, { body: { name: 'roll', description: 'Roll a die' } })
  room.done('CreateBlockList', ADMIN, { body: { name: 'rude', words: ['drat'] } })
  room.done('UpsertModerationRule', ADMIN, { body: { name: 'Staff names' } })
  room.done('UpdateChannelPartial', 'ann', { params: ROOM, body: { set: { frozen: true } } })
  room.done('UpdateChannelPartial', 'ann', { params: ROOM, body: { set: { frozen: false } } })
  expect(fresh()).toMatchObject([
    { action: 'app.update', changes: [{ field: 'reminders_interval', to: '120' }] },
    { action: 'role.create', subject: 'guide' },
    { action: 'role.delete', subject: 'guide' },
    { action: 'command.create', subject: 'roll' },
    { action: 'blocklist.create', subject: 'rude' },
    { action: 'rule.update', subject: 'Staff names' },
    { action: 'channel.freeze', user_id: 'ann', channel_cid: CID },
    { action: 'channel.unfreeze', user_id: 'ann', channel_cid: CID },
  ])
})

test('whoever uses the server token is named', () => {
  room.done('CreateRole', { ...ADMIN, usedBy: 'ann' }, { body: { name: 'herald' } })
  expect(fresh()).toMatchObject([{ action: 'role.create', user_id: 'ann', subject: 'herald' }])
})

test('what is refused is not logged', () => {
  const refused = [
    room.ask('Ban', 'bob', { body: { target_user_id: 'eve' } }),
    room.ask('CreateRole', ADMIN, { body: { name: 'herald' } }),
    room.ask('DeleteRole', ADMIN, named('admin')),
    room.ask('DeactivateUser', ADMIN, { params: { id: 'nobody' }, body: {} }),
    room.ask('UpdateChannelType', ADMIN, { ...named('team'), body: { reactions: 'no' } }),
  ]
  expect(refused.every(({ code }) => code !== undefined)).toBe(true)
  expect(fresh()).toEqual([])
})

describe('the list', () => {
  test('is for moderators', () => {
    expect(room.ask('QueryModerationLogs', 'bob', { body: {} }).code).toBe(17)
    expect(logs({}, 'mod').length).toBe(before)
  })
  test('is filtered by who, whom, what, where and when', () => {
    const found = (filter: Json) => [...new Set(logs(filter).map(({ action }) => action))].toSorted()
    expect(found({ user_id: 'ann', channel_cid: CID })).toEqual(['channel.freeze', 'channel.unfreeze', 'member.role'])
    expect(found({ action: { $in: ['role.create', 'role.delete'] } })).toEqual(['role.create', 'role.delete'])
    expect(found({ target_user_id: 'kim' })).toEqual(['user.create', 'user.delete'])
    expect(found({ created_at: { $gt: '2099-01-01T00:00:00Z' } })).toEqual([])
  })
  test('is paged, newest first', () => {
    const all = logs()
    const page = (next?: string) =>
      room.done<{ logs: readonly Log[]; next?: string }>('QueryModerationLogs', ADMIN, { body: { limit: 7, next } })
    const seen: unknown[] = []
    for (let at = page(); ; at = page(at.next)) {
      seen.push(...at.logs.map(({ id }) => id))
      if (at.next === undefined) break
    }
    expect(seen).toEqual(all.map(({ id }) => id))
  })
  test('says what can be undone, until it was', () => {
    message('m4', 'bob')
    room.done('DeleteMessage', 'root', { params: { id: 'm4' } })
    room.done('Ban', 'root', { body: { target_user_id: 'eve' } })
    expect(fresh().map(({ undo }) => undo)).toEqual(['restore', 'unban'])
    room.done('UndeleteMessage', ADMIN, { params: { id: 'm4' }, body: {} })
    room.done('Unban', 'root', { query: { target_user_id: 'eve' } })
    expect(fresh().map(({ undo }) => undo)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('how long entries are kept', () => {
  const MICROS = 86_400_000_000
  const prune = (days: number, most?: number): void => {
    const { db, clock } = room.server.services
    pruneActions(db, clock.now() * 1_000 + days * MICROS, most)
  }
  const count = (): number => logs().length
  test('two years, unless the settings say otherwise', () => {
    const all = count()
    expect(all).toBeGreaterThan(0)
    prune(729)
    expect(count()).toBe(all)
    room.done('UpdateApp', ADMIN, { body: { moderation_log_days: 30 } })
    expect(room.done('QueryModerationLogs', 'mod', { body: {} })).toMatchObject({ kept_days: 30 })
    prune(29)
    expect(count()).toBe(all + 1)
    prune(31)
    expect(count()).toBe(0)
    expect(room.done<{ since?: string }>('QueryModerationLogs', 'mod', { body: {} }).since).toBeUndefined()
    room.done('UpdateApp', ADMIN, { body: { moderation_log_days: null } })
    expect(room.done('QueryModerationLogs', 'mod', { body: {} })).toMatchObject({ kept_days: 730 })
  })
  test('a setting that would keep nothing is refused', () => {
    for (const days of [0, -1, 1.5, 4_000, 'forever']) {
      expect(room.ask('UpdateApp', ADMIN, { body: { moderation_log_days: days } }).code).toBe(4)
    }
  })
  test('and no more than the newest so many, in steps that block no one', () => {
    for (const name of ['a1', 'a2', 'a3']) room.done('CreateRole', ADMIN, { body: { name } })
    prune(0, 2)
    expect(logs().map(({ subject }) => subject)).toEqual(['a3', 'a2'])
  })
})
