import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

type State = {
  channel: Record<string, unknown> & { cid: string }
  members: Record<string, unknown>[]
  membership: Record<string, unknown> | null
  messages: { id: string; text: string }[]
  read?: unknown[]
  pending_messages?: { message: { id: string }; metadata: unknown }[]
  push_preferences?: unknown
  hide_messages_before?: string
}
type Counts = { total_unread_count: number; channels: unknown[] }

const crowd = Array.from({ length: 99 }, (_none, index) => `p${index}`)

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('UpdateUsers', ADMIN, { body: { users: Object.fromEntries(crowd.map((id) => [id, {}])) } })
})
afterAll(() => room.close())

let made = 0
function channel(data: object = {}, type = 'messaging'): { type: string; id: string } {
  const params = { type, id: `c${(made += 1)}` }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'], ...data } } })
  return params
}
const at = (who: string, params: { type: string; id: string }, body: Json = {}): State =>
  room.done<State>('GetOrCreateChannel', who, { params, body })
const send = (who: string, params: object, text = 'hi', more: object = {}): string =>
  room.done<{ message: { id: string } }>('SendMessage', who, {
    params: { ...params },
    body: { message: { text }, ...more },
  }).message.id
const change = (who: string, params: object, body: object) =>
  room.ask('UpdateChannel', who, { params: { ...params }, body: { ...body } })

test('users named both as members and as invited are invited', () => {
  const { members } = at('ann', channel({ members: ['ann', 'bob', 'eve'], invites: ['eve'] }))
  expect(members.map((member) => [member['user_id'], member['invited'], member['status']])).toEqual([
    ['ann', false, undefined],
    ['bob', false, undefined],
    ['eve', true, 'pending'],
  ])
})

test('a user who declined an invite can be invited again, and becomes a member when simply added', () => {
  const params = channel({ invites: ['eve'] })
  change('eve', params, { reject_invite: true })
  const ear = room.listen('eve')
  change('ann', params, { invites: ['eve'] })
  expect(at('eve', params).membership?.['status']).toBe('pending')
  expect(ear.types()).toEqual(['notification.invited'])
  change('eve', params, { reject_invite: true })
  ear.takeEvents()
  change('ann', params, { add_members: ['eve'] })
  expect(at('eve', params).membership?.['status']).toBe('member')
  expect(ear.types()).toEqual(['notification.added_to_channel'])
})

test('a new channel of more than a hundred users is announced to each of them', () => {
  const ear = room.listen('p98')
  channel({ members: crowd.slice(0, 98), invites: ['ann', 'bob', 'eve', 'p98'] })
  expect(ear.types()).toEqual(['channel.created', 'notification.invited'])
})

test('a channel has its creator, and the end of its mute', () => {
  const params = channel()
  room.done('MuteChannel', 'bob', { body: { channel_cid: `messaging:${params.id}`, expiration: 60_000 } })
  const { channel: shown, membership, members } = at('bob', params)
  expect(shown['created_by_id']).toBe('ann')
  expect(shown['muted']).toBe(true)
  expect(shown['mute_expires_at']).toBe('2026-03-02T09:01:00.000000Z')
  expect(membership?.['notifications_muted']).toBe(true)
  expect(members.map((member) => member['notifications_muted'])).toEqual([false, true])
})

test('unread messages count in every type with read states, also those of an administrator, and not before joining', () => {
  room.done('CreateChannelType', ADMIN, { body: { name: 'office' } })
  room.done('CreateChannelType', ADMIN, { body: { name: 'wall', read_events: false } })
  const total = () => room.done<Counts>('UnreadCounts', 'p0').total_unread_count
  expect(total()).toBe(0)
  const join = { members: ['ann', 'p0'] }
  send('ann', channel(join, 'office'))
  expect(total()).toBe(1)
  send('ann', channel(join, 'wall'))
  const invited = channel({ members: ['ann'], invites: ['p0'] })
  send('ann', invited)
  expect(total()).toBe(1)
  change('p0', invited, { accept_invite: true })
  send('ann', invited)
  expect(total()).toBeGreaterThan(1)
})

test('without state a channel returns no messages and no read states', () => {
  const params = channel()
  send('bob', params)
  const { messages, read, members } = at('ann', params, { state: false })
  expect(messages).toEqual([])
  expect(read).toEqual([])
  expect(members.length).toBe(2)
})

