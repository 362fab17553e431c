import { expect, test } from 'vitest'
import type { PollView } from '#shared/domain/poll.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { echoing, reading, type Lone } from '#kit/lone-talk.ts'

const messageId = asMessageId('m1')

/** A poll as the server sends it, with own votes. */
const aWirePoll = (own: readonly string[] = [], fields: Record<string, unknown> = {}) => ({
  id: 'p1',
  name: 'Where?',
  options: ['a', 'b'].map((id) => ({ id, text: id })),
  vote_count: own.length,
  vote_counts_by_option: Object.fromEntries(own.map((id) => [id, 1])),
  own_votes: own.map((id) => ({ id: `v-${id}`, option_id: id, user_id: 'me', created_at: at(1), updated_at: at(1) })),
  created_by: aWireUser('ana'),
  created_at: at(0),
  updated_at: at(0),
  ...fields,
})

const pollingWith = (poll: Record<string, unknown>) => reading([aWireMessage('m1', 1, { poll_id: 'p1', poll })])
const shown = (lone: Lone) =>
  lone.replica.tables.polls?.['p1']?.options.map(({ id, votes, own }) => `${id} ${votes}${own ? ' own' : ''}`)
const waiting = (lone: Lone) => Object.values(lone.replica.tables.outbox ?? {}).map(({ kind, state }) => [kind, state])
const vote = async (lone: Lone, call: 'castVote' | 'removeVote', optionId: string): Promise<void> => {
  await lone.engine.handlers.polls[call]({ messageId, optionId }, lone.client)
  await lone.clock.settle()
}

test('a vote cast offline shows at once and is sent on reconnecting', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  expect(shown(lone)).toEqual(['a 0', 'b 1 own'])
  expect(waiting(lone)).toEqual([['cast-vote', 'ready']])
  const cast = { id: 'v-b', option_id: 'b', user_id: 'me', created_at: at(9), updated_at: at(9) }
  lone.api.on('CastPollVote', () => ({ vote: cast, poll: aWirePoll(['b']) }))
  await lone.online()
  expect(shown(lone)).toEqual(['a 0', 'b 1 own'])
  expect(waiting(lone)).toEqual([])
  expect(lone.api.to('CastPollVote').map(({ params, body }) => [params, body])).toEqual([
    [{ messageId: 'm1', pollId: 'p1' }, { vote: { option_id: 'b' } }],
  ])
})

test('a removed vote names the vote that the server knows', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  lone.api.on('DeletePollVote', () => ({ vote: { id: 'v-a', option_id: 'a' }, poll: aWirePoll() }))
  await vote(lone, 'removeVote', 'a')
  expect(shown(lone)).toEqual(['a 0', 'b 0'])
  expect(lone.api.to('DeletePollVote')[0]?.params).toEqual({ messageId: 'm1', pollId: 'p1', voteId: 'v-a' })
})

test('at the limit a vote is refused with the notice of the contract, and nothing waits', async () => {
  const lone = await pollingWith(aWirePoll(['a'], { max_votes_allowed: 1 }))
  await expect(vote(lone, 'castVote', 'b')).rejects.toMatchObject({ code: 'poll/vote-limit' })
  await lone.clock.settle()
  const notice = { code: 'poll/vote-limit', type: 'validation:poll:castVote:limit', severity: 'info' }
  expect(waiting(lone)).toEqual([])
  expect(lone.engine.notices()).toMatchObject([notice])
})

test('a closed poll refuses votes, even with queued ones', async () => {
  const lone = await pollingWith(aWirePoll([], { is_closed: true }))
  await expect(vote(lone, 'castVote', 'b')).rejects.toMatchObject({ code: 'poll/closed' })
  await expect(vote(lone, 'removeVote', 'b')).rejects.toMatchObject({ code: 'poll/closed' })
})

test('a vote cast offline in a poll closed meanwhile is parked with that reason, and no longer shown', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  withChannel(lone.api, [aWireMessage('m1', 1, { poll_id: 'p1', poll: aWirePoll([], { is_closed: true }) })])
  await lone.online()
  const [item] = Object.values(lone.replica.tables.outbox ?? {})
  expect(item?.state).toBe('parked')
  expect(item?.reason).toEqual({ code: 'poll/closed' })
  expect(shown(lone)).toEqual(['a 0', 'b 0'])
  expect(lone.api.to('CastPollVote')).toEqual([])
})

