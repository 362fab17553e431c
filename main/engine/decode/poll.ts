import { asPollId, asUserId } from '#shared/lib/brand.ts'
import type { PollRow, PollVoteRow, UserRow } from '#main/cache/rows.ts'
import {
  asWire,
  countOf,
  customOf,
  eachOf,
  flagOf,
  idOf,
  nameOf,
  textOf,
  tallyOf,
  timeOf,
  type DecodeContext,
  type Wire,
  fieldSet,
} from './read.ts'
import { decodeUser } from './user.ts'

const OPTIONS_LIMIT = 100
const VOTES_LIMIT = 100
const KNOWN = fieldSet(
  'id name description options enforce_unique_vote max_votes_allowed allow_answers',
  'allow_user_suggested_options voting_visibility is_closed closes_at vote_count vote_counts_by_option',
  'answers_count latest_answers latest_votes_by_option own_votes created_by created_by_id',
  'created_at updated_at',
)

type DecodedPoll = { readonly row: PollRow; readonly users: readonly UserRow[] }

/** See docs/wire.md 5.12. */
export function decodePoll(value: unknown, context: DecodeContext): DecodedPoll | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) {
    context.dropped?.('poll')
    return undefined
  }
  const createdBy = decodeUser(wire['created_by'], context)
  const creatorId = createdBy?.id ?? idOf(wire['created_by_id'])
  const createdAt = timeOf(wire['created_at']) ?? context.asOf
  const row: PollRow = {
    id: asPollId(id),
    name: nameOf(wire['name'], 500) ?? '',
    description: textOf(wire['description'], 5_000) ?? '',
    options: eachOf(wire['options'], optionOf, OPTIONS_LIMIT),
    enforceUniqueVote: flagOf(wire['enforce_unique_vote']) ?? false,
    maxVotes: countOf(wire['max_votes_allowed']) || undefined,
    allowAnswers: flagOf(wire['allow_answers']) ?? false,
    allowSuggestions: flagOf(wire['allow_user_suggested_options']) ?? false,
    anonymous: wire['voting_visibility'] === 'anonymous',
    closed: flagOf(wire['is_closed']) ?? false,
    closesAt: timeOf(wire['closes_at']),
    voteCount: tallyOf(wire['vote_count']) ?? 0,
    votesByOption: mapOf(wire['vote_counts_by_option'], tallyOf),
    latestByOption: mapOf(wire['latest_votes_by_option'], (votes) => votesOf(votes, context)),
    answersCount: tallyOf(wire['answers_count']) ?? 0,
    latestAnswers: votesOf(wire['latest_answers'], context),
    ownVotes: context.isAnswer && Array.isArray(wire['own_votes']) ? votesOf(wire['own_votes'], context) : undefined,
    createdBy: creatorId === undefined ? undefined : asUserId(creatorId),
    createdAt,
    updatedAt: timeOf(wire['updated_at']) ?? createdAt,
    custom: customOf(wire, KNOWN),
    asOf: context.asOf,
  }
  return { row, users: [...(createdBy ? [createdBy] : []), ...votersOf(wire, context)] }
}

/** See docs/wire.md 5.12. An empty `option_id` means a free answer. */
export function decodeVote(value: unknown, context: DecodeContext): PollVoteRow | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) {
    context.dropped?.('vote')
    return undefined
  }
  const userId = idOf(wire['user_id']) ?? idOf(asWire(wire['user'])?.['id'])
  return {
    id,
    optionId: idOf(wire['option_id']),
    userId: userId === undefined ? undefined : asUserId(userId),
    answerText: textOf(wire['answer_text'], 1_000),
    createdAt: timeOf(wire['created_at']) ?? context.asOf,
  }
}

const votesOf = (value: unknown, context: DecodeContext): readonly PollVoteRow[] =>
  eachOf(value, (item) => decodeVote(item, context), VOTES_LIMIT)

function votersOf(wire: Wire, context: DecodeContext): readonly UserRow[] {
  const lists = Object.values(asWire(wire['latest_votes_by_option']) ?? {})
  return lists.flatMap((list) => eachOf(list, (vote) => decodeUser(asWire(vote)?.['user'], context), VOTES_LIMIT))
}

function optionOf(value: unknown): PollRow['options'][number] | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  const by = idOf(wire['suggested_by'])
  return { id, text: nameOf(wire['text'], 1_000) ?? '', suggestedBy: by === undefined ? undefined : asUserId(by) }
}

function mapOf<T>(value: unknown, read: (value: unknown) => T | undefined): Readonly<Record<string, T>> {
  const entries = Object.entries(asWire(value) ?? {}).flatMap(([key, part]): [string, T][] => {
    const id = key === '__proto__' ? undefined : idOf(key)
    const found = read(part)
    return id === undefined || found === undefined ? [] : [[id, found]]
  })
  return Object.fromEntries(entries)
}