test('the viewer’s messages that wait for approval are listed', () => {
  const params = channel()
  const id = send('bob', params, 'soon', { pending: true, pending_message_metadata: { why: 'x' } })
  expect(at('bob', params).pending_messages).toMatchObject([{ message: { id }, metadata: { why: 'x' } }])
  expect(at('ann', params).pending_messages).toBeUndefined()
  room.done('CommitMessage', ADMIN, { params: { id } })
  expect(at('bob', params).pending_messages).toBeUndefined()
})

test('push preferences of a channel are returned with it', () => {
  const params = channel()
  const request = { channel_cid: `messaging:${params.id}`, chat_level: 'mentions' }
  room.done('UpdatePushNotificationPreferences', 'bob', { body: { preferences: [request] } })
  expect(at('bob', params).push_preferences).toMatchObject({ chat_level: 'mentions' })
})

test('hiding with the history hides all messages so far, including those of the same millisecond', () => {
  const params = channel()
  for (let n = 0; n < 5; n += 1) send('ann', params)
  room.done('HideChannel', 'bob', { params, body: { clear_history: true } })
  const { messages, hide_messages_before: since } = at('bob', params)
  expect(messages.length).toBe(0)
  expect(typeof since).toBe('string')
  send('ann', params, 'new')
  expect(at('bob', params).messages.map(({ text }) => text)).toEqual(['new'])
})

test('an update sends watchers the message that came with it', () => {
  const params = channel()
  const ear = room.listen('bob')
  room.done('GetOrCreateChannel', 'bob', { params, body: { watch: true }, query: { connection_id: ear.connectionId } })
  ear.takeEvents()
  change('ann', params, { data: { topic: 'x' }, message: { text: 'renamed' } })
  const notified = ear.takeEvents().find((event) => event['type'] === 'channel.updated')
  expect(notified?.['message']).toMatchObject({ text: 'renamed', type: 'system' })
})

test('a truncation cannot be dated in the future, nor before an earlier one', () => {
  const params = channel()
  send('ann', params, 'old')
  const cut = (body: Json) => room.done<State>('TruncateChannel', 'ann', { params, body })
  cut({ truncated_at: '2099-01-01T00:00:00Z' })
  send('ann', params, 'new')
  expect(at('ann', params).messages.map(({ text }) => text)).toEqual(['new'])
  cut({ truncated_at: '2020-01-01T00:00:00Z' })
  expect(at('ann', params).messages.map(({ text }) => text)).toEqual(['new'])
})

test('a hard truncation leaves no reply without its parent', () => {
  const params = channel()
  const parent = send('ann', params, 'old')
  const before = room.done<{ message: { created_at: string } }>('GetMessage', 'ann', { params: { id: parent } })
  const reply = room.done<{ message: { id: string } }>('SendMessage', 'bob', {
    params,
    body: { message: { text: 're', parent_id: parent, show_in_channel: true } },
  }).message.id
  room.done('TruncateChannel', 'ann', {
    params,
    body: { hard_delete: true, truncated_at: before.message.created_at },
  })
  expect(room.ask('GetMessage', 'bob', { params: { id: reply } }).code).toBe(16)
})

test('a disabled channel is listed, and opened by administrators only', () => {
  const params = channel()
  const id = send('ann', params, 'secret')
  room.done('UpdateChannelPartial', ADMIN, { params, body: { set: { disabled: true } } })
  expect(room.ask('GetOrCreateChannel', 'bob', { params }).code).toBe(17)
  expect(room.ask('SendMessage', 'bob', { params, body: { message: { text: 'x' } } }).code).toBe(17)
  expect(room.ask('GetMessage', 'bob', { params: { id } }).code).toBe(17)
  const list = room.done<{ channels: State[] }>('QueryChannels', 'bob', {
    body: { filter_conditions: { cid: `messaging:${params.id}`, disabled: true } },
  })
  expect(list.channels.map((each) => [each.channel['disabled'], each.messages])).toEqual([[true, []]])
  const search = { filter_conditions: { members: { $in: ['bob'] } }, query: 'secret' }
  expect(room.done<{ results: unknown[] }>('Search', 'bob', { query: { payload: search } }).results).toEqual([])
  room.done('UpdateChannelPartial', ADMIN, { params, body: { unset: ['disabled'] } })
  expect(at('bob', params).messages.length).toBe(1)
})

