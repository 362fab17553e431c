import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Listener, type Room } from '../room.ts'

type Message = Record<string, unknown> & { id: string }
type Place = { type: string; id: string }

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
})
afterAll(() => room.close())

let made = 0
function channel(data: object = {}, type = 'messaging'): Place {
  const params = { type, id: `m${(made += 1)}` }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'], ...data } } })
  return params
}
function watch(who: string, params: Place): Listener {
  const ear = room.listen(who)
  const query = { connection_id: ear.connectionId }
  room.done('GetOrCreateChannel', who, { params, body: { watch: true, state: false }, query })
  ear.takeEvents()
  return ear
}
const send = (who: string, params: Place, message: Json, more: Json = {}): Message =>
  room.done<{ message: Message }>('SendMessage', who, { params, body: { message, ...more } }).message
const get = (who: string, id: string): Message =>
  room.done<{ message: Message }>('GetMessage', who, { params: { id } }).message
const edit = (who: string, id: string, body: Json) => room.ask('UpdateMessagePartial', who, { params: { id }, body })
const replace = (who: string, id: string, message: Json) =>
  room.ask('UpdateMessage', who, { params: { id }, body: { message } })

test('mentioned groups are embedded in the message', () => {
  const { user_group: group } = room.done<{ user_group: { id: string } }>('CreateUserGroup', ADMIN, {
    body: { name: 'Night shift', member_ids: ['eve'] },
  })
  const message = send('ann', channel({}, 'team'), { text: 'hi', mentioned_group_ids: [group.id, 'gone'] })
  expect(message['mentioned_group_ids']).toEqual([group.id, 'gone'])
  expect(message['mentioned_groups']).toMatchObject([{ id: group.id, name: 'Night shift' }])
})

test('a draft in a thread is returned with its first message, to its author alone', () => {
  const params = channel()
  const parent = send('ann', params, { text: 'parent' })
  room.done('CreateDraft', 'bob', { params, body: { message: { id: 'd1', text: 'half', parent_id: parent.id } } })
  expect(get('bob', parent.id)['draft']).toMatchObject({ parent_id: parent.id, message: { text: 'half' } })
  expect(get('ann', parent.id)['draft']).toBeUndefined()
})

test('the end of a pin is for those who may pin, and can be removed', () => {
  const params = channel({}, 'commerce')
  const { id } = send('ann', params, { text: 'x', pinned: true, pin_expires: '2026-03-02T10:00:00Z' })
  expect(edit('bob', id, { set: { pin_expires: '2030-01-01T00:00:00Z' } }).code).toBe(17)
  edit('ann', id, { unset: ['pin_expires'] })
  expect(get('bob', id)['pinned']).toBe(true)
  expect(get('bob', id)['pin_expires']).toBeNull()
})

test('an expired pin can be set again, with a time that is not in the future', async () => {
  const params = channel()
  const { id } = send('ann', params, { text: 'x' })
  const now = room.clock.now()
  edit('ann', id, { set: { pinned: true, pin_expires: new Date(now + 5).toISOString() } })
  room.server.services.clock.after(6, () => {
    edit('ann', id, { set: { pinned: true, pinned_at: '2026-01-01T00:00:00Z' } })
  })
  await room.clock.advance(10)
  expect(get('ann', id)['pinned']).toBe(true)
  expect(get('ann', id)['pinned_at']).toBe('2026-01-01T00:00:00.000000Z')
  edit('ann', id, { set: { pinned: false } })
  edit('ann', id, { set: { pinned: true, pinned_at: '2099-01-01T00:00:00Z' } })
  expect(String(get('ann', id)['pinned_at'])).toMatch(/^2026-03/)
})

test('a deleted message is not pinned', () => {
  const { id } = send('ann', channel(), { text: 'x' })
  room.done('DeleteMessage', 'ann', { params: { id } })
  expect(edit('ann', id, { set: { pinned: true } }).code).toBe(4)
})