test('a vote is not cast twice', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  await vote(lone, 'castVote', 'a')
  await vote(lone, 'removeVote', 'b')
  expect(waiting(lone)).toEqual([])
  expect(lone.api.to('CastPollVote')).toEqual([])
})

test('voters of an option are fetched by option, with names and times', async () => {
  const lone = await pollingWith(aWirePoll())
  const cast = {
    id: 'v-a',
    option_id: 'a',
    user_id: 'ana',
    user: aWireUser('ana'),
    created_at: at(3),
    updated_at: at(3),
  }
  lone.api.on('QueryPollVotes', () => ({ votes: [cast], next: 'more' }))
  const page = await lone.engine.handlers.polls.voters({ messageId, optionId: 'a' }, lone.client)
  expect(page).toMatchObject({ voters: [{ id: 'v-a', userId: 'ana', votedAt: Date.parse(at(3)) }], next: 'more' })
  expect(lone.api.to('QueryPollVotes')[0]?.body).toMatchObject({ filter: { option_id: 'a' }, limit: 25 })
})

test('a cursor may be long; an empty one is the end', async () => {
  const lone = await pollingWith(aWirePoll())
  const input = async (next: unknown, cursor?: string) => {
    lone.api.on('QueryPollVotes', () => ({ votes: [], next }))
    return (await lone.engine.handlers.polls.voters({ messageId, optionId: 'a', cursor }, lone.client)).next
  }
  const long = 'c'.repeat(3_000)
  expect(await input(long)).toEqual(long)
  expect(await input('')).toBeUndefined()
  expect(await input(null)).toBeUndefined()
  expect(await input(long, long)).toBeUndefined()
})

test('open polls without an own vote are listed; a queued vote counts as cast', async () => {
  const lone = await pollingWith(aWirePoll())
  const listed = async (view: PollView) =>
    (await lone.engine.handlers.polls.list({ view }, lone.client)).map(({ messageId: id, poll }) => [id, poll.name])
  expect(await listed('unvoted')).toEqual([['m1', 'Where?']])
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  expect(await listed('unvoted')).toEqual([])
  expect(await listed('open')).toEqual([['m1', 'Where?']])
  expect(await listed('closed')).toEqual([])
})

test('a closed poll is no longer open, and stays in the register', async () => {
  const lone = await pollingWith(aWirePoll([], { is_closed: true }))
  const { list } = lone.engine.handlers.polls
  expect(await list({ view: 'unvoted' }, lone.client)).toEqual([])
  expect(await list({ view: 'open' }, lone.client)).toEqual([])
  const [closed] = await list({ view: 'closed' }, lone.client)
  expect(closed).toMatchObject({ messageId: 'm1', poll: { name: 'Where?', closed: true } })
})

const pollEvent = (type: string, poll: Record<string, unknown>, ms: number) => ({
  type,
  cid: CID,
  created_at: at(ms),
  poll: { ...poll, updated_at: at(ms) },
})

test('a changed poll keeps all votes, whatever copy of them the event contains', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  const renamed = aWirePoll([], { name: 'Where to?', options: ['a', 'b', 'c'].map((id) => ({ id, text: id })) })
  await lone.hear(pollEvent('poll.updated', renamed, 50))
  expect(lone.replica.tables.polls?.['p1']?.name).toBe('Where to?')
  expect(shown(lone)).toEqual(['a 1 own', 'b 0', 'c 0'])
  await lone.hear(pollEvent('poll.closed', renamed, 60))
  expect(lone.replica.tables.polls?.['p1']?.closed).toBe(true)
  expect(shown(lone)).toEqual(['a 1 own', 'b 0', 'c 0'])
})

test('an older change of a poll that arrives late changes nothing', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.hear(pollEvent('poll.updated', aWirePoll([], { name: 'second' }), 60))
  await lone.hear(pollEvent('poll.updated', aWirePoll([], { name: 'first' }), 50))
  expect(lone.replica.tables.polls?.['p1']?.name).toBe('second')
})

/** The input of `polls.create`, with the contract's defaults. */
const input = {
  cid: asCid(CID),
  name: 'Lunch?',
  description: '',
  options: ['Soup', 'Cake'],
  enforceUniqueVote: true,
  maxVotes: undefined,
  allowAnswers: false,
  allowSuggestions: false,
  anonymous: false,
  replaces: undefined,
}

