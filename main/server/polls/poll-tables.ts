import type { Db } from '../store/db.ts'

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
