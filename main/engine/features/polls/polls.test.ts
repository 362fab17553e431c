import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { echoing, reading, type Lone } from '#kit/lone-talk.ts'

const messageId = asMessageId('m1')

/** A poll as the server sends it, with my votes. */
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

test('a vote given offline shows at once and goes out with the connection', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  expect([shown(lone), waiting(lone)]).toEqual([['a 0', 'b 1 own'], [['cast-vote', 'ready']]])
  const cast = { id: 'v-b', option_id: 'b', user_id: 'me', created_at: at(9), updated_at: at(9) }
  lone.api.on('CastPollVote', () => ({ vote: cast, poll: aWirePoll(['b']) }))
  await lone.online()
  expect([shown(lone), waiting(lone)]).toEqual([['a 0', 'b 1 own'], []])
  expect(lone.api.to('CastPollVote').map(({ params, body }) => [params, body])).toEqual([
    [{ messageId: 'm1', pollId: 'p1' }, { vote: { option_id: 'b' } }],
  ])
})

test('a vote taken back names the vote the server knows', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  lone.api.on('DeletePollVote', () => ({ vote: { id: 'v-a', option_id: 'a' }, poll: aWirePoll() }))
  await vote(lone, 'removeVote', 'a')
  expect([shown(lone), lone.api.to('DeletePollVote')[0]?.params]).toEqual([
    ['a 0', 'b 0'],
    { messageId: 'm1', pollId: 'p1', voteId: 'v-a' },
  ])
})

test('at the limit a vote is refused with the notice of the spec, and nothing waits', async () => {
  const lone = await pollingWith(aWirePoll(['a'], { max_votes_allowed: 1 }))
  await expect(vote(lone, 'castVote', 'b')).rejects.toMatchObject({ code: 'poll/vote-limit' })
  await lone.clock.settle()
  const notice = { code: 'poll/vote-limit', type: 'validation:poll:castVote:limit', severity: 'info' }
  expect([waiting(lone), lone.engine.notices()]).toMatchObject([[], [notice]])
})

test('a closed poll refuses, whatever waits', async () => {
  const lone = await pollingWith(aWirePoll([], { is_closed: true }))
  await expect(vote(lone, 'castVote', 'b')).rejects.toMatchObject({ code: 'poll/closed' })
  await expect(vote(lone, 'removeVote', 'b')).rejects.toMatchObject({ code: 'poll/closed' })
})

test('a vote given offline in a poll that was closed meanwhile is parked with that reason, and shown no more', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  withChannel(lone.api, [aWireMessage('m1', 1, { poll_id: 'p1', poll: aWirePoll([], { is_closed: true }) })])
  await lone.online()
  const [item] = Object.values(lone.replica.tables.outbox ?? {})
  expect([item?.state, item?.reason, shown(lone)]).toEqual(['parked', { code: 'poll/closed' }, ['a 0', 'b 0']])
  expect(lone.api.to('CastPollVote')).toEqual([])
})

test('a vote that is given already is not given twice', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  await vote(lone, 'castVote', 'a')
  await vote(lone, 'removeVote', 'b')
  expect([waiting(lone), lone.api.to('CastPollVote')]).toEqual([[], []])
})

