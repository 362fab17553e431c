import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
})
afterAll(() => room.close())

type Channels = { channels: { channel: { cid: string; blocked?: boolean } }[] }
type State = { channel: { cid: string; id: string }; messages: { id: string; text: string; reply_count: number }[] }
type User = { id: string; name?: string; teams?: string[]; teams_role?: Json }

const cidsOf = (who: string, filter: Json = {}) =>
  room
    .done<Channels>('QueryChannels', who, { body: { filter_conditions: { members: { $in: [who] }, ...filter } } })
    .channels.map(({ channel }) => channel.cid)
const talk = (who: string, members: string[]) => {
  const params = { type: 'messaging' }
  return room.done<State>('GetOrCreateDistinctChannel', who, { params, body: { data: { members } } })
}
const sendText = (who: string, id: string, text: string) =>
  room.done('SendMessage', who, { params: { type: 'messaging', id }, body: { message: { text } } })

test('a block hides the conversation of two users from both until it ends', () => {
  const { channel } = talk('ann', ['ann', 'bob'])
  const [ann, bob] = [room.listen('ann'), room.listen('bob')]
  room.done('BlockUsers', 'ann', { body: { blocked_user_id: 'bob' } })
  expect(ann.types()).toEqual(['channel.hidden'])
  expect(bob.types()).toEqual(['channel.hidden'])
  expect(cidsOf('ann')).toEqual([])
  expect(cidsOf('bob')).toEqual([])
  expect(cidsOf('ann', { blocked: true, hidden: true })).toEqual([channel.cid])
  expect(cidsOf('bob', { blocked: true, hidden: true })).toEqual([channel.cid])
  room.done('UnblockUsers', 'ann', { body: { blocked_user_id: 'bob' } })
  expect(ann.types()).toEqual(['channel.visible'])
  expect(bob.types()).toEqual(['channel.visible'])
  expect(cidsOf('ann')).toEqual([channel.cid])
  expect(cidsOf('bob')).toEqual([channel.cid])
})

test('messages of a blocked user there reach no one and count for no one', () => {
  const { channel } = talk('eve', ['eve', 'bob'])
  room.done('BlockUsers', 'eve', { body: { blocked_user_id: 'bob' } })
  const eve = room.listen('eve')
  const query = { connection_id: eve.connectionId }
  const params = { type: 'messaging', id: channel.id }
  room.done('GetOrCreateChannel', 'eve', { params, query, body: { watch: true } })
  eve.takeEvents()
  sendText('bob', channel.id, 'hello?')
  expect(eve.types()).toEqual([])
  expect(cidsOf('bob').includes(channel.cid)).toBe(false)
  const state = room.done<State & { read: { user: { id: string }; unread_messages: number }[] }>(
    'GetOrCreateChannel',
    'eve',
    { params, body: {} },
  )
  expect(state.messages).toEqual([])
  expect(state.read.find((read) => read.user.id === 'eve')?.unread_messages).toBe(0)
  room.done('UnblockUsers', 'eve', { body: { blocked_user_id: 'bob' } })
  sendText('bob', channel.id, 'thank you')
  expect(eve.types()).toContain('message.new')
})

test('messages written during a block are visible after it ends, counted, in their place', () => {
  const { channel } = talk('eve', ['eve', 'ann'])
  const params = { type: 'messaging', id: channel.id }
  sendText('eve', channel.id, 'parent')
  const [first] = room.done<State>('GetOrCreateChannel', 'eve', { params, body: {} }).messages
  room.done('BlockUsers', 'eve', { body: { blocked_user_id: 'ann' } })
  sendText('ann', channel.id, 'under a block')
  const send = (message: Json) => room.done('SendMessage', 'ann', { params, body: { message } })
  send({ text: 'a reply', parent_id: first?.id ?? '' })
  room.done('UnblockUsers', 'eve', { body: { blocked_user_id: 'ann' } })
  const seen = room.done<State>('GetOrCreateChannel', 'eve', { params, body: {} })
  expect(seen.messages.map(({ text, reply_count }) => [text, reply_count])).toEqual([
    ['parent', 1],
    ['under a block', 0],
  ])
  const { channels } = room.done<{ channels: { channel_id: string; unread_count: number }[] }>('UnreadCounts', 'eve')
  expect(channels.find((each) => each.channel_id === channel.cid)?.unread_count).toBe(1)
})