test('an edit replaces the mentions of a message, and needs the permission to mention', () => {
  const params = channel({}, 'commerce')
  const { id } = send('bob', params, { text: 'hi' })
  expect(replace('bob', id, { id, text: 'hi all', mentioned_channel: true }).code).toBe(17)
  expect(edit('bob', id, { set: { mentioned_here: true } }).code).toBe(17)
  const called = send('ann', params, { text: 'all', mentioned_channel: true })
  expect(edit('ann', called.id, { set: { text: 'all!' } }).reply['message']).toMatchObject({ mentioned_channel: true })
  expect(replace('ann', called.id, { id: called.id, text: 'none' }).code).toBeUndefined()
  expect(get('bob', called.id)['mentioned_channel']).toBeUndefined()
})

test('a guest mentions no one, also not by an edit', () => {
  const guest = room.done<{ user: { id: string } }>('CreateGuest', ADMIN, { body: { user: { id: 'gus' } } }).user.id
  const params = channel({ members: ['ann', guest] })
  const message = { text: 'hi @ann', mentioned_users: ['ann'] }
  expect(room.ask('SendMessage', guest, { params, body: { message } }).code).toBe(17)
  const { id } = send(guest, params, { text: 'hi' })
  expect(replace(guest, id, { id, ...message }).code).toBe(17)
})

test('mentioned members are returned on request', () => {
  const params = channel()
  const reply = room.done<{ mentioned_members: { user_id: string }[] }>('SendMessage', 'ann', {
    params,
    body: { message: { text: 'hi', mentioned_users: ['bob', 'eve'] }, include_mentioned_members: true },
  })
  expect(reply.mentioned_members.map((member) => member.user_id)).toEqual(['bob'])
})

test('deleting a message permanently is also announced for its replies in the channel', () => {
  const params = channel()
  const parent = send('ann', params, { text: 'parent' })
  const shown = send('bob', params, { text: 're', parent_id: parent.id, show_in_channel: true })
  send('bob', params, { text: 'aside', parent_id: parent.id })
  const ear = watch('bob', params)
  room.done('DeleteMessage', 'ann', { params: { id: parent.id }, query: { hard: true } })
  const deletions = ear
    .takeEvents()
    .filter((event) => event['type'] === 'message.deleted' && event['hard_delete'] === true)
  expect(deletions.map((event) => event['message_id'])).toEqual([shown.id, parent.id])
})

test('events of a reply list the participants of the thread', () => {
  const params = channel()
  const parent = send('ann', params, { text: 'parent' })
  const [ann, bob] = [room.listen('ann'), watch('bob', params)]
  send('bob', params, { text: 're', parent_id: parent.id })
  const notified = ann.takeEvents().find((event) => event['type'] === 'notification.thread_message_new')
  const received = bob.takeEvents().find((event) => event['type'] === 'message.new')
  expect(notified).toMatchObject({
    thread_id: parent.id,
    thread_participants: [{ id: 'bob' }],
    parent_author: { id: 'ann' },
  })
  expect(received).toMatchObject({ thread_participants: [{ id: 'bob' }], parent_author: { id: 'ann' } })
})

test('in a frozen channel reactions are neither added nor removed', () => {
  const params = channel()
  const { id } = send('ann', params, { text: 'x' })
  room.done('SendReaction', 'bob', { params: { id }, body: { reaction: { type: 'like' } } })
  room.done('UpdateChannelPartial', ADMIN, { params, body: { set: { frozen: true } } })
  expect(room.ask('DeleteReaction', 'bob', { params: { id, type: 'like' } }).code).toBe(17)
  room.done('UpdateChannelPartial', ADMIN, { params, body: { set: { frozen: false } } })
  expect(room.ask('DeleteReaction', 'bob', { params: { id, type: 'like' } }).code).toBeUndefined()
})

test('old markup of a message is stored as it is', () => {
  expect(send('ann', channel(), { text: 'x', mml: '<mml>x</mml>' })['mml']).toBe('<mml>x</mml>')
})
