import { type Cid, asCid, asMessageId } from '#shared/lib/brand.ts'
import { crc32 } from 'node:zlib'
import type { DraftRow } from '../rows.ts'
import { type CacheSql, fromJson, toJson, type Reader, type Tx } from '../store.ts'
import { checked, sumOf } from '../files/sums.ts'
import type { DraftVersion } from '#shared/domain/draft.ts'
import { DRAFT_HISTORY_DAYS, nextVersion, MAX_DRAFT_VERSIONS } from '#shared/rules/composer/composer.ts'

/** Unsent text, one row per composer. In `outbox.db`, so that it survives a rebuild of the cache. */
type Stored = { key: string; cid: string; updated_at: number; json: string; crc: number; sum?: number | null }

const ALL = 'SELECT * FROM drafts ORDER BY updated_at, key'
const BY_KEY = 'SELECT * FROM drafts WHERE key = ?'
const OF_CHANNEL = 'SELECT * FROM drafts WHERE cid = ? ORDER BY key'
const PUT = 'INSERT OR REPLACE INTO drafts (key, cid, updated_at, json, crc, sum) VALUES (?, ?, ?, ?, ?, ?)'
const REMOVE = 'DELETE FROM drafts WHERE key = ?'

export const all = (reader: Reader): readonly DraftRow[] =>
  reader.db.all<Stored>(ALL).map((stored) => toRow(reader.db, stored))

export function byKey(reader: Reader, key: string): DraftRow | undefined {
  return reader.db.memo.of(`draft ${key}`, () => {
    const stored = reader.db.get<Stored>(BY_KEY, key)
    return stored && toRow(reader.db, stored)
  })
}

/** The channel's own and those of its threads. */
export const ofChannel = (reader: Reader, cid: Cid): readonly DraftRow[] =>
  reader.db.all<Stored>(OF_CHANNEL, cid).map((stored) => toRow(reader.db, stored))

export function put(tx: Tx, row: DraftRow): void {
  const { key, cid, updatedAt } = row
  const json = toJson(row)
  tx.db.run(PUT, key, cid, updatedAt, json, crc32(json), sumOf('drafts', { key, cid, updated_at: updatedAt, json }))
  tx.db.memo.put(`draft ${row.key}`, row)
  tx.touch('drafts', row.key)
  tx.touch('channels', row.cid)
}

export function remove(tx: Tx, key: string): DraftRow | undefined {
  const row = byKey(tx, key)
  if (!row) return undefined
  tx.db.run(REMOVE, key)
  tx.db.memo.forget(`draft ${key}`)
  tx.touch('drafts', key)
  tx.touch('channels', row.cid)
  return row
}

function toRow(db: CacheSql, stored: Stored): DraftRow {
  const { json, crc } = checked(db, 'drafts', stored)
  if (crc !== crc32(json)) throw db.damaged()
  return fromJson<DraftRow>(db, json)
}

/**
 * Versions of a composer's text, in `outbox.db` like the draft itself. The newest version often equals the current
 * draft.
 */
export type StoredVersion = {
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

const EVERY_VERSION = 'SELECT * FROM draft_history'
const VERSION_BY_ID = 'SELECT * FROM draft_history WHERE id = ?'
const PUT_VERSION = `INSERT OR REPLACE INTO draft_history (id, key, cid, parent_id, began_at, at, text, sum, summed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const LATEST_VERSION = 'SELECT * FROM draft_history WHERE key = ? ORDER BY id DESC LIMIT 1'
const VERSIONS_OF_KEY = 'SELECT * FROM draft_history WHERE key = ? AND at > ? ORDER BY id DESC LIMIT ?'
const ALL_VERSIONS = 'SELECT * FROM draft_history WHERE at > ? ORDER BY at DESC, id DESC LIMIT ?'
const NEXT_VERSION_ID = `SELECT coalesce(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'draft_history'`
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
export function versions(reader: Reader, now: number, key?: string): readonly DraftVersion[] {
  const rows =
    key === undefined
      ? reader.db.all<StoredVersion>(ALL_VERSIONS, oldest(now), LISTED)
      : reader.db.all<StoredVersion>(VERSIONS_OF_KEY, key, oldest(now), LISTED)
  return rows
    .map((stored) => intactVersion(reader.db, stored))
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
export function noteVersion(tx: Tx, { key, cid, parentId, edit, ...row }: DraftRow, now: number): void {
  const text = edit?.text ?? row.text
  const last = tx.db.get<StoredVersion>(LATEST_VERSION, key)
  const how = nextVersion(last && { text: last.text, beganAt: last.began_at }, text, now)
  if (how === 'grow' && last) restoreVersion(tx, { ...last, text, at: now })
  if (how === 'add') {
    // A text that was restored is one version, at its new position.
    tx.db.run(FORGET_SAME, key, text)
    const id = tx.db.get<{ id: number }>(NEXT_VERSION_ID)?.id ?? 1
    restoreVersion(tx, { id, key, cid, parent_id: parentId ?? null, began_at: now, at: now, text })
    tx.db.run(THIN, key, key, MAX_DRAFT_VERSIONS)
    tx.db.run(FORGET_OLD, oldest(now))
  }
}

/** This text was sent: its versions and their prefixes are no longer needed. */
export function sent(tx: Tx, key: string, text: string): void {
  for (const { id, text: version } of tx.db.all<StoredVersion>(VERSIONS_OF_KEY, key, 0, MAX_DRAFT_VERSIONS)) {
    if (text.startsWith(version.trim())) tx.db.run(FORGET, id)
  }
}

/** A version as stored in the file. For salvage. */
export function versionById(reader: Reader, id: string): StoredVersion | undefined {
  const stored = reader.db.get<StoredVersion>(VERSION_BY_ID, Number(id))
  return stored && intactVersion(reader.db, stored)
}

/** Every version as stored in the file. */
export const allVersions = (reader: Reader): readonly StoredVersion[] =>
  reader.db.all<StoredVersion>(EVERY_VERSION).map((stored) => intactVersion(reader.db, stored))

/** Writes a version with its own id. */
export function restoreVersion(tx: Tx, { id, key, cid, parent_id, began_at, at, text }: StoredVersion): void {
  const sum = sumOf('draft_history', { id, key, cid, parent_id, began_at, at, text })
  tx.db.run(PUT_VERSION, id, key, cid, parent_id, began_at, at, text, sum, at)
}

function intactVersion(db: CacheSql, stored: StoredVersion): StoredVersion {
  const { summed_at, ...row } = stored
  return summed_at === row.at ? checked(db, 'draft_history', row) : row
}

export const forgetVersions = (tx: Tx): void => void tx.db.run(FORGET_ALL)