test('two users who block each other see their conversation again when both have unblocked', () => {
  const { channel } = talk('ann', ['ann', 'eve'])
  const block = (who: string, other: string) => room.done('BlockUsers', who, { body: { blocked_user_id: other } })
  const end = (who: string, other: string) => room.done('UnblockUsers', who, { body: { blocked_user_id: other } })
  block('ann', 'eve')
  block('eve', 'ann')
  end('ann', 'eve')
  expect(cidsOf('ann')).not.toContain(channel.cid)
  end('eve', 'ann')
  expect(cidsOf('ann')).toContain(channel.cid)
})

test('names are unique where the app wants it: code 6', () => {
  const rename = (id: string, name: string) =>
    room.ask('UpdateUsersPartial', ADMIN, { body: { users: [{ id, set: { name } }] } }).code
  expect(rename('ann', 'Kim')).toBeUndefined()
  expect(rename('bob', 'Kim')).toBeUndefined()
  rename('bob', 'Bob')
  room.done('UpdateApp', ADMIN, { body: { enforce_unique_usernames: 'app' } })
  expect(rename('bob', 'Kim')).toBe(6)
  expect(rename('ann', 'Kim')).toBeUndefined()
  room.done('UpdateApp', ADMIN, { body: { enforce_unique_usernames: 'team' } })
  expect(rename('bob', 'Kim')).toBeUndefined()
  rename('bob', 'Bob')
  const users = { ann: { teams: ['red'] }, bob: { teams: ['red'] } }
  room.done('UpdateUsers', ADMIN, { body: { users } })
  expect(rename('bob', 'Kim')).toBe(6)
  room.done('UpdateApp', ADMIN, { body: { enforce_unique_usernames: 'no' } })
})

test('roles in teams are set by the server, announced, and cannot be removed by users', () => {
  const bob = room.listen('bob')
  const users = { bob: { teams: ['red'], teams_role: { red: 'lead' } } }
  const reply = room.done<{ users: Record<string, User>; membership_deletion_task_id: string }>('UpdateUsers', ADMIN, {
    body: { users },
  })
  expect(reply.users['bob']?.teams_role).toEqual({ red: 'lead' })
  expect(typeof reply.membership_deletion_task_id).toBe('string')
  expect(bob.types()).toEqual(['user.updated'])
  const body = { users: [{ id: 'bob', set: { teams_role: { red: 'king' } }, unset: ['teams_role'] }] }
  const after = room.done<{ users: Record<string, User> }>('UpdateUsersPartial', 'bob', { body })
  expect(after.users['bob']?.teams_role).toEqual({ red: 'lead' })
})

test('a user who stops being invisible is announced to all who subscribed to their presence', () => {
  const eve = room.listen('eve')
  const payload = { filter_conditions: { id: 'bob' }, presence: true }
  room.done('QueryUsers', 'eve', { query: { payload, connection_id: eve.connectionId } })
  room.done('UpdateUsers', 'bob', { body: { users: { bob: { invisible: true } } } })
  room.done('UpdateUsers', 'bob', { body: { users: { bob: { invisible: false } } } })
  expect(eve.types().filter((type) => type === 'user.presence.changed').length).toBe(2)
})

test('the app’s settings revoke the tokens of all users issued before a time, and no server token', () => {
  const later = new Date(room.clock.now() + 1_000).toISOString()
  room.done('UpdateApp', ADMIN, { body: { revoke_tokens_issued_before: later } })
  expect(room.ask('GetApp', 'bob').code).toBe(40)
  expect(room.ask('GetApp', ADMIN).code).toBeUndefined()
  room.done('UpdateApp', ADMIN, { body: { revoke_tokens_issued_before: null } })
  expect(room.ask('GetApp', 'bob').code).toBeUndefined()
})

