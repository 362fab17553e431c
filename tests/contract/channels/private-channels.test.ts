import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { routes } from '#main/server/routes.ts'
import { insertUpload, mayOpenFile, asUser } from '#main/server/uploads/upload-files.ts'
import type { Call } from '../in-process.ts'
import { payload } from '../matrix/things.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/**
 * A team channel made private is visible to its members alone: each way by which a visitor could reach an open channel
 * is closed, with the responses the contract has for what may not be seen. Source: ADR 10.
 */
let room: Room
const PRIVATE = 'kept'
const OPEN = 'open'
const SINCE = '2026-03-01T00:00:00Z'
const POLL_OPTIONS = [{ id: 'yes', text: 'Yes' }]

beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve', 'mod', 'boss'])
  room.done('UpdateUsers', ADMIN, { body: { users: { mod: { role: 'moderator' }, boss: { role: 'admin' } } } })
  for (const id of [OPEN, PRIVATE]) fill(id)
})
afterAll(() => room.close())

/**
 * Two equal channels that differ only in who may read them: members, messages, a thread, a pin, a poll, a reaction, a
 * file.
 */
function fill(id: string): void {
  const params = { type: 'team', id }
  const data = { name: `Plans ${id}`, members: ['ann', 'bob'], ...(id === PRIVATE ? { private: true } : {}) }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data } })
  const send = (message: Json) => room.done('SendMessage', 'ann', { params, body: { message } })
  send({ id: `${id}-root`, text: `secret of ${id}`, pinned: true })
  room.done('CreatePoll', 'ann', { body: { id: `${id}-poll`, name: `Lunch ${id}?`, options: POLL_OPTIONS } })
  send({ id: `${id}-polled`, text: 'vote', poll_id: `${id}-poll` })
  room.done('SendMessage', 'bob', {
    params,
    body: { message: { id: `${id}-reply`, text: 'r', parent_id: `${id}-root` } },
  })
  room.done('SendReaction', 'bob', { params: { id: `${id}-root` }, body: { reaction: { type: 'like' } } })
  const row = { name: 'a.txt', mime_type: 'text/plain', size_bytes: 1, width: null, height: null, created_at: 1 }
  insertUpload(room.server.services.db, { ...row, id: fileOf(id), user_id: 'ann', cid: `team:${id}` })
}

const fileOf = (id: string): string => Buffer.from(id).toString('hex').padEnd(32, '0')
const at = (id: string) => ({ params: { type: 'team', id } })
const root = (id: string) => ({ params: { id: `${id}-root` } })

function attempt(operation: string, userId: string, call: Call) {
  const names = Object.keys(call.params ?? {}).toSorted()
  const route = routes.find(
    ({ operation: name, path }) =>
      name === operation &&
      (path.match(/:\w+/g) ?? [])
        .map((each) => each.slice(1))
        .toSorted()
        .join() === names.join(),
  )
  if (!route) throw new Error(`no operation ${operation} of ${names.join()}`)
  return room.server.attempt(route, { userId }, call)
}

type Attempt = readonly [what: string, operation: string, call: (id: string) => Call]

/** Requested by the channel's name: 16, as for a channel that does not exist. */
const BY_NAME: readonly Attempt[] = [
  ['the channel', 'GetChannel', at],
  ['members', 'QueryMembers', (id) => payload({ type: 'team', id })],
  ['pins', 'GetPinnedMessages', at],
  ['messages by id', 'GetManyMessages', (id) => ({ ...at(id), query: { ids: `${id}-root` } })],
  ['joining', 'UpdateChannel', (id) => ({ ...at(id), body: { add_members: ['eve'] } })],
  ['a draft', 'CreateDraft', (id) => ({ ...at(id), body: { message: { text: 'x' } } })],
]

/** Requested by an id: 16, as for an id that does not exist. */
const BY_ID: readonly Attempt[] = [
  ['a message', 'GetMessage', root],
  ['replies', 'GetReplies', root],
  ['reactions', 'GetReactions', root],
  ['reactions by a question', 'QueryReactions', (id) => ({ ...root(id), body: {} })],
  ['a thread', 'GetThread', (id) => ({ params: { messageId: `${id}-root` } })],
  ['a reminder', 'CreateReminder', (id) => ({ ...root(id), body: {} })],
  ['a poll', 'GetPoll', (id) => ({ params: { pollId: `${id}-poll` } })],
  ['an option', 'GetPollOption', (id) => ({ params: { pollId: `${id}-poll`, optionId: 'yes' } })],
]

/** Creating a channel reveals that its name is taken, and nothing else of it. */
const MADE: readonly Attempt[] = [
  ['the channel, made if need be', 'GetOrCreateChannel', (id) => ({ ...at(id), body: {} })],
]

