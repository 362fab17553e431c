import type { IntentFor, SendPayload } from '#shared/domain/intent.ts'
import type { PollDefinition, ListedPoll, NonVoters, PollView, PollVoter } from '#shared/domain/poll.ts'
import { type PollId, asMessageId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { mayCastVote, votedOption, isOver } from '#shared/rules/polls/polls.ts'
import { castVote, createPoll, getPoll, type PollInput, removeVote, queryPollVotes } from '#shared/wire/polls.ts'
import * as polls from '#main/cache/messages/polls.ts'
import { ApiError } from '../../api/errors.ts'
import { pollOf, answerOf, visibleChannel, visiblePoll } from '../../changes/visible.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { asWire, idOf, timeIn, cursorOf, eachOf } from '../../decode/read.ts'
import { messageIdOf } from '../../outbox/outbox.ts'
import { Refusal, type Done } from '../../outbox/runner.ts'
import { writePoll, writeUser } from '../../sync/write.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import type { PollVoteRow, PollRow } from '#main/cache/rows.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { CallContext } from '../../context.ts'
import { decodeVote } from '../../decode/poll.ts'
import { memberPage } from '../channels/details.ts'

export async function vote(
  core: Pick<Core, 'api' | 'asOf' | 'cache' | 'serverNow'>,
  intent: IntentFor<'cast-vote'> | IntentFor<'remove-vote'>,
  signal: AbortSignal,
): Promise<Done> {
  const { pollId } = intent.payload
  const messageId = messageIdOf(intent)
  const asOf = core.asOf()
  const row = polls.byId(core.cache.reader, pollId)
  const optionId = (row && votedOption(row, intent.payload)?.id) ?? intent.payload.optionId
  const own = row?.ownVotes?.find((each) => each.optionId === optionId)
  if (intent.kind === 'remove-vote' && own === undefined) return {}
  // Closed or full in the meantime: the server would only respond that the input is invalid.
  const issue = row && intent.kind === 'cast-vote' ? mayCastVote(pollOf(row), optionId, core.serverNow())[0] : undefined
  if (issue) throw new Refusal(issue.code, issue.code === 'poll/vote-limit')
  const reply =
    intent.kind === 'cast-vote'
      ? await core.api.send(castVote, {
          params: { messageId, pollId },
          body: { vote: { option_id: optionId } },
          signal,
        })
      : await core.api.send(removeVote, { params: { messageId, pollId, voteId: own?.id ?? '' }, signal })
  // The answer is at least as new as the vote in it: an event that arrived meanwhile does not make it outdated.
  const at = intent.kind === 'cast-vote' ? Math.max(asOf, timeIn(reply.vote, 'updated_at') ?? 0) : asOf
  return reply.poll ? { apply: (tx) => writePoll(tx, reply.poll, at) } : {}
}

/**
 * Creates the poll of a message, or finds the one that an earlier attempt created. Returns it as the server sent it.
 * Can be repeated without harm.
 */
export async function createPollOf(
  core: Pick<Core, 'api' | 'me'>,
  { pollId, poll }: SendPayload,
  signal: AbortSignal,
): Promise<unknown> {
  if (poll === undefined || pollId === undefined) return undefined
  try {
    return (await core.api.send(createPoll, { body: pollBody(pollId, poll), signal })).poll
  } catch (error) {
    if (!(error instanceof ApiError) || (error.class !== 'exists' && error.class !== 'invalid')) throw error
    const held = await ownPoll(core, pollId, signal)
    if (held === undefined) throw error
    return held
  }
}

/** The poll with that id if the viewer created it. */
async function ownPoll(core: Pick<Core, 'api' | 'me'>, pollId: PollId, signal: AbortSignal): Promise<unknown> {
  try {
    const { poll } = await core.api.send(getPoll, { params: { pollId }, signal })
    const wire = asWire(poll)
    const creator = idOf(wire?.['created_by_id']) ?? idOf(asWire(wire?.['created_by'])?.['id'])
    return creator === core.me ? poll : undefined
  } catch (error) {
    // It does not exist or is not visible to us: report the error of the creation.
    if (error instanceof ApiError && !error.retryable) return undefined
    throw error
  }
}

/** See docs/wire.md 7.12 "submit". */
function pollBody(id: PollId, poll: PollDefinition): PollInput {
  const { name, description, options, enforceUniqueVote, maxVotes, allowAnswers, allowSuggestions } = poll
  const { anonymous, closesAt } = poll
  return {
    id,
    name,
    description: description === '' ? undefined : description,
    options: options.map((text) => ({ text })),
    enforce_unique_vote: enforceUniqueVote,
    max_votes_allowed: maxVotes === undefined || enforceUniqueVote ? undefined : maxVotes,
    allow_answers: allowAnswers,
    allow_user_suggested_options: allowSuggestions,
    voting_visibility: anonymous ? 'anonymous' : 'public',
    closes_at: closesAt === undefined ? undefined : formatTime(closesAt),
  }
}

type Calls = Pick<HandlersOf<'polls', CallContext>, 'answers' | 'voters' | 'nonVoters' | 'list'>

const PAGE = 25
const LISTED = 100
/** Newest polls that are looked at: a bound for one call. */
const CHECKED_POLLS = 1_000

type Parts = Requests & Pick<Core, 'cache' | 'context' | 'log' | 'me' | 'serverNow'>

/** Queries about polls. See docs/wire.md 3.7 and 7.12. */
export function pollLists(core: Parts): Calls {
  return {
    answers: async ({ messageId, cursor }) => {
      const { votes, next } = await fetchVotes(core, messageId, { is_answer: true }, cursor)
      return { answers: votes.flatMap(answerOf), ...next }
    },
    voters: async ({ messageId, optionId, cursor }) => {
      const { votes, next } = await fetchVotes(core, messageId, { option_id: optionId }, cursor)
      return { voters: votes.flatMap(voterOf), ...next }
    },
    nonVoters: ({ messageId }) => nonVoters(core, messageId),
    list: ({ view }) => listed(core, view),
  }
}

async function fetchVotes(
  core: Parts,
  messageId: MessageId,
  filter: Readonly<Record<string, unknown>>,
  cursor: string | undefined,
): Promise<{ readonly votes: readonly PollVoteRow[]; readonly next: { readonly next?: string } }> {
  requireConnection(core)
  const poll = cachedPoll(core, messageId)
  const asOf = core.asOf()
  const reply = await core.api.send(queryPollVotes, {
    params: { pollId: poll.id },
    body: {
      filter,
      sort: [{ field: 'created_at', direction: -1 }],
      limit: PAGE,
      next: cursor,
    },
    signal: core.life,
  })
  core.write((tx) => eachOf(reply.votes, (vote) => writeUser(tx, asWire(vote)?.['user'], asOf)))
  const context = { viewerId: core.me, asOf, isAnswer: true }
  const next = cursorOf(reply.next, cursor)
  return { votes: eachOf(reply.votes, (vote) => decodeVote(vote, context)), next: next === undefined ? {} : { next } }
}

/** Pages of members and of votes: bounds for one call. */
const MEMBER_PAGES = 5
const VOTE_PAGES = 40
const NON_VOTERS = 100

async function nonVoters(core: Parts, messageId: MessageId): Promise<NonVoters> {
  requireConnection(core)
  const poll = cachedPoll(core, messageId)
  if (poll.anonymous) throw new AppError('poll/anonymous')
  const cid = visibleMessage(core.context, messageId)?.cid
  if (cid === undefined) throw new AppError('message/gone')
  const voted = new Set<UserId>()
  let cursor: string | undefined
  for (let page = 0; page < VOTE_PAGES; page += 1) {
    const { votes, next } = await fetchVotes(core, messageId, { is_answer: false }, cursor)
    for (const { userId } of votes) if (userId !== undefined) voted.add(userId)
    cursor = next.next
    if (cursor === undefined) break
  }
  let people: readonly UserId[] = []
  for (let page = 0; page < MEMBER_PAGES; page += 1) {
    const { entries, hasMore } = await memberPage(core, { cid, offset: page * 100 })
    people = entries.map(({ userId }) => userId)
    if (!hasMore) break
  }
  const nonVoters = people.filter((id) => id !== core.me && !voted.has(id))
  return { userIds: nonVoters.slice(0, NON_VOTERS), total: nonVoters.length }
}

const voterOf = ({ id, userId, createdAt }: PollVoteRow): PollVoter[] =>
  userId === undefined ? [] : [{ id, userId, votedAt: createdAt }]

/** From the cache, including unsent votes: works without a connection. */
function listed(core: Pick<Core, 'cache' | 'context' | 'serverNow'>, view: PollView): readonly ListedPoll[] {
  const found: ListedPoll[] = []
  for (const id of polls.messageIds(core.cache.reader, CHECKED_POLLS)) {
    const each = listedPoll(core, asMessageId(id))
    const isWanted =
      each !== undefined && (view === 'unvoted' ? isUnvoted(core, each) : each.poll.closed === (view === 'closed'))
    if (isWanted) found.push(each)
    if (found.length === LISTED) break
  }
  return found
}

/** The poll of a message if the viewer may still vote and has not; otherwise `undefined`. */
export function unvotedPoll(core: Pick<Core, 'context' | 'serverNow'>, messageId: MessageId): ListedPoll | undefined {
  const found = listedPoll(core, messageId)
  return found !== undefined && isUnvoted(core, found) ? found : undefined
}

function isUnvoted({ context }: Pick<Core, 'context'>, { cid, poll }: ListedPoll): boolean {
  const channel = visibleChannel(context, cid)
  const isOpen = !poll.closed && channel !== undefined && may(channel, 'cast-poll-vote')
  return isOpen && !poll.options.some((option) => option.own)
}

/** As closed as it is by the server's clock. */
function listedPoll(core: Pick<Core, 'context' | 'serverNow'>, messageId: MessageId): ListedPoll | undefined {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : visiblePoll(core.context, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) return undefined
  if (visibleChannel(core.context, message.cid) === undefined) return undefined
  const { cid, parentId, createdAt } = message
  return { messageId, cid, parentId, createdAt, poll: { ...poll, closed: isOver(poll, core.serverNow()) } }
}

/** The cached poll of a message. Throws `message/gone`. */
export function cachedPoll(core: Pick<Core, 'cache' | 'context'>, messageId: MessageId): PollRow {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : polls.byId(core.cache.reader, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) throw new AppError('message/gone')
  return poll
}
