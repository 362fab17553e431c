import type { EmojiRow } from '../rows.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import { type Reader, type Tx, fromJson, toJson } from '../store.ts'
import * as meta from '../meta.ts'

/** Custom emoji of the workspace, and in `meta` the server's rules for them. */
type Stored = { name: string; json: string; sum: number }

const ALL = 'SELECT * FROM emoji ORDER BY name'
const ONE = 'SELECT * FROM emoji WHERE name = ?'
const PUT = insertInto('emoji')
const REMOVE = 'DELETE FROM emoji WHERE name = ?'
const KEY = 'emoji'

export const all = (reader: Reader): readonly EmojiRow[] =>
  reader.db.all<Stored>(ALL).map((stored) => toRow(reader, stored))

export function byName(reader: Reader, name: string): EmojiRow | undefined {
  const stored = reader.db.get<Stored>(ONE, name)
  return stored && toRow(reader, stored)
}

const toRow = ({ db }: Reader, stored: Stored): EmojiRow => fromJson(db, checked(db, 'emoji', stored).json)

export function put(tx: Tx, row: EmojiRow): void {
  tx.db.run(PUT, ...summed('emoji', { name: row.name, json: toJson(row) }))
  tx.touch('emoji', row.name)
}

export function remove(tx: Tx, name: string): void {
  tx.db.run(REMOVE, name)
  tx.touch('emoji', name)
}

/** The server sent the whole list. */
export function replaceAll(tx: Tx, rows: readonly EmojiRow[]): void {
  const listed = new Set(rows.map(({ name }) => name))
  for (const { name } of all(tx)) if (!listed.has(name)) remove(tx, name)
  for (const row of rows) put(tx, row)
}

/** The server's rules for custom emoji. `version` is that of the cached list; absent: not cached completely. */
export type StoredTerms = {
  readonly can: readonly string[]
  readonly maxBytes: number
  readonly maxSide: number
  readonly maxCount: number
  readonly version?: string
}

/** `undefined`: this server has no custom emoji, or was not queried yet. */
export function terms(reader: Reader): StoredTerms | undefined {
  const stored = meta.get(reader, KEY)
  return stored ? fromJson<StoredTerms>(reader.db, stored) : undefined
}

export function setTerms(tx: Tx, next: StoredTerms | undefined): void {
  meta.set(tx, KEY, next === undefined ? '' : toJson(next))
  tx.touch('emojiTerms', 'self')
}