/** A channel that accepts polls. The server assigns its own ids to options, and creates no poll twice. */
async function pollsAllowed(): Promise<Lone> {
  const { channel, ...state } = aWireChannelState() as { channel: { config: object; own_capabilities: string[] } }
  const allowed = { config: { polls: true }, own_capabilities: ['send-message', 'send-poll', 'cast-poll-vote'] }
  const withPolls = { ...state, channel: { ...channel, ...allowed } }
  const api = echoing(withChannel(new FakeApi(), []))
    .on('QueryChannels', () => ({ channels: [withPolls] }))
    .on('GetOrCreateChannel', () => withPolls)
  let made: Record<string, unknown> | undefined
  api.on('CreatePoll', ({ body }) => {
    const wanted = body as { id: string; options: { text: string }[] }
    if (made) throw refused(400, 4, `a poll with ID ${wanted.id} already exists`)
    const options = wanted.options.map(({ text }, index) => ({ id: `server-${index}`, text }))
    made = aWirePoll([], { id: wanted.id, name: 'Lunch?', options, created_by: aWireUser('me') })
    return { poll: made }
  })
  api.on('GetPoll', () => ({ poll: made }))
  return reading([], api)
}

test('a poll created offline accepts votes at once; they wait for it and find their option by its text', async () => {
  const lone = await pollsAllowed()
  await lone.offline()
  const id = await lone.engine.handlers.polls.create(input, lone.client)
  await lone.clock.settle()
  const shownPoll = () => Object.values(lone.replica.tables.polls ?? {})[0]
  const cake = shownPoll()?.options[1]
  await lone.engine.handlers.polls.castVote({ messageId: id, optionId: cake?.id ?? '' }, lone.client)
  await lone.clock.settle()
  expect(shownPoll()?.options.map(({ text, votes, own }) => [text, votes, own])).toEqual([
    ['Soup', 0, false],
    ['Cake', 1, true],
  ])
  await lone.online()
  expect(lone.api.to('CastPollVote').map(({ body }) => body)).toEqual([{ vote: { option_id: 'server-1' } }])
})

test('a poll whose response was lost is found again, and its message is sent', async () => {
  const lone = await pollsAllowed()
  lone.api.on('SendMessage', () => {
    throw refused(500, -1)
  })
  await lone.engine.handlers.polls.create(input, lone.client)
  await lone.clock.settle()
  expect(waiting(lone)).toEqual([['send-message', 'waiting']])
  expect(lone.api.to('GetPoll')).toEqual([])
  echoing(lone.api)
  await lone.clock.advance(60_000)
  expect(waiting(lone)).toEqual([])
  expect(lone.api.to('GetPoll').length).toBe(1)
})

test('a withdrawn poll stays in the outbox until its form is sent in its place', async () => {
  const lone = await pollsAllowed()
  await lone.offline()
  const id = await lone.engine.handlers.polls.create(input, lone.client)
  const back = await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
  await lone.clock.settle()
  expect(back.poll?.options).toEqual(['Soup', 'Cake'])
  expect(waiting(lone)).toEqual([['send-message', 'parked']])
  const changed = { ...input, name: 'Supper?', replaces: id }
  await lone.engine.handlers.polls.create(changed, lone.client)
  await lone.clock.settle()
  expect(Object.values(lone.replica.tables.outbox ?? {}).map(({ summary }) => summary)).toEqual(['Supper?'])
})

const MINUTE_MS = 60_000

/** A poll by the viewer or Ana that closes in so many minutes, created an hour before. */
async function endingIn(minutes: number, by: string) {
  const lone = await reading()
  const closes_at = new Date(lone.clock.now() + minutes * MINUTE_MS).toISOString()
  const created_at = new Date(lone.clock.now() - 60 * MINUTE_MS).toISOString()
  const poll = aWirePoll([], { closes_at, created_at, updated_at: created_at, created_by: aWireUser(by) })
  const created = { poll_id: 'p1', poll }
  withChannel(lone.api, [aWireMessage('m1', 1, created)])
  lone.api.on('UpdatePollPartial', () => ({ poll: { ...poll, is_closed: true } }))
  await lone.offline()
  await lone.online()
  return lone
}
const closings = (lone: Lone) => lone.api.to('UpdatePollPartial').map(({ params, body }) => [params, body])

test('an own poll past its closing time is closed once if the server does not close it', async () => {
  const lone = await endingIn(5, 'me')
  await lone.clock.advance(5 * MINUTE_MS)
  await expect(vote(lone, 'castVote', 'a')).rejects.toMatchObject({ code: 'poll/closed' })
  expect(closings(lone)).toEqual([])
  await lone.clock.advance(2 * MINUTE_MS)
  expect(closings(lone)).toEqual([[{ pollId: 'p1' }, { set: { is_closed: true } }]])
})

