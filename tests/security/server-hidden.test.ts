import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import type { Call } from '../contract/in-process.ts'
import { ADMIN, openRoom, type Listener, type Room } from '../contract/room.ts'

/**
 * What lower roles never see, in no response and in no event: private fields of users, their teams, who is shadow
 * banned, who banned whom, the grants of a channel.
 */
let room: Room
const ONE = { type: 'messaging', id: 'one' }
const CID = 'messaging:one'
const SECRETS = {
  email: 'bob@example.org',
  e_mail_address: 'bob',
  phone: '+48 123',
  private: 'note',
  contact: { work: 'bob@work.example' },
}
const PRIVATE = /bob@|e_mail_address|"phone"|"private"|"teams"/

beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve', 'mod', 'outsider'])
  const users = {
    boss: { role: 'admin' },
    chief: { role: 'moderator' },
    bob: { ...SECRETS, title: 'Cook', teams: ['red'] },
  }
  room.done('UpdateUsers', ADMIN, { body: { users } })
  room.done('GetOrCreateChannel', 'ann', { params: ONE, body: { data: { members: ['ann', 'bob', 'eve', 'mod'] } } })
  room.done('UpdateChannel', 'ann', { params: ONE, body: { add_moderators: ['mod'] } })
  const send = (who: string, message: Json) => room.done('SendMessage', who, { params: ONE, body: { message } })
  send('bob', { id: 'root', text: 'hello', mentioned_users: ['bob'] })
  send('bob', { id: 'reply', text: 'again', parent_id: 'root' })
  room.done('SendReaction', 'bob', { params: { id: 'root' }, body: { reaction: { type: 'like' } } })
  const poll = { id: 'poll', name: 'Lunch?', options: [{ id: 'yes', text: 'Yes' }] }
  room.done('CreatePoll', 'bob', { body: poll })
  send('bob', { id: 'polled', text: 'x', poll_id: 'poll' })
  room.done('CastPollVote', 'bob', {
    params: { messageId: 'polled', pollId: 'poll' },
    body: { vote: { option_id: 'yes' } },
  })
})
afterAll(() => room.close())

const people = { query: { payload: { filter_conditions: { id: 'bob' } } } }
const members = { query: { payload: { ...ONE, filter_conditions: {} } } }
const text = (who: string, operation: string, call: Call) => JSON.stringify(room.done(operation, who, call))

const WAYS: readonly (readonly [operation: string, call: Call])[] = [
  ['QueryUsers', people],
  ['QueryMembers', members],
  ['GetChannel', { params: ONE }],
  ['GetOrCreateChannel', { params: ONE, body: {} }],
  ['QueryChannels', { body: { filter_conditions: { cid: CID } } }],
  ['GetMessage', { params: { id: 'root' } }],
  ['GetReplies', { params: { id: 'root' } }],
  ['GetReactions', { params: { id: 'root' } }],
  ['GetThread', { params: { messageId: 'root' } }],
  ['GetPoll', { params: { pollId: 'poll' } }],
  ['QueryPollVotes', { params: { pollId: 'poll' }, body: {} }],
  ['Search', { query: { payload: { filter_conditions: { cid: CID }, query: 'hello' } } }],
  ['Sync', { body: { channel_cids: [CID], last_sync_at: '2026-03-01T00:00:00Z' } }],
  ['MuteUser', { body: { target_id: 'bob' } }],
  ['BlockUsers', { body: { blocked_user_id: 'bob' } }],
  ['GetBlockedUsers', {}],
  ['Flag', { body: { target_user_id: 'bob' } }],
]
test.each(WAYS)('%s shows others nothing private of a user', (operation, call) => {
  const notified = text('eve', operation, call)
  expect(PRIVATE.exec(notified)?.[0]).toBeUndefined()
  expect(notified.includes('bob')).toBe(true)
})

describe('private fields are shown', () => {
  test.each(['bob', 'boss', 'chief'])('to %s', (who) => {
    const { users } = room.done<{ users: Json[] }>('QueryUsers', who, people)
    expect(users).toMatchObject([{ ...SECRETS, title: 'Cook', teams: ['red'] }])
  })
  test('to a server token, and fields that are not private to everyone', () => {
    expect(room.done<{ users: Json[] }>('QueryUsers', ADMIN, people).users).toMatchObject([SECRETS])
    expect(room.done<{ users: Json[] }>('QueryUsers', 'eve', people).users).toMatchObject([{ title: 'Cook' }])
  })
  test('in the events of the user’s own connections, and in no others', () => {
    const [own, other] = [room.listen('bob'), room.listen('ann')]
    const query = { connection_id: other.connectionId }
    room.done('GetOrCreateChannel', 'ann', { params: ONE, query, body: { watch: true } })
    room.done('UpdateUsersPartial', 'bob', { body: { users: [{ id: 'bob', set: { title: 'Chef' } }] } })
    const user = (listener: Listener) => listener.takeEvents().find(({ type }) => type === 'user.updated')?.['user']
    expect(user(own)).toMatchObject({ ...SECRETS, title: 'Chef' })
    const seen = user(other)
    expect(PRIVATE.test(JSON.stringify(seen))).toBe(false)
    expect((seen as Json)['title']).toBe('Chef')
  })
})