test.each([
  ['reminders every second', { reminders_interval: 1 }],
  ['a date that is none', { revoke_tokens_issued_before: 'yesterday' }],
  ['roles that are no list', { user_search_disallowed_roles: 'guest' }],
])('app settings with %s are refused', (_name, body) => {
  expect(room.ask('UpdateApp', ADMIN, { body }).code).toBe(4)
})

test('upload rules without a limit have the default one', () => {
  const limits = (body: Json) => {
    room.done('UpdateApp', ADMIN, { body })
    const { app } = room.done<{ app: { file_upload_config: { size_limit: number; blocked_mime_types: string[] } } }>(
      'GetApp',
      'bob',
    )
    return app.file_upload_config
  }
  for (const size_limit of [0, null]) {
    expect(limits({ file_upload_config: { size_limit, blocked_mime_types: null } })).toMatchObject({
      size_limit: 104_857_600,
      blocked_mime_types: [],
    })
  }
  expect(limits({ file_upload_config: { size_limit: 5 } }).size_limit).toBe(5)
})

test('only a new device counts towards the limit', () => {
  const add = (id: string) => room.ask('CreateDevice', 'eve', { body: { id, push_provider: 'apn' } }).code
  for (let at = 0; at < 100; at += 1) add(`d${at}`)
  expect(add('d7')).toBeUndefined()
  expect(add('one too many')).toBe(4)
})

test('the server’s own events cannot be sent by clients', () => {
  const send = (type: string) =>
    room.ask('SendUserCustomEvent', ADMIN, { params: { id: 'bob' }, body: { event: { type } } }).code
  expect(send('message.new')).toBe(18)
  expect(send('notification.mark_read')).toBe(18)
  expect(send('poke')).toBeUndefined()
})

test('groups are paged by id alone, and found groups by name alone', async () => {
  const names = ['red', 'green', 'grey', 'blue']
  for (const name of names) {
    await room.clock.advance(1_000)
    room.done('CreateUserGroup', 'root', { body: { id: name, name } })
  }
  type Groups = { user_groups: { id: string }[] }
  const page = (query: Json) => room.done<Groups>('ListUserGroups', 'ann', { query }).user_groups.map(({ id }) => id)
  expect(page({ limit: 2 })).toEqual(['red', 'green'])
  expect(page({ limit: 2, id_gt: 'green' })).toEqual(['grey', 'blue'])
  const found = (query: Json) => room.done<Groups>('SearchUserGroups', 'ann', { query }).user_groups
  expect(found({ query: 'gr', name_gt: 'green' }).map(({ id }) => id)).toEqual(['grey'])
  room.done('CreateUserGroup', 'root', { body: { id: 'zolc', name: 'Żółć' } })
  for (const query of ['żółć', 'ZOL', 'Żół']) expect(found({ query }).map(({ id }) => id)).toEqual(['zolc'])
  expect(found({ query: 'olc' })).toEqual([])
  expect(found({ query: '?' })).toEqual([])
})

test('messages deleted with a deactivation are restored with the user, on request', async () => {
  const params = { type: 'messaging', id: 'turning' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'eve'] } } })
  const send = (text: string) =>
    room.done<{ message: { id: string } }>('SendMessage', 'eve', { params, body: { message: { text } } }).message.id
  const own = send('deleted by eve')
  room.done('DeleteMessage', 'eve', { params: { id: own } })
  await room.clock.advance(1_000)
  send('kept')
  const turn = (operation: string, body: Json = {}) => room.done(operation, ADMIN, { params: { id: 'eve' }, body })
  const texts = () =>
    room
      .done<State>('GetOrCreateChannel', 'ann', { params, body: {} })
      .messages.map((message) => [message.text, (message as { type?: string }).type])
  const ann = room.listen('ann')
  turn('DeactivateUser', { mark_messages_deleted: true, created_by_id: 'root' })
  expect(texts()).toEqual([
    ['', 'deleted'],
    ['', 'deleted'],
  ])
  expect(ann.takeEvents()[0]).toMatchObject({ type: 'user.deactivated', created_by: { id: 'root' } })
  turn('ReactivateUser', { restore_messages: true, name: 'Eve' })
  expect(texts()).toEqual([
    ['', 'deleted'],
    ['kept', 'regular'],
  ])
})

