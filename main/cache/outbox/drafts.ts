import type { Cid } from '#shared/lib/brand.ts'
import { crc32 } from 'node:zlib'
import type { DraftRow } from '../rows.ts'
import { type CacheSql, fromJson, toJson } from '../sql.ts'
import { checked, sumOf } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

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
