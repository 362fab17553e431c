import type { WirePoll, WirePollOption, WirePollVote, WireUser } from '#shared/wire/objects.ts'
import type { OptionRow, PollRow, VoteRow } from './poll-tables.ts'
import { toText } from '../time.ts'

/** The newest votes per option and the newest answers that a poll carries. See docs/wire.md 5.12. */
const LATEST = 10

/** @param viewer whose own votes are added; absent in events */
export function encodePoll(
  row: PollRow,
  parts: { options: readonly OptionRow[]; votes: readonly VoteRow[]; user: (id: string) => WireUser; viewer?: string },
): WirePoll {
  const answers = parts.votes.filter((vote) => vote.answer !== null)
  const choices = parts.votes.filter((vote) => vote.answer === null)
  const byOption = Map.groupBy(choices, (vote) => vote.option_id)
  const anonymous = row.visibility === 'anonymous'
  const encode = (vote: VoteRow) => encodeVote(vote, parts.user, anonymous && vote.user_id !== parts.viewer)
  const own = parts.viewer === undefined ? [] : parts.votes.filter((vote) => vote.user_id === parts.viewer)
  return {
    ...(JSON.parse(row.custom) as Record<string, unknown>),
    id: row.id,
    name: row.name,
    description: row.description,
    options: parts.options.map(encodeOption),
    enforce_unique_vote: row.enforce_unique === 1,
    max_votes_allowed: row.max_votes,
    allow_answers: row.allow_answers === 1,
    allow_user_suggested_options: row.allow_suggestions === 1,
    voting_visibility: row.visibility,
    is_closed: row.closed === 1,
    vote_count: choices.length,
    vote_counts_by_option: Object.fromEntries([...byOption].map(([id, votes]) => [id, votes.length])),
    answers_count: answers.length,
    latest_answers: answers.slice(0, LATEST).map(encode),
    latest_votes_by_option: anonymous
      ? {}
      : Object.fromEntries([...byOption].map(([id, votes]) => [id, votes.slice(0, LATEST).map(encode)])),
    ...(parts.viewer === undefined ? {} : { own_votes: own.map(encode) }),
    created_by_id: row.created_by,
    created_by: parts.user(row.created_by),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

export function encodeOption(row: OptionRow): WirePollOption {
  return {
    ...(JSON.parse(row.custom) as Record<string, unknown>),
    id: row.id,
    text: row.text,
    ...(row.created_by === null ? {} : { suggested_by: row.created_by }),
  }
}

export function encodeVote(row: VoteRow, user: (id: string) => WireUser, hideUser: boolean): WirePollVote {
  return {
    id: row.id,
    poll_id: row.poll_id,
    option_id: row.option_id,
    ...(hideUser ? {} : { user_id: row.user_id, user: user(row.user_id) }),
    ...(row.answer === null ? {} : { answer_text: row.answer, is_answer: true }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
