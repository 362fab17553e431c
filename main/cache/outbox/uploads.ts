import { crc32 } from 'node:zlib'
import type { UploadRow } from '../rows.ts'
import { type CacheSql, fromJson, toJson, type Reader, type Tx } from '../store.ts'
import { checked, sumOf } from '../files/sums.ts'

/** Files in the staging folder, to be uploaded or sent. Progress is not stored, only in memory. */
type Stored = {
  id: string
  cid: string
  message_id: string | null
  staged_bytes: number
  created_at: number
  json: string
  crc: number
  sum?: number | null
}

const ALL = 'SELECT * FROM uploads ORDER BY created_at, id'
const BY_ID = 'SELECT * FROM uploads WHERE id = ?'
const BY_IDS = 'SELECT u.* FROM json_each(?) AS wanted JOIN uploads u ON u.id = wanted.value ORDER BY wanted.key'
const STAGED = 'SELECT coalesce(sum(staged_bytes), 0) AS n FROM uploads'
const ANNOUNCED = `SELECT coalesce(sum(max(staged_bytes, coalesce(json ->> 'sizeBytes', 0))), 0) AS n FROM uploads
  WHERE json ->> 'state' <> 'blocked' OR json ->> 'renamable'`
const PUT = `INSERT OR REPLACE INTO uploads (id, cid, message_id, staged_bytes, created_at, json, crc, sum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const REMOVE = 'DELETE FROM uploads WHERE id = ?'

export const all = (reader: Reader): readonly UploadRow[] =>
  reader.db.all<Stored>(ALL).map((stored) => toRow(reader.db, stored))

export function byId(reader: Reader, id: string): UploadRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, id)
  return stored && toRow(reader.db, stored)
}

/** In the order of `ids`; unknown ones are left out. */
export const byIds = (reader: Reader, ids: readonly string[]): readonly UploadRow[] =>
  reader.db.all<Stored>(BY_IDS, JSON.stringify(ids)).map((stored) => toRow(reader.db, stored))

/** Bytes in the staging folder according to the database. */
export const stagedBytes = (reader: Reader): number => reader.db.get<{ n: number }>(STAGED)?.n ?? 0

/** Including files that are still being copied: the reserved disk space. */
export const announcedBytes = (reader: Reader): number => reader.db.get<{ n: number }>(ANNOUNCED)?.n ?? 0

export function put(tx: Tx, row: UploadRow): void {
  const { id, cid, messageId, stagedBytes, createdAt } = row
  const json = toJson(row)
  const message_id = messageId ?? null
  const sum = sumOf('uploads', { id, cid, message_id, staged_bytes: stagedBytes, created_at: createdAt, json })
  tx.db.run(PUT, id, cid, message_id, stagedBytes, createdAt, json, crc32(json), sum)
  touchUpload(tx, row)
}

/** Changes some fields; returns the current row, or `undefined` if it was removed. */
export function change(tx: Tx, id: string, changes: Partial<Omit<UploadRow, 'id' | 'cid'>>): UploadRow | undefined {
  const row = byId(tx, id)
  if (!row) return undefined
  const changed = { ...row, ...changes }
  put(tx, changed)
  return changed
}

export function remove(tx: Tx, id: string): UploadRow | undefined {
  const row = byId(tx, id)
  if (!row) return undefined
  tx.db.run(REMOVE, id)
  touchUpload(tx, row)
  return row
}

function touchUpload(tx: Tx, row: UploadRow): void {
  tx.touch('uploads', row.id)
  if (row.messageId !== undefined) tx.touch('messages', row.messageId)
}

function toRow(db: CacheSql, stored: Stored): UploadRow {
  const { json, crc } = checked(db, 'uploads', stored)
  if (crc !== crc32(json)) throw db.damaged()
  return fromJson<UploadRow>(db, json)
}