test('a blocked conversation stays hidden when the blocking user writes in it', () => {
  const { channel } = talk('bob', ['bob', 'eve'])
  room.done('BlockUsers', 'bob', { body: { blocked_user_id: 'eve' } })
  sendText('bob', channel.id, 'one more thing')
  expect(cidsOf('bob').includes(channel.cid)).toBe(false)
  expect(cidsOf('eve').includes(channel.cid)).toBe(false)
  room.done('UnblockUsers', 'bob', { body: { blocked_user_id: 'eve' } })
})

test('watchers of a channel are notified that a user deleted permanently is no longer a member', () => {
  room.done('UpdateUsers', ADMIN, { body: { users: { max: {} } } })
  const params = { type: 'messaging', id: 'left' }
  const ann = room.listen('ann')
  const watch = { data: { members: ['ann', 'max'] }, watch: true }
  room.done('GetOrCreateChannel', 'ann', { params, body: watch, query: { connection_id: ann.connectionId } })
  ann.takeEvents()
  room.done('DeleteUser', ADMIN, { params: { id: 'max' }, query: { hard_delete: 'true' } })
  const notified = ann.takeEvents().filter(({ type }) => type === 'member.removed')
  expect(notified).toMatchObject([{ cid: 'messaging:left', member: { user_id: 'max' }, channel: { member_count: 1 } }])
})

test('a group of another team is not visible to a caller who names their own', () => {
  room.done('CreateUserGroup', 'root', { body: { id: 'reds', name: 'Reds', team_id: 'red' } })
  const params = { id: 'reds' }
  const codesFor = (team_id: string) => [
    room.ask('GetUserGroup', 'ann', { params, query: { team_id } }).code,
    room.ask('UpdateUserGroup', 'root', { params, query: { team_id }, body: { name: 'R' } }).code,
    room.ask('AddUserGroupMembers', 'root', { params, body: { team_id, member_ids: ['ann'] } }).code,
    room.ask('RemoveUserGroupMembers', 'root', { params, body: { team_id, member_ids: ['ann'] } }).code,
    room.ask('DeleteUserGroup', 'root', { params, query: { team_id } }).code,
  ]
  expect(codesFor('blue')).toEqual([16, 16, 16, 16, 16])
  expect(codesFor('red')).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('a reaction group lists its latest users, newest first', async () => {
  const params = { type: 'messaging', id: 'thumbs' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob', 'eve'] } } })
  room.done('SendMessage', 'ann', { params, body: { message: { id: 'thumbs', text: 'x' } } })
  for (const who of ['bob', 'eve']) {
    await room.clock.advance(1_000)
    room.done('SendReaction', who, { params: { id: 'thumbs' }, body: { reaction: { type: 'like' } } })
  }
  type Reply = { message: { reaction_groups: { like: { latest_reactions_by: { user_id: string }[] } } } }
  const { message } = room.done<Reply>('GetMessage', 'ann', { params: { id: 'thumbs' } })
  expect(message.reaction_groups.like.latest_reactions_by.map(({ user_id }) => user_id)).toEqual(['eve', 'bob'])
})

test.each(['', '  ', '\u200b\u200d', '\u0301', '\u2800'])('the name %j is empty: the previous one stays', (name) => {
  const named = (details: Json) =>
    room.done<{ users: Record<string, User> }>('UpdateUsers', 'bob', { body: { users: { bob: details } } }).users['bob']
  expect(named({ id: 'bob', name: 'Bob' })?.name).toBe('Bob')
  expect(named({ id: 'bob', name })?.name).toBe('Bob')
  const body = { users: [{ id: 'bob', set: { name } }] }
  expect(room.done<{ users: Record<string, User> }>('UpdateUsersPartial', ADMIN, { body }).users['bob']?.name).toBe(
    'Bob',
  )
  const fresh = { users: { fay: { id: 'fay', name } } }
  const made = room.done<{ users: Record<string, User> }>('UpdateUsers', ADMIN, { body: fresh })
  expect(made.users['fay']?.name ?? '').toBe('')
})