test('who chose an option is asked for with the option, and comes with names and times', async () => {
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

test('a server finds its place again by a cursor as long as it likes; an empty one is the end', async () => {
  const lone = await pollingWith(aWirePoll())
  const asked = async (next: unknown, cursor?: string) => {
    lone.api.on('QueryPollVotes', () => ({ votes: [], next }))
    return (await lone.engine.handlers.polls.voters({ messageId, optionId: 'a', cursor }, lone.client)).next
  }
  const long = 'c'.repeat(3_000)
  expect([await asked(long), await asked(''), await asked(null), await asked(long, long)]).toEqual([
    long,
    undefined,
    undefined,
    undefined,
  ])
})

test('open polls without an own vote are listed, a vote that waits counts as given', async () => {
  const lone = await pollingWith(aWirePoll())
  const unvoted = async () =>
    (await lone.engine.handlers.polls.unvoted(undefined, lone.client)).map(({ messageId: id, name }) => [id, name])
  expect(await unvoted()).toEqual([['m1', 'Where?']])
  await lone.offline()
  await vote(lone, 'castVote', 'b')
  expect(await unvoted()).toEqual([])
})

test('a closed poll is no longer open', async () => {
  const lone = await pollingWith(aWirePoll([], { is_closed: true }))
  expect(await lone.engine.handlers.polls.unvoted(undefined, lone.client)).toEqual([])
})

const heard = (type: string, poll: Record<string, unknown>, ms: number) => ({
  type,
  cid: CID,
  created_at: at(ms),
  poll: { ...poll, updated_at: at(ms) },
})

test('a changed poll keeps its votes, those of others and one’s own, whatever copy of them the event brings', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  const renamed = aWirePoll([], { name: 'Where to?', options: ['a', 'b', 'c'].map((id) => ({ id, text: id })) })
  await lone.hear(heard('poll.updated', renamed, 50))
  expect([lone.replica.tables.polls?.['p1']?.name, shown(lone)]).toEqual(['Where to?', ['a 1 own', 'b 0', 'c 0']])
  await lone.hear(heard('poll.closed', renamed, 60))
  expect([lone.replica.tables.polls?.['p1']?.closed, shown(lone)]).toEqual([true, ['a 1 own', 'b 0', 'c 0']])
})

test('an older change of a poll that comes late changes nothing', async () => {
  const lone = await pollingWith(aWirePoll())
  await lone.hear(heard('poll.updated', aWirePoll([], { name: 'second' }), 60))
  await lone.hear(heard('poll.updated', aWirePoll([], { name: 'first' }), 50))
  expect(lone.replica.tables.polls?.['p1']?.name).toBe('second')
})

/** What `polls.create` is asked for, with what the contract fills in. */
const asked = {
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

/** A channel that takes polls. The server gives options ids of its own, and makes no poll twice. */
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

test('a poll made offline can be voted in at once; the vote waits for it and finds its option by the words', async () => {
  const lone = await pollsAllowed()
  await lone.offline()
  const id = await lone.engine.handlers.polls.create(asked, lone.client)
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

test('a poll that was made while its answer was lost is found again, and its message sent', async () => {
  const lone = await pollsAllowed()
  lone.api.on('SendMessage', () => {
    throw refused(500, -1)
  })
  await lone.engine.handlers.polls.create(asked, lone.client)
  await lone.clock.settle()
  expect([waiting(lone), lone.api.to('GetPoll')]).toEqual([[['send-message', 'waiting']], []])
  echoing(lone.api)
  await lone.clock.advance(60_000)
  expect([waiting(lone), lone.api.to('GetPoll').length]).toEqual([[], 1])
})

test('a poll taken back stays in the outbox until its form is sent in its place', async () => {
  const lone = await pollsAllowed()
  await lone.offline()
  const id = await lone.engine.handlers.polls.create(asked, lone.client)
  const back = await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
  await lone.clock.settle()
  expect([back.poll?.options, waiting(lone)]).toEqual([['Soup', 'Cake'], [['send-message', 'parked']]])
  const changed = { ...asked, name: 'Supper?', replaces: id }
  await lone.engine.handlers.polls.create(changed, lone.client)
  await lone.clock.settle()
  expect(Object.values(lone.replica.tables.outbox ?? {}).map(({ summary }) => summary)).toEqual(['Supper?'])
})

const MINUTE_MS = 60_000

/** A poll of mine or Ana's that closes in so many minutes, made an hour before. */
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

test('a poll of mine whose time is over is closed once, where the server does not do so by itself', async () => {
  const lone = await endingIn(5, 'me')
  await lone.clock.advance(5 * MINUTE_MS)
  await expect(vote(lone, 'castVote', 'a')).rejects.toMatchObject({ code: 'poll/closed' })
  expect(closings(lone)).toEqual([])
  await lone.clock.advance(2 * MINUTE_MS)
  expect(closings(lone)).toEqual([[{ pollId: 'p1' }, { set: { is_closed: true } }]])
})

test('where the server does not let it be closed from here, it is asked once and no more', async () => {
  const lone = await endingIn(5, 'me')
  lone.api.on('UpdatePollPartial', () => {
    throw refused(403, 17)
  })
  await lone.clock.advance(60 * MINUTE_MS)
  expect(closings(lone)).toHaveLength(1)
})

test('a poll of someone else is left to them; who has not voted is told once before it closes', async () => {
  const lone = await endingIn(60, 'ana')
  const notified = () => lone.engine.notices().map(({ code, params }) => [code, params?.['name']])
  await lone.clock.advance(20 * MINUTE_MS)
  expect(notified()).toEqual([])
  await lone.clock.advance(25 * MINUTE_MS)
  expect(notified()).toEqual([['poll/closing', 'Where?']])
  await lone.clock.advance(60 * MINUTE_MS)
  expect([notified().length, closings(lone)]).toEqual([1, []])
})

const NO_EDIT = { messageId, name: undefined, description: undefined, renamed: [], merged: [], removed: [], added: [] }

test('an edit goes out part by part, merging before anything leaves, and what became of the poll is asked for', async () => {
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
  expect([poll?.name, poll?.changes?.map(({ what, before }) => [what, before])]).toEqual([
    'When?',
    [
      ['question', 'Where?'],
      ['option', 'a'],
      ['removed', 'b'],
    ],
  ])
})

test('a server that keeps a merged option beside the other does not know of merging, and that is said', async () => {
  const lone = await pollingWith(aWirePoll())
  lone.api
    .on('UpdatePollOption', () => ({ poll_option: { id: 'b', text: 'b' } }))
    .on('GetPoll', () => ({ poll: aWirePoll() }))
  const edit = lone.engine.handlers.polls.edit({ ...NO_EDIT, merged: [{ id: 'b', into: 'a' }] }, lone.client)
  await expect(edit).rejects.toMatchObject({ code: 'poll/not-merged' })
})

test('with an option its votes leave, though no event of a vote tells of it', async () => {
  const lone = await pollingWith(aWirePoll(['a']))
  await lone.hear(heard('poll.updated', aWirePoll([], { options: [{ id: 'b', text: 'b' }], vote_count: 0 }), 70))
  expect([shown(lone), lone.replica.tables.polls?.['p1']?.voteCount]).toEqual([['b 0'], 0])
})

test('who has not voted are the members without a vote, but for oneself', async () => {
  const lone = await pollingWith(aWirePoll())
  const members = ['me', 'ana', 'ben'].map((id) => ({ user_id: id, user: aWireUser(id), created_at: at(0) }))
  lone.api
    .on('QueryMembers', () => ({ members }))
    .on('QueryPollVotes', () => ({ votes: [{ id: 'v', option_id: 'a', user_id: 'ana', created_at: at(3) }] }))
  const found = await lone.engine.handlers.polls.nonVoters({ messageId }, lone.client)
  expect(found).toEqual({ userIds: ['ben'], total: 1 })
})