describe.each([
  [16, BY_NAME],
  [16, BY_ID],
  [17, MADE],
] as const)('for a user who is not a member, code %i is the response to', (code, ways) => {
  test.each(ways)('%s (%s), where an open channel responds', (_what, operation, call) => {
    const before = room.server.services.db.get<{ n: number }>('SELECT total_changes() AS n')?.n
    const refusal = attempt(operation, 'eve', call(PRIVATE))
    expect(room.server.services.db.get<{ n: number }>('SELECT total_changes() AS n')?.n).toBe(before)
    expect(refusal.code).toEqual(code)
    expect(/Plans|secret|Lunch/.exec(JSON.stringify(refusal.reply))).toBeNull()
    expect(attempt(operation, 'eve', call(OPEN)).code).toBeUndefined()
    expect(attempt(operation, 'ann', call(PRIVATE)).code).toBeUndefined()
  })
})

/** What an open channel refuses to visitors too. */
test.each<Attempt>([
  ['a message', 'SendMessage', (id) => ({ ...at(id), body: { message: { text: 'x' } } })],
  ['a read mark', 'MarkRead', (id) => ({ ...at(id), body: {} })],
  ['typing', 'SendEvent', (id) => ({ ...at(id), body: { event: { type: 'typing.start' } } })],
  ['hiding', 'HideChannel', (id) => ({ ...at(id), body: {} })],
  ['a name', 'UpdateChannelPartial', (id) => ({ ...at(id), body: { set: { name: 'x' } } })],
  ['an invite that no one sent', 'UpdateChannel', (id) => ({ ...at(id), body: { accept_invite: true } })],
  ['an invite of one’s own', 'UpdateChannel', (id) => ({ ...at(id), body: { invites: ['eve'] } })],
  ['deleting it', 'DeleteChannel', at],
  ['truncating it', 'TruncateChannel', (id) => ({ ...at(id), body: {} })],
])('code 16 refuses a visitor %s (%s)', (_what, operation, call) => {
  expect(attempt(operation, 'eve', call(PRIVATE)).code).toBe(16)
})
test.each<Attempt>([
  ['a reaction', 'SendReaction', (id) => ({ ...root(id), body: { reaction: { type: 'wow' } } })],
  ['an edit', 'UpdateMessage', (id) => ({ ...root(id), body: { message: { text: 'x' } } })],
  ['a deletion', 'DeleteMessage', root],
  ['a flag', 'Flag', (id) => ({ body: { target_message_id: `${id}-root` } })],
  ['voters', 'QueryPollVotes', (id) => ({ params: { pollId: `${id}-poll` }, body: {} })],
  [
    'a vote',
    'CastPollVote',
    (id) => ({ params: { pollId: `${id}-poll`, messageId: `${id}-polled` }, body: { vote: { option_id: 'yes' } } }),
  ],
])('code 16 refuses a visitor %s (%s)', (_what, operation, call) => {
  expect(attempt(operation, 'eve', call(PRIVATE)).code).toBe(16)
})

const list = (filter_conditions: Json): Call => ({ body: { filter_conditions } })
const found = (filter_conditions: Json): Call => payload({ filter_conditions, query: 'secret' })

/** Responses that contain open channels, and nothing of private ones. */
const LISTS: readonly (readonly [what: string, operation: string, call: Call])[] = [
  ['channels of the type', 'QueryChannels', list({ type: 'team' })],
  ['channels by name', 'QueryChannels', list({ type: 'team', name: { $autocomplete: 'Plans' } })],
  ['channels by their ids', 'QueryChannels', list({ cid: { $in: ['team:open', 'team:kept'] } })],
  ['channels by either of two', 'QueryChannels', list({ $or: [{ cid: 'team:kept' }, { cid: 'team:open' }] })],
  ['channels of the type or private', 'QueryChannels', list({ $or: [{ type: 'team' }, { cid: 'team:kept' }] })],
  ['channels without a negation', 'QueryChannels', list({ type: 'team', private: { $exists: false } })],
  ['channels with a given member', 'QueryChannels', list({ type: 'team', members: { $in: ['ann'] } })],
  ['messages found in the type', 'Search', found({ type: 'team' })],
  ['messages found by ids', 'Search', found({ cid: { $in: ['team:open', 'team:kept'] } })],
  ['missed events', 'Sync', { body: { channel_cids: ['team:open', 'team:kept'], last_sync_at: SINCE } }],
]
test.each(LISTS)('%s contain nothing of a private channel for a visitor (%s)', (_what, operation, call) => {
  const text = (who: string) => JSON.stringify(attempt(operation, who, call).reply)
  expect(text('eve').includes('team:open')).toBe(true)
  expect(text('eve').includes('kept')).toBe(false)
})
test.each(LISTS.filter(([what]) => !what.includes('without')))(
  '%s contain it for a member (%s)',
  (_what, operation, call) => {
    expect(JSON.stringify(attempt(operation, 'bob', call).reply)).toContain('kept')
  },
)

