import type { Intent } from '#shared/domain/intent.ts'
import type { Poll, PollOption } from '#shared/domain/poll.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Issue } from '#shared/lib/issues.ts'

type Rules = Pick<Poll, 'closed' | 'enforceUniqueVote' | 'maxVotes' | 'options'>

/** Faces shown per option. Source: wire contract 5.12, `latest_votes_by_option`. */
const VOTERS_SHOWN = 10

/** Own votes already given. */
const ownVotes = ({ options }: Pick<Poll, 'options'>): number => options.filter((option) => option.own).length

/** At the limit an own vote must be removed before another one; a unique vote moves instead. */
export const isAtVoteLimit = (poll: Rules): boolean =>
  !poll.enforceUniqueVote && poll.maxVotes !== undefined && ownVotes(poll) >= poll.maxVotes

/**
 * What speaks against a vote for this option; one that is already the viewer's is no new vote.
 * Sources: behaviour spec, section 5 "Polls"; wire contract 7.12 and 8.12.
 */
export function mayCastVote(poll: Rules, optionId: string): Issue[] {
  if (poll.closed) return [{ code: 'poll/closed', path: ['poll'] }]
  const option = poll.options.find((each) => each.id === optionId)
  if (option === undefined) return [{ code: 'server/not-found', path: ['option'] }]
  if (option.own || !isAtVoteLimit(poll)) return []
  return [{ code: 'poll/vote-limit', path: ['option'], params: { max: poll.maxVotes ?? 0 } }]
}

export const mayRemoveVote = (poll: Pick<Poll, 'closed'>): Issue[] =>
  poll.closed ? [{ code: 'poll/closed', path: ['poll'] }] : []

/**
 * The poll with the viewer's unsent votes counted in. Pure and idempotent: a vote that the fact already shows changes
 * nothing.
 *
 * @param intents votes in this poll, oldest first; refused ones change nothing
 */
export function predictPoll(fact: Poll, intents: readonly Intent[], me: UserId): Poll {
  return intents.reduce<Poll>((poll, intent) => {
    if (intent.state === 'parked' || poll.closed) return poll
    if (intent.kind === 'remove-vote') return withoutVote(poll, intent.payload.optionId, me)
    return intent.kind === 'cast-vote' ? withVote(poll, intent.payload.optionId, me) : poll
  }, fact)
}

function withVote(poll: Poll, optionId: string, me: UserId): Poll {
  const chosen = poll.options.find((option) => option.id === optionId)
  if (chosen === undefined || chosen.own) return poll
  const replaced = poll.enforceUniqueVote ? poll.options.find((option) => option.own) : undefined
  const before = replaced === undefined ? poll : withoutVote(poll, replaced.id, me)
  return changed(before, optionId, 1, (option) => ({
    ...option,
    own: true,
    votes: option.votes + 1,
    ...(poll.anonymous ? {} : { voterIds: [me, ...option.voterIds.filter((id) => id !== me)].slice(0, VOTERS_SHOWN) }),
  }))
}

function withoutVote(poll: Poll, optionId: string, me: UserId): Poll {
  if (!poll.options.some((option) => option.id === optionId && option.own)) return poll
  return changed(poll, optionId, -1, (option) => ({
    ...option,
    own: false,
    votes: Math.max(0, option.votes - 1),
    voterIds: option.voterIds.filter((id) => id !== me),
  }))
}

function changed(poll: Poll, optionId: string, by: 1 | -1, change: (option: PollOption) => PollOption): Poll {
  return {
    ...poll,
    voteCount: Math.max(0, poll.voteCount + by),
    options: poll.options.map((option) => (option.id === optionId ? change(option) : option)),
  }
}
