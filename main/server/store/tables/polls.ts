import type { Db } from '../db.ts'

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
}

export type OptionRow = {
  readonly poll_id: string
  readonly id: string
  readonly text: string
  readonly custom: string
}

export type VoteRow = {
  readonly id: string
  readonly poll_id: string
  /** Empty for an answer in words. */
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

export function insertPoll(db: Db, row: PollRow, options: readonly Omit<OptionRow, 'poll_id'>[]): void {
  db.run(
    `INSERT INTO polls (id, name, description, created_by, enforce_unique, max_votes, allow_answers, allow_suggestions,
       visibility, closed, created_at, updated_at, custom) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  )
  options.forEach((option, position) =>
    db.run(
      'INSERT INTO poll_options (poll_id, id, text, position, custom) VALUES (?, ?, ?, ?, ?)',
      row.id,
      option.id,
      option.text,
      position,
      option.custom,
    ),
  )
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

/** The message a poll hangs on, if any. */
export function messageOfPoll(db: Db, pollId: string): string | undefined {
  return db.get<{ id: string }>('SELECT id FROM messages WHERE poll_id = ?', pollId)?.id
}