test('a removed member stops watching, and is notified; the others receive the removal', () => {
  const params = channel()
  const [ann, bob] = [room.listen('ann'), room.listen('bob')]
  for (const [who, ear] of [['ann', ann] as const, ['bob', bob] as const]) {
    room.done('GetOrCreateChannel', who, { params, body: { watch: true }, query: { connection_id: ear.connectionId } })
  }
  ann.takeEvents()
  bob.takeEvents()
  change('ann', params, { remove_members: ['bob'] })
  expect(bob.types()).toEqual(expect.arrayContaining(['notification.removed_from_channel', 'channel.kicked']))
  const stop = ann.takeEvents().find((event) => event['type'] === 'user.watching.stop')
  expect(stop).toMatchObject({ user: { id: 'bob' }, watcher_count: 1 })
  send('ann', params)
  expect(bob.types()).toEqual([])
})

test('the deletion of a channel reaches every connection once, whether it watches or not', () => {
  const params = channel()
  const [watching, absent] = [room.listen('bob'), room.listen('bob')]
  const query = { connection_id: watching.connectionId }
  room.done('GetOrCreateChannel', 'bob', { params, body: { watch: true }, query })
  watching.takeEvents()
  absent.takeEvents()
  room.done('DeleteChannel', 'ann', { params, query: { hard_delete: true } })
  expect(watching.types()).toEqual(['channel.deleted'])
  expect(absent.types()).toEqual(['notification.channel_deleted'])
})

test('one call changes many channels, for a server token only', () => {
  const [one, two] = [channel(), channel()]
  const cids = [one, two].map(({ id }) => `messaging:${id}`)
  const batch = (body: Json, who: Parameters<Room['ask']>[1] = ADMIN) =>
    room.ask('UpdateChannelsBatch', who, { body: { filter: { cids }, ...body } })
  expect(batch({ operation: 'addMembers', members: ['eve'] }, 'ann').code).toBe(17)
  const answer = batch({ operation: 'addMembers', members: ['eve'] })
  expect(answer.reply['result']).toEqual({ [cids[0]!]: { status: 'ok' }, [cids[1]!]: { status: 'ok' } })
  expect(at('eve', two).members.length).toBe(3)
  batch({ operation: 'addModerators', members: ['eve'] })
  expect(at('eve', one).membership?.['channel_role']).toBe('channel_moderator')
  batch({ operation: 'updateData', data: { topic: 'all' } })
  batch({ operation: 'addFilterTags', filter_tags_update: ['x'] })
  expect(at('bob', two).channel['topic']).toBe('all')
  expect(at('bob', two).channel['filter_tags']).toEqual(['x'])
  batch({ operation: 'archive', members: ['bob'] })
  expect(typeof at('bob', one).membership?.['archived_at']).toBe('string')
  batch({ operation: 'hide', members: ['bob'] })
  expect(at('bob', two).channel['hidden']).toBe(true)
  const failed = batch({ operation: 'hide', members: ['p5'] })
  expect(failed.reply['result']).toMatchObject({ [cids[0]!]: { status: 'failed' } })
  expect(batch({ operation: 'explode' }).code).toBe(4)
  expect(batch({ operation: 'show', filter: {} }).code).toBe(4)
})

test('without a translator a text is not translated', () => {
  const body = { text: 'hello', source_language: 'en', destination_language: 'pl' }
  expect(room.ask('Translate', 'ann', { body }).code).toBe(19)
  expect(room.ask('Translate', 'ann', { body: { text: 'hello' } }).code).toBe(4)
})

test('AGR-19 a list without a limit has ten channels, from the first on', () => {
  for (let count = 0; count < 11; count += 1) channel()
  const list = (body: object) =>
    room
      .done<{ channels: State[] }>('QueryChannels', 'ann', {
        body: {
          filter_conditions: { members: { $in: ['ann'] } },
          sort: [{ field: 'created_at', direction: -1 }],
          ...body,
        },
      })
      .channels.map((each) => each.channel.cid)
  expect(list({})).toHaveLength(10)
  expect(list({})).toEqual(list({ limit: 10, offset: 0 }))
})
