import { describe, expect, test } from 'vitest'
import { asCid, asMessageId, asPollId, asUserId } from '../../lib/brand.ts'
import type { Intent } from '../../domain/intent.ts'
import type { Poll } from '../../domain/poll.ts'
import { isOver, mayCastVote, mayRemoveVote, predictPoll, changesBetween, votesLost, withChanges } from './polls.ts'

const me = asUserId('me')
const ana = asUserId('ana')
const NOW = 1_000

/** Options by id with their votes; those in `own` are the viewer's. */
function aPoll(votes: Record<string, number>, own: readonly string[] = [], over: Partial<Poll> = {}): Poll {
  return {
    id: asPollId('p1'),
    name: 'Where?',
    description: '',
    options: Object.entries(votes).map(([id, count]) => ({
      id,
      text: id,
      votes: count,
      own: own.includes(id),
      voterIds: [...(own.includes(id) ? [me] : []), ...(count > (own.includes(id) ? 1 : 0) ? [ana] : [])],
    })),
    enforceUniqueVote: false,
    anonymous: false,
    closed: false,
    voteCount: Object.values(votes).reduce((sum, count) => sum + count, 0),
    answersCount: 0,
    createdBy: ana,
    ...over,
  }
}

const intent = (kind: 'cast-vote' | 'remove-vote', optionId: string, over: Partial<Intent> = {}): Intent =>
  ({
    id: optionId,
    seq: 1,
    kind,
    cid: asCid('team:a'),
    messageId: asMessageId('m1'),
    state: 'ready',
    attempts: 0,
    nextAt: 0,
    retryable: true,
    createdAt: 1,
    payload: { pollId: 'p1', optionId },
    ...over,
  }) as Intent
const cast = (optionId: string) => intent('cast-vote', optionId)
const remove = (optionId: string) => intent('remove-vote', optionId)
const seen = ({ options, voteCount }: Poll) => [
  options.map(({ id, votes, own }) => `${id} ${votes}${own ? ' own' : ''}`),
  voteCount,
]

describe('prediction', () => {
  test('a vote is shown as own at once, with the counts', () => {
    const poll = predictPoll(aPoll({ a: 1, b: 0 }), [cast('b')], me)
    expect(seen(poll)).toEqual([['a 1', 'b 1 own'], 2])
    expect(poll.options[1]?.voterIds).toEqual(['me'])
  })

  test('AGR-41 a unique vote replaces the previous one', () => {
    const poll = aPoll({ a: 2, b: 0, c: 0 }, ['a'], { enforceUniqueVote: true })
    expect(seen(predictPoll(poll, [cast('b'), cast('c')], me))).toEqual([['a 1', 'b 0', 'c 1 own'], 2])
  })

  test('several votes are allowed without a unique vote', () => {
    expect(seen(predictPoll(aPoll({ a: 1, b: 0 }, ['a']), [cast('b')], me))).toEqual([['a 1 own', 'b 1 own'], 2])
  })

  test('a removed vote is removed from the counts and the faces', () => {
    const poll = predictPoll(aPoll({ a: 2 }, ['a']), [remove('a')], me)
    expect(seen(poll)).toEqual([['a 1'], 1])
    expect(poll.options[0]?.voterIds).toEqual(['ana'])
  })

  test('a vote that the fact already shows changes nothing', () => {
    const fact = aPoll({ a: 1, b: 0 }, ['a'])
    expect(predictPoll(fact, [cast('a'), remove('b'), cast('nowhere')], me)).toEqual(fact)
  })

  test('a refused vote, and one in a closed poll, change nothing', () => {
    const fact = aPoll({ a: 0 })
    const closed = aPoll({ a: 0 }, [], { closed: true })
    expect(predictPoll(fact, [intent('cast-vote', 'a', { state: 'parked' })], me)).toEqual(fact)
    expect(predictPoll(closed, [cast('a')], me)).toEqual(closed)
  })

  test('in an anonymous poll no voter is added', () => {
    const poll = predictPoll(aPoll({ a: 0 }, [], { anonymous: true }), [cast('a')], me)
    expect(poll.options[0]?.voterIds).toEqual([])
  })
})

describe('allowed votes', () => {
  const codes = (poll: Poll, optionId: string) => mayCastVote(poll, optionId, NOW).map(({ code }) => code)

  test("at the limit only an option that has the viewer's vote is allowed", () => {
    const poll = aPoll({ a: 1, b: 1, c: 0 }, ['a', 'b'], { maxVotes: 2 })
    expect(codes(poll, 'c')).toEqual(['poll/vote-limit'])
    expect(codes(poll, 'a')).toEqual([])
  })

  test('below the limit, without one, and with a unique vote', () => {
    expect(codes(aPoll({ a: 1, b: 0 }, ['a'], { maxVotes: 2 }), 'b')).toEqual([])
    expect(codes(aPoll({ a: 1, b: 0 }, ['a']), 'b')).toEqual([])
    expect(codes(aPoll({ a: 1, b: 0 }, ['a'], { enforceUniqueVote: true, maxVotes: 1 }), 'b')).toEqual([])
  })

  test('a closed poll accepts no vote and no removal, an unknown option no vote', () => {
    const closed = aPoll({ a: 1 }, ['a'], { closed: true })
    expect(codes(closed, 'a')).toEqual(['poll/closed'])
    expect(mayRemoveVote(closed, NOW).map(({ code }) => code)).toEqual(['poll/closed'])
    expect(codes(aPoll({ a: 0 }), 'z')).toEqual(['server/not-found'])
  })
})

test('a poll is over when it was closed, or at its closing time', () => {
  expect(isOver({ closed: true }, NOW)).toBe(true)
  expect(isOver({ closed: false }, NOW)).toBe(false)
  expect(isOver({ closed: false, closesAt: NOW + 1 }, NOW)).toBe(false)
  expect(isOver({ closed: false, closesAt: NOW }, NOW)).toBe(true)
})

const pollOf = (name: string, ...texts: string[]) => ({
  name,
  description: '',
  options: texts.map((text, index) => ({ id: String(index), text })),
})

test('a changed text is a change, an added option is not', () => {
  const before = pollOf('Lunch?', 'Soup', 'Cake')
  const after = { ...pollOf('Supper?', 'Soup', 'Pie', 'Tea'), description: 'Friday' }
  expect(changesBetween(before, after, 7)).toEqual([
    { what: 'question', at: 7, before: 'Lunch?', after: 'Supper?' },
    { what: 'description', at: 7, before: '', after: 'Friday' },
    { what: 'option', at: 7, before: 'Cake', after: 'Pie' },
  ])
  expect(changesBetween(before, pollOf('Lunch?', 'Soup'), 8)).toEqual([{ what: 'removed', at: 8, before: 'Cake' }])
})

test('the newest twenty changes are stored', () => {
  const change = (at: number) => ({ what: 'removed', at, before: 'x' }) as const
  const known = Array.from({ length: 20 }, (_one, index) => change(20 - index))
  expect(withChanges(known, [change(21)]).map(({ at }) => at)).toEqual([21, ...known.slice(0, 19).map(({ at }) => at)])
  expect(withChanges(known, [])).toBe(known)
})

test('only removed options lose their votes', () => {
  const options = [
    { id: 'a', votes: 3 },
    { id: 'b', votes: 2 },
  ]
  expect(votesLost({ options }, { removed: ['b'] })).toBe(2)
})
