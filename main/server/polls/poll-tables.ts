import type { Db } from '../store/db.ts'
import type { WirePoll, WirePollOption, WirePollVote, WireUser } from '#shared/wire/objects.ts'
import { toText } from '../store/time.ts'

export type PollRow = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly created_by: string
  readonly enforce_unique: number
  readonly max_votes: number | null
  readonly allow_answers: number
  readonly allow_suggestions: number
  readonly visibility: string
  readonly closed: number
  readonly created_at: number
  readonly updated_at: number
  readonly custom: string
  /** The time at which it closes; null: only when a user closes it. */
  readonly closes_at: number | null
}

export type OptionRow = {
  readonly poll_id: string
  readonly id: string
  readonly text: string
  readonly position: number
  readonly custom: string
  /** The user who suggested it; null for options of the creator. */
  readonly created_by: string | null
}

type NewOption = Pick<OptionRow, 'id' | 'text' | 'custom'> & Partial<Pick<OptionRow, 'created_by'>>

export type VoteRow = {
  readonly id: string
  readonly poll_id: string
  /** Empty for a text answer. */
  readonly option_id: string
  readonly user_id: string
  readonly answer: string | null
  readonly created_at: number
  readonly updated_at: number
}

export function pollById(db: Db, id: string): PollRow | undefined {
  return db.get<PollRow>('SELECT * FROM polls WHERE id = ?', id)
}

export function pollsByIds(db: Db, ids: Iterable<string>): Map<string, PollRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = db.all<PollRow>(
    'SELECT * FROM polls WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(wanted),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export function optionsOf(db: Db, pollId: string): OptionRow[] {
  return db.all<OptionRow>('SELECT * FROM poll_options WHERE poll_id = ? ORDER BY position, id', pollId)
}

/** Newest first. */
export function votesOf(db: Db, pollId: string): VoteRow[] {
  return db.all<VoteRow>('SELECT * FROM poll_votes WHERE poll_id = ? ORDER BY created_at DESC, id', pollId)
}

/** Writes a poll, new or changed, without its options. */
export function putPoll(db: Db, row: PollRow): void {
  db.run(
    `INSERT INTO polls (id, name, description, created_by, enforce_unique, max_votes, allow_answers, allow_suggestions,
       visibility, closed, created_at, updated_at, custom, closes_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       enforce_unique = excluded.enforce_unique, max_votes = excluded.max_votes,
       allow_answers = excluded.allow_answers, allow_suggestions = excluded.allow_suggestions,
       visibility = excluded.visibility, closed = excluded.closed, updated_at = excluded.updated_at,
       custom = excluded.custom, closes_at = excluded.closes_at`,
    row.id,
    row.name,
    row.description,
    row.created_by,
    row.enforce_unique,
    row.max_votes,
    row.allow_answers,
    row.allow_suggestions,
    row.visibility,
    row.closed,
    row.created_at,
    row.updated_at,
    row.custom,
    row.closes_at,
  )
}

export const DUE_POLLS = `SELECT * FROM polls WHERE closed = 0 AND closes_at IS NOT NULL AND closes_at <= ?
  ORDER BY closes_at LIMIT 100`

/** Open polls that are due to close. */
export const duePolls = (db: Db, now: number): PollRow[] => db.all<PollRow>(DUE_POLLS, now)

export function insertPoll(db: Db, row: PollRow, options: readonly NewOption[]): void {
  putPoll(db, row)
  options.forEach((option, position) => putOption(db, row.id, option, position))
}

export function optionById(db: Db, pollId: string, id: string): OptionRow | undefined {
  return db.get<OptionRow>('SELECT * FROM poll_options WHERE poll_id = ? AND id = ?', pollId, id)
}

/** Adds an option, or changes its text, position and custom keys. */
export function putOption(db: Db, pollId: string, option: NewOption, position: number): void {
  db.run(
    `INSERT INTO poll_options (poll_id, id, text, position, custom, created_by) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (poll_id, id) DO UPDATE SET text = excluded.text, position = excluded.position,
       custom = excluded.custom`,
    pollId,
    option.id,
    option.text,
    position,
    option.custom,
    option.created_by ?? null,
  )
}

/** Deletes an option with its votes. */
export function deleteOption(db: Db, pollId: string, id: string): void {
  db.run('DELETE FROM poll_votes WHERE poll_id = ? AND option_id = ?', pollId, id)
  db.run('DELETE FROM poll_options WHERE poll_id = ? AND id = ?', pollId, id)
}

export function putVote(db: Db, row: VoteRow): void {
  db.run(
    `INSERT INTO poll_votes (id, poll_id, option_id, user_id, answer, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET option_id = excluded.option_id, answer = excluded.answer,
       updated_at = excluded.updated_at`,
    row.id,
    row.poll_id,
    row.option_id,
    row.user_id,
    row.answer,
    row.created_at,
    row.updated_at,
  )
}

export function deleteVote(db: Db, id: string): void {
  db.run('DELETE FROM poll_votes WHERE id = ?', id)
}

/** The message a poll is attached to, if any. */
export function messageOfPoll(db: Db, pollId: string): string | undefined {
  return db.get<{ id: string }>('SELECT id FROM messages WHERE poll_id = ?', pollId)?.id
}

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
