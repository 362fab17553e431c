import type { UserId } from '#shared/lib/brand.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { UserRow } from '../rows.ts'
import { type CacheSql, fromJson, toJson, type Reader, type Tx } from '../store.ts'
import { checked, summed, upsertInto } from '../files/sums.ts'

/** People and bots. A copy inside another object is a stub: it fills missing fields, and is as old as that object. */
type Stored = { id: string; name: string; updated_at: number; as_of: number; json: string; sum: number }
type Wanted = { wanted: string }

const BY_ID = 'SELECT * FROM users WHERE id = ?'
const BY_IDS = `SELECT u.*, wanted.value AS wanted FROM json_each(?) AS wanted JOIN users u ON u.id = wanted.value
  ORDER BY wanted.key`
const ALL = 'SELECT * FROM users ORDER BY name, id'
const STATUS_ENDS = `SELECT id FROM users WHERE json_extract(json, '$.statusUntil') IS NOT NULL`
const PUT = upsertInto('users', 'id')

export function byId(reader: Reader, id: UserId): UserRow | undefined {
  return reader.db.memo.of(`user ${id}`, () => {
    const stored = reader.db.get<Stored>(BY_ID, id)
    return stored && toRow(reader.db, stored, { id })
  })
}

/** In the order of `ids`; unknown ones are left out. */
export function byIds(reader: Reader, ids: readonly string[]): readonly UserRow[] {
  return reader.db
    .all<Stored & Wanted>(BY_IDS, JSON.stringify(ids))
    .map((stored) => toRow(reader.db, stored, { id: stored.wanted }))
}

export const all = (reader: Reader): readonly UserRow[] =>
  reader.db.all<Stored>(ALL).map((stored) => toRow(reader.db, stored))

/** Ids of those whose status ends by itself. */
export const statusEndIds = (reader: Reader): readonly string[] =>
  reader.db.all<{ id: string }>(STATUS_ENDS).map(({ id }) => id)

/** Profile by `updatedAt`, presence by `asOf`: each part has the newer of the two copies. */
export function put(tx: Tx, row: UserRow): void {
  const stored = byId(tx, row.id)
  // Most copies say nothing new.
  const isRepeated = stored !== undefined && row.asOf >= stored.asOf && isSame({ ...row, asOf: stored.asOf }, stored)
  if (isRepeated && minuteOf(row.asOf) === minuteOf(stored.asOf)) return tx.db.memo.put(`user ${row.id}`, row)
  const merged = stored ? mergeUser(stored, row) : row
  if (stored && isSame(stored, merged)) return
  if (stored && isSame(visible(stored), visible(merged))) {
    // Every event contains its author with a slightly later time: it is updated in memory, and written at most once a
    // minute.
    if (minuteOf(stored.asOf) === minuteOf(merged.asOf)) return tx.db.memo.put(`user ${merged.id}`, merged)
    return write(tx, merged)
  }
  write(tx, merged)
  tx.touch('users', merged.id)
}

const minuteOf = (time: number | undefined): number => Math.floor((time ?? 0) / 60_000)

export function putMany(tx: Tx, rows: readonly UserRow[]): void {
  for (const row of rows) put(tx, row)
}

/** The connection was lost: everyone is shown offline until the server reports otherwise. */
export function allOffline(tx: Tx): void {
  for (const row of all(tx)) {
    if (row.online !== true) continue
    write(tx, { ...row, online: false })
    tx.touch('users', row.id)
  }
}

function write(tx: Tx, row: UserRow): void {
  const { id, name, updatedAt, asOf, ...json } = row
  tx.db.run(PUT, ...summed('users', { id, name, updated_at: updatedAt, as_of: asOf, json: toJson(json) }))
  tx.db.memo.put(`user ${id}`, row)
}

function mergeUser(stored: UserRow, incoming: UserRow): UserRow {
  const profile = incoming.updatedAt >= stored.updatedAt ? incoming : stored
  const isLater = incoming.asOf >= stored.asOf
  const newer = isLater ? incoming : stored
  const older = isLater ? stored : incoming
  return {
    ...profile,
    online: newer.online ?? older.online,
    invisible: newer.invisible ?? older.invisible,
    lastActiveAt: latestOf(stored.lastActiveAt, incoming.lastActiveAt),
    banned: newer.banned,
    asOf: Math.max(stored.asOf, incoming.asOf),
  }
}

const latestOf = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)

/** Last activity changes with every request of a person: it is reported at most once a minute. */
function visible(row: UserRow): object {
  const { asOf: _asOf, lastActiveAt, ...others } = row
  return { ...others, activeMinute: minuteOf(lastActiveAt) }
}

function toRow(db: CacheSql, stored: Stored, lookupKey?: Partial<Stored>): UserRow {
  const { id, name, updated_at, as_of, json } = checked(db, 'users', stored, lookupKey)
  const others = fromJson<Omit<UserRow, keyof Stored>>(db, json)
  return { ...others, id: asUserId(id), name, updatedAt: updated_at, asOf: as_of }
}
