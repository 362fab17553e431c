import type { DraftVersion } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { DRAFT_HISTORY_DAYS, nextVersion, MAX_DRAFT_VERSIONS } from '#shared/rules/composer/composer.ts'
import type { DraftRow } from '../rows.ts'
import type { CacheSql } from '../sql.ts'
import { checked, sumOf } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * Versions of a composer's text, in `outbox.db` like the draft itself. The newest version often equals the current
 * draft.
 */
type Stored = {
  readonly id: number
  readonly key: string
  readonly cid: string
  readonly parent_id: string | null
  readonly began_at: number
  readonly at: number
  readonly text: string
  readonly sum?: number | null
  /** `at` when `sum` was computed: a version without checksums may have changed the row since. */
  readonly summed_at?: number | null
}

export type StoredVersion = Stored

const EVERY = 'SELECT * FROM draft_history'
const BY_ID = 'SELECT * FROM draft_history WHERE id = ?'
const RESTORE = `INSERT OR REPLACE INTO draft_history (id, key, cid, parent_id, began_at, at, text, sum, summed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const LATEST = 'SELECT * FROM draft_history WHERE key = ? ORDER BY id DESC LIMIT 1'
const OF_KEY = 'SELECT * FROM draft_history WHERE key = ? AND at > ? ORDER BY id DESC LIMIT ?'
const ALL = 'SELECT * FROM draft_history WHERE at > ? ORDER BY at DESC, id DESC LIMIT ?'
const NEXT_ID = `SELECT coalesce(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'draft_history'`
const FORGET_OLD = 'DELETE FROM draft_history WHERE at <= ?'
const FORGET_ALL = 'DELETE FROM draft_history'
const FORGET_SAME = 'DELETE FROM draft_history WHERE key = ? AND text = ?'
const FORGET = 'DELETE FROM draft_history WHERE id = ?'
const THIN = `DELETE FROM draft_history WHERE key = ? AND id NOT IN
  (SELECT id FROM draft_history WHERE key = ? ORDER BY id DESC LIMIT ?)`

const DAY = 24 * 3_600_000
const LISTED = 200
const oldest = (now: number): number => now - DRAFT_HISTORY_DAYS * DAY

/** Versions of one composer, or of all; newest first. */
export function list(reader: Reader, now: number, key?: string): readonly DraftVersion[] {
  const rows =
    key === undefined
      ? reader.db.all<Stored>(ALL, oldest(now), LISTED)
      : reader.db.all<Stored>(OF_KEY, key, oldest(now), LISTED)
  return rows
    .map((stored) => intact(reader.db, stored))
    .map((row) => ({
      id: row.id,
      key: row.key,
      cid: asCid(row.cid),
      parentId: row.parent_id === null ? undefined : asMessageId(row.parent_id),
      text: row.text,
      at: row.at,
    }))
}

/**
 * Records the composer's current text: that of the edit, if a message is being edited. Expired versions are removed.
 */
export function note(tx: Tx, { key, cid, parentId, edit, ...row }: DraftRow, now: number): void {
  const text = edit?.text ?? row.text
  const last = tx.db.get<Stored>(LATEST, key)
  const how = nextVersion(last && { text: last.text, beganAt: last.began_at }, text, now)
  if (how === 'grow' && last) restore(tx, { ...last, text, at: now })
  if (how === 'add') {
    // A text that was restored is one version, at its new position.
    tx.db.run(FORGET_SAME, key, text)
    const id = tx.db.get<{ id: number }>(NEXT_ID)?.id ?? 1
    restore(tx, { id, key, cid, parent_id: parentId ?? null, began_at: now, at: now, text })
    tx.db.run(THIN, key, key, MAX_DRAFT_VERSIONS)
    tx.db.run(FORGET_OLD, oldest(now))
  }
}

/** This text was sent: its versions and their prefixes are no longer needed. */
export function sent(tx: Tx, key: string, text: string): void {
  for (const { id, text: version } of tx.db.all<Stored>(OF_KEY, key, 0, MAX_DRAFT_VERSIONS)) {
    if (text.startsWith(version.trim())) tx.db.run(FORGET, id)
  }
}

/** A version as stored in the file. For salvage. */
export function storedById(reader: Reader, id: string): StoredVersion | undefined {
  const stored = reader.db.get<Stored>(BY_ID, Number(id))
  return stored && intact(reader.db, stored)
}

/** Every version as stored in the file. */
export const allStored = (reader: Reader): readonly StoredVersion[] =>
  reader.db.all<Stored>(EVERY).map((stored) => intact(reader.db, stored))

/** Writes a version with its own id. */
export function restore(tx: Tx, { id, key, cid, parent_id, began_at, at, text }: StoredVersion): void {
  const sum = sumOf('draft_history', { id, key, cid, parent_id, began_at, at, text })
  tx.db.run(RESTORE, id, key, cid, parent_id, began_at, at, text, sum, at)
}

function intact(db: CacheSql, stored: Stored): Stored {
  const { summed_at, ...row } = stored
  return summed_at === row.at ? checked(db, 'draft_history', row) : row
}

export const forgetAll = (tx: Tx): void => void tx.db.run(FORGET_ALL)
