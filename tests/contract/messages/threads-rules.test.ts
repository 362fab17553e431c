import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, openRoom, type Room } from '../room.ts'

type Thread = {
  reply_count: number
  channel: { members: unknown[] }
  thread_participants: { user_id: string; left_thread_at?: string }[]
  participant_count: number
  active_participant_count: number
  read: { user: { id: string }; unread_messages: number; last_read_message_id?: string }[]
}
type Counts = { total_unread_threads_count: number; threads: { parent_message_id: string; unread_count: number }[] }

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
})
afterAll(() => room.close())

let made = 0
const send = (who: string, params: { type: string; id: string }, text: string, more: object = {}): string =>
  room.done<{ message: { id: string } }>('SendMessage', who, { params, body: { message: { text, ...more } } }).message
    .id

/** A thread of Ann's with two replies of Bob's. */
function thread() {
  const params = { type: 'messaging', id: `t${(made += 1)}` }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob', 'eve'] } } })
  const parent = send('ann', params, 'parent')
  const replies = ['one', 'two'].map((text) => send('bob', params, text, { parent_id: parent }))
  return { params, parent, replies }
}
const get = (who: string, messageId: string, query: object = {}) =>
  room.done<{ thread: Thread }>('GetThread', who, { params: { messageId }, query: { ...query } }).thread
const unread = (who: string) => room.done<Counts>('UnreadCounts', who)

test('a user who leaves the channel has left its threads, until they are back', () => {
  const { params, parent } = thread()
  room.done('UpdateChannel', 'bob', { params, body: { remove_members: ['bob'] } })
  const left = get('ann', parent)
  expect(left.thread_participants.map((each) => [each.user_id, typeof each.left_thread_at])).toEqual([
    ['ann', 'undefined'],
    ['bob', 'string'],
  ])
  expect(left.participant_count).toBe(2)
  expect(left.active_participant_count).toBe(1)
  room.done('UpdateChannel', ADMIN, { params, body: { add_members: ['bob'] } })
  expect(get('ann', parent).thread_participants.every((each) => each.left_thread_at === undefined)).toBe(true)
})

test('a thread is read up to one reply', () => {
  const { params, parent, replies } = thread()
  const before = unread('ann').total_unread_threads_count
  const mark = (id: string | undefined) =>
    room.ask('MarkRead', 'ann', { params, body: { thread_id: parent, message_id: id } })
  mark(replies[0])
  expect(get('ann', parent).read.find(({ user }) => user.id === 'ann')).toMatchObject({
    unread_messages: 1,
    last_read_message_id: replies[0],
  })
  expect(unread('ann').total_unread_threads_count).toBe(before)
  const elsewhere = send('eve', params, 'aside')
  expect(mark(elsewhere).code).toBe(4)
  mark(undefined)
  expect(unread('ann').total_unread_threads_count).toBe(before - 1)
})

test('threads that cannot be opened anymore are not unread', () => {
  const of = (parent: string) => unread('ann').threads.some((row) => row.parent_message_id === parent)
  const [cut, gone, closed] = [thread(), thread(), thread()]
  expect(of(cut.parent)).toBe(true)
  expect(of(gone.parent)).toBe(true)
  expect(of(closed.parent)).toBe(true)
  room.done('TruncateChannel', ADMIN, { params: cut.params, query: { user_id: 'ann' } })
  room.done('DeleteMessage', 'ann', { params: { id: gone.parent } })
  room.done('DeleteChannel', 'ann', { params: closed.params })
  expect(of(cut.parent)).toBe(false)
  expect(of(gone.parent)).toBe(false)
  expect(of(closed.parent)).toBe(false)
})

test('a thread is returned with as many members as requested', () => {
  const { parent } = thread()
  expect(get('ann', parent, { member_limit: 2 }).channel.members.length).toBe(2)
})

test('marking everything read moves the mark to the newest message', () => {
  const { params } = thread()
  const id = send('bob', params, 'newest')
  room.done('MarkChannelsRead', 'ann', { body: {} })
  const { read } = room.done<{ read: { user: { id: string }; last_read_message_id?: string }[] }>(
    'GetOrCreateChannel',
    'ann',
    { params },
  )
  expect(read.find(({ user }) => user.id === 'ann')?.last_read_message_id).toBe(id)
})

test('what only moderators and administrators are notified of cannot be sent by others', () => {
  const { params } = thread()
  for (const type of ['review_queue_item.new', 'review_queue_item.updated', 'moderation.updated']) {
    expect(room.ask('SendEvent', 'ann', { params, body: { event: { type } } }).code).toBe(18)
  }
})

test('an emoji cannot be announced by a member', () => {
  const { params } = thread()
  for (const type of ['emoji.created', 'emoji.updated', 'emoji.deleted']) {
    expect(room.ask('SendEvent', 'ann', { params, body: { event: { type } } }).code).toBe(18)
  }
})

test('event types that exist only inside a client cannot be sent', () => {
  const { params } = thread()
  const types = ['channels.queried', 'transport.changed', 'live_location_sharing.stopped', 'capabilities.changed']
  for (const type of types) {
    expect(room.ask('SendEvent', 'ann', { params, body: { event: { type } } }).code).toBe(18)
  }
})