describe('hidden fields cannot be queried', () => {
  const ask = (who: string, filter: Json) =>
    room.ask('QueryUsers', who, { query: { payload: { filter_conditions: filter } } }).code
  test.each<[Json]>([
    [{ phone: { $gt: '+' } }],
    [{ private: { $exists: true } }],
    [{ $or: [{ id: 'x' }, { e_mail_address: 'bob' }] }],
    [{ email: { $exists: true } }],
    [{ teams: { $contains: 'red' } }],
    [{ shadow_banned: true }],
  ])('%o is an unknown field to users', (filter) => {
    expect(ask('eve', filter)).toBe(4)
  })
  test('users may query a whole address and their own team, and administrators anything', () => {
    expect(ask('eve', { email: 'bob@example.org' })).toBeUndefined()
    expect(ask('bob', { teams: { $in: ['red'] } })).toBeUndefined()
    expect(ask('boss', { shadow_banned: true })).toBeUndefined()
    expect(ask('boss', { teams: { $contains: 'red' } })).toBeUndefined()
  })
  test('members cannot be queried by who is shadow banned', () => {
    const filter = { query: { payload: { ...ONE, filter_conditions: { shadow_banned: true } } } }
    expect(room.ask('QueryMembers', 'eve', filter).code).toBe(4)
    expect(room.ask('QueryMembers', 'mod', filter).code).toBeUndefined()
  })
})

describe('a shadow ban', () => {
  let received: Readonly<Record<string, string>> = {}
  beforeAll(() => {
    const listeners = new Map(['bob', 'eve', 'mod', 'ann'].map((who) => [who, room.listen(who)]))
    for (const [who, { connectionId }] of listeners) {
      room.done('GetOrCreateChannel', who, {
        params: ONE,
        query: { connection_id: connectionId },
        body: { watch: true },
      })
    }
    for (const listener of listeners.values()) listener.takeEvents()
    room.done('Ban', 'mod', { body: { target_user_id: 'bob', channel_cid: CID, shadow: true, timeout: 60 } })
    room.done('UpdateMemberPartial', 'bob', { params: ONE, body: { set: { pinned: true } } })
    room.done('SendMessage', 'bob', { params: ONE, body: { message: { id: 'unseen', text: 'anybody?' } } })
    received = Object.fromEntries([...listeners].map(([who, listener]) => [who, JSON.stringify(listener.takeEvents())]))
  })
  const HINTS = /"shadow_banned":true|ban_expires|"user.banned"/
  test.each(['bob', 'eve'])('is sent to %s by no event', (who) => {
    expect(HINTS.exec(received[who] ?? '')?.[0]).toBeUndefined()
    expect((received[who] ?? '').includes('member.updated')).toBe(true)
  })
  test('is sent to moderators, with who did it', () => {
    expect(received['ann']).toMatch(/"user.banned".*"created_by":\{"id":"mod"/)
    expect(received['ann']).toMatch(/"member.updated".*"shadow_banned":true/)
  })
  const SHOWN: readonly (readonly [string, Call])[] = [
    ['GetChannel', { params: ONE }],
    ['GetOrCreateChannel', { params: ONE, body: {} }],
    ['QueryChannels', { body: { filter_conditions: { cid: CID } } }],
    ['QueryMembers', members],
    ['GetThread', { params: { messageId: 'root' } }],
    ['Sync', { body: { channel_cids: [CID], last_sync_at: '2026-03-01T00:00:00Z' } }],
  ]
  test.each(SHOWN)('is seen by a moderator and by no one else in %s', (operation, call) => {
    const shown = ['bob', 'eve'].map((who) => HINTS.exec(text(who, operation, call))?.[0])
    expect(shown).toEqual([undefined, undefined])
    expect(text('mod', operation, call).includes('"shadow_banned":true')).toBe(operation !== 'Sync')
  })
  test('leaves the message visible to its author only', () => {
    const seen = (who: string) => room.ask('GetMessage', who, { params: { id: 'unseen' } }).code
    expect(seen('bob')).toBeUndefined()
    expect(seen('eve')).toBe(16)
    expect(received['eve']?.includes('anybody?')).toBe(false)
  })
})

describe('an open ban', () => {
  test('is announced to all members, and who did it only to moderators', () => {
    const listeners = ['bob', 'eve', 'ann'].map((who) => room.listen(who))
    const [bob, eve, ann] = listeners
    for (const [at, who] of ['bob', 'eve', 'ann'].entries()) {
      const query = { connection_id: listeners[at]?.connectionId ?? '' }
      room.done('GetOrCreateChannel', who, { params: ONE, query, body: { watch: true } })
    }
    for (const each of listeners) each.takeEvents()
    room.done('Ban', 'mod', { body: { target_user_id: 'eve', channel_cid: CID } })
    const notified = (listener: Listener | undefined) => JSON.stringify(listener?.takeEvents() ?? [])
    const [toBob, toEve, toAnn] = [notified(bob), notified(eve), notified(ann)]
    expect([toBob, toEve, toAnn].map((each) => each.includes('user.banned'))).toEqual([true, true, true])
    expect([toBob, toEve, toAnn].map((each) => each.includes('"created_by"'))).toEqual([false, false, true])
    const synced = text('bob', 'Sync', { body: { channel_cids: [CID], last_sync_at: '2026-03-01T00:00:00Z' } })
    expect(synced.includes('user.banned')).toBe(true)
    expect(/"user.banned"[^}]*"created_by"/.test(synced)).toBe(false)
    room.done('Unban', 'mod', { query: { target_user_id: 'eve', channel_cid: CID } })
  })
  test('of a moderator removes their permission to lift it', () => {
    room.done('Ban', ADMIN, { body: { target_user_id: 'mod', channel_cid: CID } })
    expect(room.ask('Unban', 'mod', { query: { target_user_id: 'mod', channel_cid: CID } }).code).toBe(17)
    for (const [operation, call] of [
      ['UpdateChannelPartial', { params: ONE, body: { set: { color: 'x' } } }],
      ['DeleteMessage', { params: { id: 'root' } }],
      ['UpdateChannel', { params: ONE, body: { message: { text: 'x' } } }],
      ['UpdateChannel', { params: ONE, body: { remove_members: ['eve'] } }],
      ['QueryBannedUsers', { query: { payload: { filter_conditions: { channel_cid: CID } } } }],
    ] as const) {
      expect(room.ask(operation, 'mod', call).code, operation).toBe(17)
    }
    room.done('Unban', ADMIN, { query: { target_user_id: 'mod', channel_cid: CID } })
  })
})

