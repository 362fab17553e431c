import type { Db } from '../store/db.ts'

export type UserRow = {
  readonly id: string
  readonly name: string | null
  readonly name_words: string
  readonly image: string | null
  readonly role: string
  readonly language: string | null
  readonly invisible: number
  readonly banned: number
  readonly created_at: number
  readonly updated_at: number
  readonly last_active: number | null
  readonly deactivated_at: number | null
  readonly deleted_at: number | null
  readonly tokens_revoked_before: number | null
  readonly privacy: string | null
  readonly custom: string
  /** Written by the ban tables only. */
  readonly shadow_banned?: number
  readonly ban_expires?: number | null
  /** JSON list of team names. */
  readonly teams?: string
}

export function userById(db: Db, id: string): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM users WHERE id = ?', id)
}

export function usersByIds(db: Db, ids: Iterable<string>): Map<string, UserRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = db.all<UserRow>(
    'SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(wanted),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export function putUser(db: Db, row: UserRow): void {
  db.run(
    `INSERT INTO users (id, name, name_words, image, role, language, invisible, banned, created_at, updated_at,
       last_active, deactivated_at, deleted_at, tokens_revoked_before, privacy, custom)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_words = excluded.name_words, image = excluded.image,
       role = excluded.role, language = excluded.language, invisible = excluded.invisible, banned = excluded.banned,
       updated_at = excluded.updated_at, last_active = excluded.last_active,
       deactivated_at = excluded.deactivated_at, deleted_at = excluded.deleted_at,
       tokens_revoked_before = excluded.tokens_revoked_before, privacy = excluded.privacy, custom = excluded.custom`,
    row.id,
    row.name,
    row.name_words,
    row.image,
    row.role,
    row.language,
    row.invisible,
    row.banned,
    row.created_at,
    row.updated_at,
    row.last_active,
    row.deactivated_at,
    row.deleted_at,
    row.tokens_revoked_before,
    row.privacy,
    row.custom,
  )
}

export function touchLastActive(db: Db, id: string, at: number): void {
  db.run('UPDATE users SET last_active = ? WHERE id = ?', at, id)
}

/** Whether a user has signed in by themselves, or is an administrator. */
export function hasPeople(db: Db): boolean {
  const signedIn = "last_active IS NOT NULL AND role NOT IN ('guest', 'anonymous')"
  return db.get(`SELECT 1 FROM users WHERE role = 'admin' OR (${signedIn}) LIMIT 1`) !== undefined
}

export function countUsers(db: Db): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM users')?.n ?? 0
}
