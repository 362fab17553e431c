import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { openRoom, type Room } from '../room.ts'

type Message = { id: string; text: string; quoted_message?: unknown }
type State = { messages: Message[]; pinned_messages: Message[] }

const params = { type: 'messaging', id: 'three' }
const cid = 'messaging:three'

let room: Room
let start: string
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob', 'eve'] } } })
  start = new Date(room.clock.now() - 1_000).toISOString()
})
afterAll(() => room.close())

const send = (who: string, message: Json): string =>
  room.done<{ message: Message }>('SendMessage', who, { params, body: { message } }).message.id
const seen = (who: string): string[] =>
  room.done<State>('GetOrCreateChannel', who, { params }).messages.map(({ text }) => text)
const unread = (who: string): number =>
  room.done<{ total_unread_count: number }>('UnreadCounts', who).total_unread_count
const found = (who: string): number =>
  room.done<{ results: unknown[] }>('Search', who, {
    query: { payload: { filter_conditions: { cid }, query: 'words' } },
  }).results.length

test('in a larger channel too, messages of a blocked user are hidden from the user who blocked them, and only from them', () => {
  const parent = send('eve', { text: 'parent' })
  const text = send('bob', { text: 'bob words', pinned: true })
  send('bob', { text: 'reply', parent_id: parent })
  send('eve', { text: 'quoting', quoted_message_id: text })
  expect(unread('ann')).toBe(3)
  expect(found('ann')).toBe(1)

  room.done('BlockUsers', 'ann', { body: { blocked_user_id: 'bob' } })
  expect(seen('ann')).toEqual(['parent', 'quoting'])
  expect(unread('ann')).toBe(2)
  expect(found('ann')).toBe(0)
  expect(seen('eve').length).toBe(3)
  expect(found('eve')).toBe(1)
  const state = room.done<State>('GetOrCreateChannel', 'ann', { params })
  expect(state.pinned_messages).toEqual([])
  expect(state.messages.map((each) => each.quoted_message)).toEqual([undefined, undefined])
  const replies = (who: string) =>
    room.done<{ messages: Message[] }>('GetReplies', who, { params: { parentId: parent, id: parent } }).messages.length
  expect(replies('ann')).toBe(0)
  expect(replies('eve')).toBe(1)

  const [ann, eve] = [room.listen('ann'), room.listen('eve')]
  const query = { connection_id: ann.connectionId }
  send('bob', { text: 'unheard' })
  room.done('GetOrCreateChannel', 'ann', { params, body: { watch: true }, query })
  ann.takeEvents()
  const id = send('bob', { text: 'unheard too' })
  room.done('UpdateMessagePartial', 'bob', { params: { id }, body: { set: { text: 'still unheard' } } })
  expect(ann.types()).toEqual([])
  expect(unread('ann')).toBe(2)
  expect(eve.types().filter((type) => type === 'notification.message_new').length).toBe(2)
  const missed = room.done<{ events: { message?: { user?: { id: string } } }[] }>('Sync', 'ann', {
    body: { channel_cids: [cid], last_sync_at: start },
  }).events
  expect(missed.filter((event) => event.message?.user?.id === 'bob')).toEqual([])

  room.done('UnblockUsers', 'ann', { body: { blocked_user_id: 'bob' } })
  expect(seen('ann').length).toBe(5)
  expect(found('ann')).toBe(1)
  expect(unread('ann')).toBe(5)
})
