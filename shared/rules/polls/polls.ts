import type { Intent, VotePayload } from '../../domain/intent.ts'
import type { Poll, PollDefinition, PollOption, PollChange, PollEdit } from '../../domain/poll.ts'
import type { PollId, UserId } from '../../lib/brand.ts'
import type { Issue } from '../../lib/app-error.ts'

type Rules = Pick<Poll, 'closed' | 'closesAt' | 'enforceUniqueVote' | 'maxVotes' | 'options'>

/** Voting has ended: the poll was closed, or its closing time has passed on the server's clock. */
export const isOver = ({ closed, closesAt }: Pick<Poll, 'closed' | 'closesAt'>, now: number): boolean =>
  closed || (closesAt !== undefined && closesAt <= now)

/** Voters shown per option. See docs/wire.md 5.12, `latest_votes_by_option`. */
const VOTERS_SHOWN = 10

/** Number of the viewer's votes. */
const ownVotes = ({ options }: Pick<Poll, 'options'>): number => options.filter((option) => option.own).length

/** At the limit a vote must be removed before another one; a unique vote is moved instead. */
const isAtVoteLimit = (poll: Rules): boolean =>
  !poll.enforceUniqueVote && poll.maxVotes !== undefined && ownVotes(poll) >= poll.maxVotes

/** Why the viewer cannot vote for this option; a repeated vote is allowed. */
export function mayCastVote(poll: Rules, optionId: string, now: number): Issue[] {
  if (isOver(poll, now)) return [{ code: 'poll/closed', path: ['poll'] }]
  const option = poll.options.find((each) => each.id === optionId)
  if (option === undefined) return [{ code: 'server/not-found', path: ['option'] }]
  if (option.own || !isAtVoteLimit(poll)) return []
  return [{ code: 'poll/vote-limit', path: ['option'], params: { max: poll.maxVotes ?? 0 } }]
}

export const mayRemoveVote = (poll: Pick<Poll, 'closed' | 'closesAt'>, now: number): Issue[] =>
  isOver(poll, now) ? [{ code: 'poll/closed', path: ['poll'] }] : []

/** A poll that the server does not have yet. Its options are identified by their texts until then. */
export function unsentPoll(id: PollId, { options, ...rules }: PollDefinition, createdBy: UserId): Poll {
  return {
    ...rules,
    id,
    options: options.map((text, index) => ({ id: `${id}:${index}`, text, votes: 0, own: false, voterIds: [] })),
    closed: false,
    voteCount: 0,
    answersCount: 0,
    createdBy,
  }
}

/** The option of a vote; identified by its text if the vote was cast before the poll was created. */
export const votedOption = <Option extends { readonly id: string; readonly text: string }>(
  { options }: { readonly options: readonly Option[] },
  { optionId, optionText }: Pick<VotePayload, 'optionId' | 'optionText'>,
): Option | undefined =>
  options.find(({ id }) => id === optionId) ??
  (optionText === undefined ? undefined : options.find(({ text }) => text === optionText))

/**
 * The poll with the viewer's unsent votes applied. Pure and idempotent: a vote that the fact already shows changes
 * nothing.
 *
 * @param intents votes in this poll, oldest first; refused ones change nothing
 */
export function predictPoll(fact: Poll, intents: readonly Intent[], me: UserId): Poll {
  return intents.reduce<Poll>((poll, intent) => {
    if (intent.state === 'parked' || poll.closed) return poll
    if (intent.kind !== 'cast-vote' && intent.kind !== 'remove-vote') return poll
    const id = votedOption(poll, intent.payload)?.id ?? intent.payload.optionId
    return intent.kind === 'cast-vote' ? withVote(poll, id, me) : withoutVote(poll, id, me)
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

type PollContent = {
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
}

/** Maximum stored changes of one poll. */
const CHANGES_KEPT = 20

/** Changes of a poll's texts; added options do not concern those who voted. */
export function changesBetween(before: PollContent, after: PollContent, at: number): PollChange[] {
  const texts = new Map(after.options.map(({ id, text }) => [id, text]))
  const changed = (what: 'question' | 'description', old: string, now: string): PollChange[] =>
    old === now ? [] : [{ what, at, before: old, after: now }]
  return [
    ...changed('question', before.name, after.name),
    ...changed('description', before.description, after.description),
    ...before.options.flatMap(({ id, text }): PollChange[] => {
      const now = texts.get(id)
      if (now === undefined) return [{ what: 'removed', at, before: text }]
      return now === text ? [] : [{ what: 'option', at, before: text, after: now }]
    }),
  ]
}

/** Adds to the earlier changes, newest first. */
export const withChanges = (known: readonly PollChange[] = [], fresh: readonly PollChange[]): readonly PollChange[] =>
  fresh.length === 0 ? known : [...fresh, ...known].slice(0, CHANGES_KEPT)

/** Votes that an edit removes with its options. */
export const votesLost = (
  { options }: { readonly options: readonly { readonly id: string; readonly votes: number }[] },
  { removed }: Pick<PollEdit, 'removed'>,
): number => options.reduce((sum, { id, votes }) => sum + (removed.includes(id) ? votes : 0), 0)