test('the grants of a channel are for those who manage it', () => {
  const grants = { config_overrides: { grants: { channel_member: ['!pin-message'] }, replies: true } }
  room.done('UpdateChannelPartial', ADMIN, { params: ONE, body: { set: grants } })
  const overrides = (who: string) =>
    room.done<{ channel: { config_overrides: Json } }>('GetChannel', who, { params: ONE }).channel.config_overrides
  expect(overrides('eve')).toEqual({ replies: true })
  expect(overrides('mod')).toEqual(grants.config_overrides)
})

describe('events are not repeated', () => {
  const sync = (who: string) =>
    text(who, 'Sync', { body: { channel_cids: ['messaging:told'], last_sync_at: '2026-03-01T00:00:00Z' } })
  test('after a deletion, a truncation, and to users without the history', () => {
    const params = { type: 'messaging', id: 'told' }
    room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
    const send = (id: string, text: string) =>
      room.done('SendMessage', 'ann', { params, body: { message: { id, text } } })
    send('t1', 'regretted words')
    send('t2', 'kept words')
    room.done('DeleteMessage', 'ann', { params: { id: 't1' } })
    expect(/regretted/.test(sync('bob'))).toBe(false)
    expect(/kept/.test(sync('bob'))).toBe(true)
    expect(/message.deleted/.test(sync('bob'))).toBe(true)
    room.done('UpdateChannel', 'ann', { params, body: { add_members: ['eve'], hide_history: true } })
    expect(/kept/.test(sync('eve'))).toBe(false)
    expect(/kept/.test(sync('bob'))).toBe(true)
    room.done('TruncateChannel', 'ann', { params, body: {} })
    expect(/kept/.test(sync('bob'))).toBe(false)
  })
  test('to a removed user: their reminders and drafts contain no text of the channel', () => {
    const params = { type: 'messaging', id: 'left' }
    room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'outsider'] } } })
    room.done('SendMessage', 'ann', { params, body: { message: { id: 'l1', text: 'inner words' } } })
    room.done('CreateReminder', 'outsider', { params: { id: 'l1' }, body: {} })
    room.done('CreateDraft', 'outsider', { params, body: { message: { text: 'mine', quoted_message_id: 'l1' } } })
    expect(text('outsider', 'QueryReminders', { body: {} })).toContain('inner words')
    room.done('UpdateChannel', 'ann', { params, body: { remove_members: ['outsider'] } })
    const all = ['QueryReminders', 'QueryDrafts', 'QueryThreads', 'QueryPolls'].map((each) =>
      text('outsider', each, { body: {} }),
    )
    expect(all.filter((each) => each.includes('inner words'))).toEqual([])
  })
})