test('if the server refuses to close it, the request is not repeated', async () => {
  const lone = await endingIn(5, 'me')
  lone.api.on('UpdatePollPartial', () => {
    throw refused(403, 17)
  })
  await lone.clock.advance(60 * MINUTE_MS)
  expect(closings(lone)).toHaveLength(1)
})

test('another user’s poll is not closed; the viewer is reminded once to vote before it closes', async () => {
  const lone = await endingIn(60, 'ana')
  const notified = () => lone.engine.notices().map(({ code, params }) => [code, params?.['name']])
  await lone.clock.advance(20 * MINUTE_MS)
  expect(notified()).toEqual([])
  await lone.clock.advance(25 * MINUTE_MS)
  expect(notified()).toEqual([['poll/closing', 'Where?']])
  await lone.clock.advance(60 * MINUTE_MS)
  expect(notified().length).toBe(1)
  expect(closings(lone)).toEqual([])
})

const NO_EDIT = { messageId, name: undefined, description: undefined, renamed: [], merged: [], removed: [], added: [] }

test('an edit is sent part by part, merging before removing, and the result is fetched', async () => {
  const lone = await pollingWith(aWirePoll())
  const after = { name: 'When?', options: [{ id: 'a', text: 'A' }], updated_at: at(90) }
  lone.api
    .on('UpdatePollPartial', () => ({ poll: aWirePoll() }))
    .on('UpdatePollOption', () => ({ poll_option: { id: 'a', text: 'a' } }))
    .on('DeletePollOption', () => ({}))
    .on('GetPoll', () => ({ poll: aWirePoll([], after) }))
  const edit = { ...NO_EDIT, name: 'When?', merged: [{ id: 'b', into: 'a' }], renamed: [{ id: 'a', text: 'A' }] }
  await lone.engine.handlers.polls.edit(edit, lone.client)
  await lone.clock.settle()
  expect(lone.api.calls.slice(-4).map(({ operation }) => operation)).toEqual([
    'UpdatePollPartial',
    'UpdatePollOption',
    'UpdatePollOption',
    'GetPoll',
  ])
  const poll = lone.replica.tables.polls?.['p1']
  expect(poll?.name).toBe('When?')
  expect(poll?.changes?.map(({ what, before }) => [what, before])).toEqual([
    ['question', 'Where?'],
    ['option', 'a'],
    ['removed', 'b'],
  ])
})

test('a server that does not support merging is reported', async () => {
  const lone = await pollingWith(aWirePoll())
  lone.api
    .on('UpdatePollOption', () => ({ poll_option: { id: 'b', text: 'b' } }))
    .on('GetPoll', () => ({ poll: aWirePoll() }))
  const edit = lone.engine.handlers.polls.edit({ ...NO_EDIT, merged: [{ id: 'b', into: 'a' }] }, lone.client)
  await expect(edit).rejects.toMatchObject({ code: 'poll/not-merged' })
})

test('removing an option removes its votes, without an event per vote', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  await lone.hear(pollEvent('poll.updated', aWirePoll([], { options: [{ id: 'b', text: 'b' }], vote_count: 0 }), 70))
  expect(shown(lone)).toEqual(['b 0'])
  expect(lone.replica.tables.polls?.['p1']?.voteCount).toBe(0)
})

test('non-voters are the members without a vote, except the viewer', async () => {
  const lone = await pollingWith(aWirePoll())
  const members = ['me', 'ana', 'ben'].map((id) => ({ user_id: id, user: aWireUser(id), created_at: at(0) }))
  lone.api
    .on('QueryMembers', () => ({ members }))
    .on('QueryPollVotes', () => ({ votes: [{ id: 'v', option_id: 'a', user_id: 'ana', created_at: at(3) }] }))
  const found = await lone.engine.handlers.polls.nonVoters({ messageId }, lone.client)
  expect(found).toEqual({ userIds: ['ben'], total: 1 })
})

test('an option whose id is the name of an inherited property is an option like any other', async () => {
  const options = ['constructor', 'toString'].map((id) => ({ id, text: id }))
  const lone = await pollingWith(aWirePoll([], { options }))
  expect(shown(lone)).toEqual(['constructor 0', 'toString 0'])
})