test('filtering for private channels returns none, and a sync lists those that cannot be read', () => {
  expect(attempt('QueryChannels', 'eve', list({ type: 'team', private: true })).reply['channels']).toEqual([])
  const request = { channel_cids: ['team:kept'], last_sync_at: SINCE, with_inaccessible_cids: true }
  const { reply } = attempt('Sync', 'eve', { body: request })
  expect(reply['events']).toEqual([])
  expect(reply['inaccessible_cids']).toEqual(['team:kept'])
})

test('a file sent there can be opened by members only', () => {
  const file = (id: string) => ({ user_id: 'ann', cid: `team:${id}` })
  const may = (who: string, id: string) => mayOpenFile(room.server.services.db, file(id), asUser(who, 'user'))
  expect(may('eve', OPEN)).toBe(true)
  expect(may('eve', PRIVATE)).toBe(false)
  expect(may('bob', PRIVATE)).toBe(true)
})

test('no user outside can watch it, receive its events, or be counted in it', () => {
  const eve = room.listen('eve')
  const watch = { ...at(PRIVATE), query: { connection_id: eve.connectionId }, body: { watch: true } }
  expect(room.ask('GetOrCreateChannel', 'eve', watch).code).toBe(17)
  const every = {
    query: { connection_id: eve.connectionId },
    body: { filter_conditions: { type: 'team' }, watch: true },
  }
  room.done('QueryChannels', 'eve', every)
  eve.takeEvents()
  room.done('SendMessage', 'ann', {
    ...at(PRIVATE),
    body: { message: { text: 'again secret', mentioned_users: ['eve'] } },
  })
  expect(eve.takeEvents().filter((event) => JSON.stringify(event).includes('kept'))).toEqual([])
  expect(JSON.stringify(room.done('UnreadCounts', 'eve'))).not.toContain('kept')
})

test('moderators and administrators of the app read it, as they read every channel', () => {
  const codes = ['mod', 'boss'].map((who) => attempt('GetChannel', who, at(PRIVATE)).code)
  expect(codes).toEqual([undefined, undefined])
  const text = JSON.stringify(attempt('QueryChannels', 'mod', list({ type: 'team' })).reply)
  expect(text).toContain('team:kept')
})

describe('joining and leaving', () => {
  test('a user who is added can read, and one who is removed cannot', () => {
    room.done('UpdateChannel', 'ann', { ...at(PRIVATE), body: { add_members: ['eve'] } })
    expect(attempt('GetChannel', 'eve', at(PRIVATE)).code).toBeUndefined()
    room.done('UpdateChannel', 'ann', { ...at(PRIVATE), body: { remove_members: ['eve'] } })
    expect(attempt('GetChannel', 'eve', at(PRIVATE)).code).toBe(16)
    expect(JSON.stringify(attempt('QueryThreads', 'eve', { body: {} }).reply)).not.toContain('kept')
  })
  test('a channel that becomes private drops the visitors who watched, and no one else', () => {
    const params = { type: 'team', id: 'turning' }
    room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
    const [eve, bob, mod] = [room.listen('eve'), room.listen('bob'), room.listen('mod')]
    const watch = (id: string) => ({ params, query: { connection_id: id }, body: { watch: true } })
    room.done('GetOrCreateChannel', 'eve', watch(eve.connectionId))
    room.done('GetOrCreateChannel', 'bob', watch(bob.connectionId))
    room.done('GetOrCreateChannel', 'mod', watch(mod.connectionId))
    for (const each of [eve, bob, mod]) each.takeEvents()
    room.done('UpdateChannelPartial', 'ann', { params, body: { set: { private: true } } })
    expect(eve.types()).toContain('channel.kicked')
    for (const each of [bob, mod]) each.takeEvents()
    room.done('SendMessage', 'ann', { params, body: { message: { text: 'among us' } } })
    expect(eve.types()).toEqual([])
    expect(bob.types()).toEqual(expect.arrayContaining(['message.new']))
    expect(mod.types()).toEqual(expect.arrayContaining(['message.new']))
  })
  test('an update that does not mention it leaves the channel private; one that does opens it', () => {
    const put = (data: Json) => room.done('UpdateChannel', 'ann', { ...at(PRIVATE), body: { data } })
    const code = () => attempt('GetChannel', 'eve', at(PRIVATE)).code
    put({ name: 'Plans kept' })
    expect(code()).toBe(16)
    put({ name: 'Plans kept', private: false })
    expect(code()).toBeUndefined()
    put({ name: 'Plans kept', private: true })
    expect(code()).toBe(16)
  })
  test('grants of the type do not open it to users outside', () => {
    room.done('UpdateChannelType', ADMIN, { params: { name: 'team' }, body: { grants: { user: ['read-channel'] } } })
    expect(attempt('GetChannel', 'eve', at(PRIVATE)).code).toBe(16)
    room.done('UpdateChannelType', ADMIN, { params: { name: 'team' }, body: { grants: {} } })
  })
})
