import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import {
  castVote,
  createPoll,
  createPollOption,
  deletePoll,
  deletePollOption,
  getPollOption,
  queryPolls,
  queryPollVotes,
  removeVote,
  updatePoll,
  updatePollOption,
  updatePollPartial,
} from '#shared/wire/polls.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

let count = 0
/** Ann's poll on a message that Ann and Bob watch; Eve is not in the channel. */
async function newPoll(more: Record<string, unknown> = {}) {
  const params = { type: 'messaging', id: `p${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
  for (const client of [ann, bob]) await client.call(queryChannel, params, { body: { watch: true } })
  const options = [
    { id: 'a', text: 'Apple' },
    { id: 'b', text: 'Banana' },
    { id: 'c', text: 'Cherry' },
  ]
  const { body } = await ann.call(createPoll, {}, { body: { name: 'Fruit?', options, ...more } })
  const sent = await ann.call(sendMessage, params, { body: { message: { poll_id: body.poll.id } } })
  for (const client of [ann, bob, eve]) await client.takeEventTypes()
  return { pollId: body.poll.id, messageId: sent.body.message.id }
}
type Poll = Awaited<ReturnType<typeof newPoll>>
const vote = (client: Client, poll: Poll, what: Record<string, unknown>) =>
  client.call(castVote, poll, { body: { vote: what } })
const last = (client: Client, type: string) => client.events.findLast((event) => event.type === type)

test('a poll is changed whole and in part, with custom keys, and closing has its own event', async () => {
  const poll = await newPoll({ colour: 'red' })
  const set = { name: 'Which fruit?', max_votes_allowed: 3, shape: 'round' }
  const partly = await ann.call(updatePollPartial, poll, { body: { set, unset: ['colour'] } })
  expect(partly.status).toBe(200)
  expect(partly.body.poll).toMatchObject({
    name: 'Which fruit?',
    max_votes_allowed: 3,
    shape: 'round',
    options: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
  })
  expect(partly.body.poll['colour']).toBeUndefined()
  const options = [{ id: 'b', text: 'Blueberry' }, { text: 'Date' }]
  await vote(bob, poll, { option_id: 'a' })
  const whole = await ann.call(updatePoll, {}, { body: { id: poll.pollId, name: 'Again?', options } })
  expect(whole.status).toBe(201)
  expect(whole.body.poll.options.map((option) => option.text)).toEqual(['Blueberry', 'Date'])
  expect(whole.body.poll.vote_count).toBe(0)
  await ann.call(updatePollPartial, poll, { body: { set: { is_closed: true } } })
  await ann.call(updatePollPartial, poll, { body: { set: { is_closed: false } } })
  expect(await bob.takeEventTypes()).toEqual([
    'poll.updated',
    'poll.vote_casted',
    'poll.updated',
    'poll.closed',
    'poll.updated',
  ])
  expect(last(bob, 'poll.updated')?.['poll']).not.toHaveProperty('own_votes')
})

test.each([
  ['a limit of one', { max_votes_allowed: 1 }],
  ['a limit of eleven', { max_votes_allowed: 11 }],
  ['a limit beside a unique vote', { max_votes_allowed: 3, enforce_unique_vote: true }],
  ['no name', { name: ' ' }],
  ['the same option twice', { options: [{ text: 'x' }, { text: 'x' }] }],
])('a poll with %s is refused', async (_name, more) => {
  const answer = await ann.call(createPoll, {}, { body: { name: 'n', ...more } })
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe(4)
})

test('only the creator changes and deletes a poll, and users outside do not see it', async () => {
  const poll = await newPoll()
  expect((await bob.call(updatePollPartial, poll, { body: { set: { name: 'mine' } } })).body.code).toBe(17)
  expect((await bob.call(deletePoll, poll)).body.code).toBe(17)
  expect((await eve.call(queryPollVotes, poll, { body: {} })).status).toBeGreaterThanOrEqual(403)
  expect((await ann.call(deletePoll, poll)).status).toBe(200)
  expect(await bob.takeEventTypes()).toEqual(['poll.deleted'])
})

test('options are added, read, changed and removed with their votes; others may suggest one only if enabled', async () => {
  const poll = await newPoll()
  expect((await bob.call(createPollOption, poll, { body: { text: 'Fig' } })).body.code).toBe(17)
  await ann.call(updatePollPartial, poll, { body: { set: { allow_user_suggested_options: true } } })
  await bob.takeEventTypes()
  const added = await bob.call(createPollOption, poll, { body: { text: 'Fig', ripe: true } })
  expect(added.status).toBe(201)
  expect(added.body.poll_option).toMatchObject({ text: 'Fig', ripe: true })
  expect((await bob.call(createPollOption, poll, { body: { text: 'Fig' } })).body.code).toBe(4)
  const optionId = added.body.poll_option.id
  expect((await bob.call(updatePollOption, poll, { body: { id: optionId, text: 'Grape' } })).body.code).toBe(17)
  const changed = await ann.call(updatePollOption, poll, { body: { id: optionId, text: 'Grape' } })
  expect(changed.body.poll_option.text).toBe('Grape')
  expect((await bob.call(getPollOption, { ...poll, optionId })).body.poll_option.text).toBe('Grape')
  await vote(bob, poll, { option_id: optionId })
  expect((await ann.call(deletePollOption, { ...poll, optionId })).status).toBe(200)
  expect((await bob.call(getPollOption, { ...poll, optionId })).body.code).toBe(16)
  expect(await bob.takeEventTypes()).toEqual(['poll.updated', 'poll.updated', 'poll.vote_casted', 'poll.updated'])
  expect(last(bob, 'poll.updated')?.['poll']).toMatchObject({ vote_count: 0 })
})

test('a unique vote moves under its id, the same vote again changes nothing and sends no event', async () => {
  const poll = await newPoll({ enforce_unique_vote: true })
  const first = await vote(bob, poll, { option_id: 'a' })
  const moved = await vote(bob, poll, { option_id: 'b' })
  const same = await vote(bob, poll, { option_id: 'b' })
  expect(moved.body.vote.id).toEqual(first.body.vote.id)
  expect(same.body.vote.id).toEqual(first.body.vote.id)
  expect(same.body.poll?.vote_counts_by_option).toEqual({ b: 1 })
  expect(await ann.takeEventTypes()).toEqual(['poll.vote_casted', 'poll.vote_changed'])
})

test('a vote that moved or was removed leaves no count behind, and a closed poll accepts none', async () => {
  const poll = await newPoll({ enforce_unique_vote: true })
  const first = await vote(bob, poll, { option_id: 'a' })
  const moved = await vote(bob, poll, { option_id: 'b' })
  expect(moved.body.poll?.vote_count).toBe(1)
  expect(moved.body.poll?.vote_counts_by_option).toEqual({ b: 1 })
  expect(await ann.takeEventTypes()).toEqual(['poll.vote_casted', 'poll.vote_changed'])
  expect(last(ann, 'poll.vote_changed')?.['poll']).not.toHaveProperty('own_votes')
  const removed = await bob.call(removeVote, { ...poll, voteId: first.body.vote.id })
  expect(removed.body.poll?.vote_count).toBe(0)
  await ann.call(updatePollPartial, poll, { body: { set: { is_closed: true } } })
  expect((await vote(bob, poll, { option_id: 'c' })).body.code).toBe(4)
})

test('an answer needs permission, is one per user, counts separately, and its removal is announced', async () => {
  const poll = await newPoll({ allow_answers: true, max_votes_allowed: 2 })
  const first = await vote(bob, poll, { answer_text: 'all of them' })
  const second = await vote(bob, poll, { answer_text: 'none' })
  expect(second.body.vote).toMatchObject({ id: first.body.vote.id, answer_text: 'none', is_answer: true })
  expect(second.body.poll).toMatchObject({ answers_count: 1, vote_count: 0, latest_answers: [{ answer_text: 'none' }] })
  await vote(bob, poll, { option_id: 'a' })
  await vote(bob, poll, { option_id: 'b' })
  expect((await vote(bob, poll, { option_id: 'c' })).body.code).toBe(4)
  await bob.call(removeVote, { ...poll, voteId: first.body.vote.id })
  expect(await ann.takeEventTypes()).toEqual([
    'poll.vote_casted',
    'poll.vote_changed',
    'poll.vote_casted',
    'poll.vote_casted',
    'poll.vote_removed',
  ])
  const closedToAnswers = await newPoll()
  expect((await vote(bob, closedToAnswers, { answer_text: 'hi' })).body.code).toBe(4)
})

test('votes and answers are listed with cursors and filters', async () => {
  const poll = await newPoll({ allow_answers: true })
  for (const option_id of ['a', 'b', 'c']) await vote(bob, poll, { option_id })
  await vote(ann, poll, { option_id: 'a' })
  await vote(ann, poll, { answer_text: 'words' })
  const list = async (body: Record<string, unknown>) => (await ann.call(queryPollVotes, poll, { body })).body
  const first = await list({ limit: 3, filter: { is_answer: false } })
  const second = await list({ limit: 3, filter: { is_answer: false }, next: first.next })
  expect([...first.votes, ...second.votes].map((each) => `${each.user_id}${each.option_id}`)).toEqual([
    'anna',
    'bobc',
    'bobb',
    'boba',
  ])
  expect(second.next).toBeUndefined()
  expect((await list({ filter: { is_answer: true } })).votes.map((each) => each.answer_text)).toEqual(['words'])
  expect((await list({ filter: { option_id: 'a' } })).votes.map((each) => each.user_id)).toEqual(['ann', 'bob'])
})

test('an anonymous poll names no voter: not in votes, not in events, not in lists', async () => {
  const poll = await newPoll({ voting_visibility: 'anonymous' })
  await vote(bob, poll, { option_id: 'a' })
  await ann.settle()
  const event = last(ann, 'poll.vote_casted')
  expect(JSON.stringify([event?.['poll_vote'], (event?.['poll'] as object) ?? ''])).not.toContain('"bob"')
  expect(event?.['poll']).toMatchObject({ latest_votes_by_option: {} })
  expect((await ann.call(queryPollVotes, poll, { body: {} })).body.votes).toEqual([])
  expect((await bob.call(queryPollVotes, poll, { body: {} })).body.votes).toMatchObject([{ user_id: 'bob' }])
})

test('polls are found by their fields, only those a user may see, page by page', async () => {
  const name = 'Only here?'
  const poll = await newPoll({ name })
  const other = await newPoll({ name })
  const list = async (client: Client, body: Record<string, unknown>) =>
    (await client.call(queryPolls, {}, { body: { filter: { name }, ...body } })).body
  const first = await list(bob, { limit: 1 })
  expect(first.polls.map((each) => each.id)).toEqual([other.pollId])
  const second = await list(bob, { limit: 1, next: first.next })
  expect(second.polls.map((each) => each.id)).toEqual([poll.pollId])
  expect(second.next).toBeUndefined()
  expect((await list(eve, {})).polls).toEqual([])
})

test('a poll can be attached to one message only', async () => {
  const poll = await newPoll()
  const again = await ann.call(
    sendMessage,
    { type: 'messaging', id: `p${count}` },
    { body: { message: { poll_id: poll.pollId } } },
  )
  expect(again.status).toBe(400)
  expect(again.body.code).toBe(4)
})
