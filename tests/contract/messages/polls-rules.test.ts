import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
const place = { type: 'messaging', id: 'fruit' }

beforeAll(() => {
  room = openRoom(['ann', 'bob'])
  room.done('GetOrCreateChannel', 'ann', { params: place, body: { data: { members: ['ann', 'bob'] } } })
})
afterAll(() => room.close())

const pollBody = (more: Json = {}) => ({ name: 'Fruit?', options: [{ id: 'a', text: 'Apple' }], ...more })
type PollReply = { poll: { id: string; updated_at: string } }

/** A poll of Ann's on a message that Bob sees. */
function hung(more: Json = {}) {
  const pollId = room.done<PollReply>('CreatePoll', 'ann', { body: pollBody(more) }).poll.id
  const body = { message: { poll_id: pollId } }
  const sent = room.done<{ message: { id: string } }>('SendMessage', 'ann', { params: place, body })
  return { pollId, messageId: sent.message.id }
}

test.each([
  ['an unknown visibility', { voting_visibility: 'secret' }],
  [
    'two options under one id',
    {
      options: [
        { id: 'a', text: 'x' },
        { id: 'a', text: 'y' },
      ],
    },
  ],
  ['an option without words', { options: [{ text: '  ' }] }],
])('a poll with %s is refused', (_name, more) => {
  expect(room.ask('CreatePoll', 'ann', { body: pollBody(more) }).code).toBe(4)
})

test('a vote names an option or an answer, and anonymous users cannot vote', () => {
  const params = hung({ allow_answers: true })
  expect(room.ask('CastPollVote', 'bob', { params, body: { vote: {} } }).code).toBe(4)
  expect(room.ask('CastPollVote', ADMIN, { params, body: { vote: { option_id: 'a' } } }).code).toBe(4)
})

test('no one votes on a message that was deleted', () => {
  const params = hung()
  room.done('DeleteMessage', 'ann', { params: { id: params.messageId } })
  expect(room.ask('CastPollVote', 'bob', { params, body: { vote: { option_id: 'a' } } }).code).toBe(16)
})

test('a change of its options is a change of the poll, and is announced as one', async () => {
  const params = hung()
  const times = [room.done<PollReply>('GetPoll', 'ann', { params }).poll.updated_at]
  const steps: [string, Json, Record<string, string>][] = [
    ['CreatePollOption', { id: 'b', text: 'Banana' }, params],
    ['UpdatePollOption', { id: 'b', text: 'Blueberry' }, params],
    ['DeletePollOption', {}, { ...params, optionId: 'b' }],
  ]
  for (const [operation, body, at] of steps) {
    await room.clock.advance(1_000)
    room.done(operation, 'ann', { params: at, body })
    times.push(room.done<PollReply>('GetPoll', 'ann', { params }).poll.updated_at)
  }
  expect(times).toEqual([...new Set(times)].toSorted())
})

test('a poll closes at the time it was given; reopened it stays open', async () => {
  const closes_at = new Date(room.clock.now() + 60_000).toISOString()
  const params = hung({ closes_at })
  const vote = () => room.ask('CastPollVote', 'bob', { params, body: { vote: { option_id: 'a' } } }).code
  type PollTimes = { poll: { is_closed: boolean; closes_at: string } }
  expect(room.done<PollTimes>('GetPoll', 'bob', { params }).poll.closes_at).toBe(closes_at)
  await room.clock.advance(60_000)
  expect(vote()).toBe(4)
  const open = { set: { is_closed: false } }
  room.done('UpdatePollPartial', 'ann', { params, body: { set: { is_closed: true } } })
  room.done('UpdatePollPartial', 'ann', { params, body: open })
  expect(vote()).toBeUndefined()
})

test('a description may be long', () => {
  const description = 'why '.repeat(1_000).trim()
  const { poll } = room.done<{ poll: { description: string } }>('CreatePoll', 'ann', {
    body: pollBody({ description }),
  })
  expect(poll.description).toBe(description)
})

test('an option merged into another brings its votes along; a voter of both keeps one vote; other users may not merge', () => {
  const options = ['a', 'b', 'c'].map((id) => ({ id, text: id }))
  const params = hung({ options, allow_user_suggested_options: true })
  const vote = (who: string, option_id: string) =>
    room.done('CastPollVote', who, { params, body: { vote: { option_id } } })
  vote('ann', 'a')
  vote('ann', 'b')
  vote('bob', 'b')
  room.done('CreatePollOption', 'bob', { params, body: { id: 'd', text: 'd' } })
  const body = { id: 'b', text: 'b', merged_into: 'a' }
  expect(room.ask('UpdatePollOption', 'bob', { params, body }).code).toBe(17)
  room.done('UpdatePollOption', 'ann', { params, body })
  const { poll } = room.done<{ poll: Json }>('GetPoll', 'bob', { params })
  expect(poll['options']).toMatchObject([{ id: 'a' }, { id: 'c' }, { id: 'd', suggested_by: 'bob' }])
  expect(poll['vote_counts_by_option']).toMatchObject({ a: 2 })
  expect(poll['own_votes']).toMatchObject([{ option_id: 'a' }])
  expect(room.ask('UpdatePollOption', 'ann', { params, body: { id: 'a', text: 'a', merged_into: 'a' } }).code).toBe(4)
})
