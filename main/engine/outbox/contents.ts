import type { IntentFor, SendPayload } from '#shared/domain/intent.ts'
import type { PollDefinition } from '#shared/domain/poll.ts'
import type { PollId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { endOfShare } from '#shared/rules/locations/locations.ts'
import { getMessage, type MessageInput } from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import { createPoll, getPoll, type PollInput } from '#shared/wire/polls.ts'
import { ApiError } from '../api/errors.ts'
import type { Core } from '../core.ts'
import { DEVICE_FIELD } from '../decode/location.ts'
import { asWire, idOf } from '../decode/read.ts'
import { Refusal } from './runner.ts'

/** A poll or a place that a message is, instead of words. Both may be asked for again without harm. */

/** Makes the poll of a message, or finds the one an earlier try made. Answers it as the server sent it. */
export async function pollMade(core: Core, { pollId, poll }: SendPayload, signal: AbortSignal): Promise<unknown> {
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

/** The poll of that id, where it is the viewer's. */
async function ownPoll(core: Core, pollId: PollId, signal: AbortSignal): Promise<unknown> {
  try {
    const { poll } = await core.api.send(getPoll, { params: { pollId }, signal })
    const wire = asWire(poll)
    const creator = idOf(wire?.['created_by_id']) ?? idOf(asWire(wire?.['created_by'])?.['id'])
    return creator === core.me ? poll : undefined
  } catch (error) {
    // Not there, or not for us: what the making said is the reason.
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
    ...(description === '' ? {} : { description }),
    options: options.map((text) => ({ text })),
    enforce_unique_vote: enforceUniqueVote,
    ...(maxVotes === undefined || enforceUniqueVote ? {} : { max_votes_allowed: maxVotes }),
    allow_answers: allowAnswers,
    allow_user_suggested_options: allowSuggestions,
    voting_visibility: anonymous ? 'anonymous' : 'public',
    ...(closesAt === undefined ? {} : { closes_at: formatTime(closesAt) }),
  }
}

/**
 * The place of a message as it is sent now. A live share whose time is over, or that another start of the program began,
 * is refused: no one's place is shared without them.
 */
export function placeFields(core: Core, { id, payload }: IntentFor<'send-message'>): MessageInput | undefined {
  const { place } = payload
  if (place === undefined) return undefined
  const { latitude, longitude, live, device } = place
  const named = device === undefined ? {} : { [DEVICE_FIELD]: device }
  const point = { latitude, longitude, created_by_device_id: deviceOf(core) }
  if (live === undefined) return { ...named, shared_location: point }
  const endAt = endOfShare(live, core.serverNow())
  if (endAt === undefined) throw new Refusal('location/over', false)
  if (!core.memory.sharing.begun.has(id)) throw new Refusal('location/not-resumed', true)
  return { ...named, shared_location: { ...point, end_at: formatTime(endAt) } }
}

/**
 * A live share that was on its way when the program ended: it may have arrived. `undefined` where it did not, or where
 * nothing of the kind is asked.
 */
export async function arrivedShare(
  core: Core,
  { id, messageId, cid, attempts, payload }: IntentFor<'send-message'>,
  signal: AbortSignal,
): Promise<WireMessage | undefined> {
  const isOld = payload.place?.live !== undefined && attempts > 1 && !core.memory.sharing.begun.has(id)
  if (!isOld) return undefined
  try {
    const { message } = await core.api.send(getMessage, { params: { id: messageId ?? id }, query: {}, cid, signal })
    return message
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return undefined
    throw error
  }
}

/** Which computer shares: only it moves its shares. */
export const deviceOf = (core: Core): string => core.stores.report.installId
