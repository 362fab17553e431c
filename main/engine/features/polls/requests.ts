import type { IntentFor, SendPayload } from '#shared/domain/intent.ts'
import type { PollDefinition } from '#shared/domain/poll.ts'
import type { PollId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { mayCastVote, votedOption } from '#shared/rules/polls/polls.ts'
import { castVote, createPoll, getPoll, type PollInput, removeVote } from '#shared/wire/polls.ts'
import * as polls from '#main/cache/messages/polls.ts'
import { ApiError } from '../../api/errors.ts'
import { pollOf } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { asWire, idOf, timeIn } from '../../decode/read.ts'
import { messageIdOf } from '../../outbox/outbox.ts'
import { Refusal, type Done } from '../../outbox/runner.ts'
import { writePoll } from '../../sync/write.ts'

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
