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

// Polls and locations of a message. Both requests can be repeated without harm.

/**
 * Creates the poll of a message, or finds the one that an earlier attempt created. Returns it as the server sent it.
 */
export async function pollMade(
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

/**
 * The location of a message as it is sent now. A live share that has expired, or that was started before the program
 * was restarted, is refused: a location is shared only with the user's current consent.
 */
export function placeFields(
  core: Pick<Core, 'memory' | 'serverNow' | 'stores'>,
  { id, payload }: IntentFor<'send-message'>,
): MessageInput | undefined {
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
 * Looks up a live share whose request was in flight when the program ended: it may have reached the server. `undefined`
 * if it did not, or if this intent is not such a share.
 */
export async function arrivedShare(
  core: Pick<Core, 'api' | 'memory'>,
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

/** Id of this installation: only the device that started a live share updates its position. */
export const deviceOf = (core: Pick<Core, 'stores'>): string => core.stores.report.installId
