import { checked, upsertInto, summed } from './files/sums.ts'
import type { MetaRow } from './rows.ts'
import type { Reader, Tx } from './store.ts'
import type { WindowKey } from '#shared/domain/changes.ts'

/** Metadata of the store and of synchronization. */
type Stored = MetaRow & { readonly sum?: number | null }

const GET = 'SELECT * FROM meta WHERE key = ?'
const ALL = 'SELECT * FROM meta'
const PUT = upsertInto('meta', 'key')
const NEWEST = 'newest-server-time'
/** In the memo: it depends on two rows. */
const NEWEST_OF_BOTH = 'newest of both'
/**
 * Server time up to which every event is known. Only events of an unbroken, caught-up connection and completed
 * synchronizations move it: a response over HTTP may be ahead of events that were never received.
 */
const HEARD = 'heard-until'

/** Events may arrive slightly out of order: repeated requests overlap by this. */
export const CURSOR_OVERLAP_MS = 5_000

export const get = (reader: Reader, key: string): string | undefined =>
  reader.db.memo.of(`meta ${key}`, () => byKey(reader, key)?.value)

/** Reads from the file: for salvage, where some rows may be unreadable. */
export function byKey({ db }: Reader, key: string): MetaRow | undefined {
  const stored = db.get<Stored>(GET, key)
  return stored && checked(db, 'meta', stored)
}

export const all = ({ db }: Reader): readonly MetaRow[] =>
  db.all<Stored>(ALL).map((stored) => checked(db, 'meta', stored))

export function set(tx: Tx, key: string, value: string): void {
  tx.db.run(PUT, ...summed('meta', { key, value }))
  tx.db.memo.put(`meta ${key}`, value)
  tx.db.memo.forget(NEWEST_OF_BOTH)
}

/** Newest server time seen anywhere; 0 before the first. Never the local clock. Asked several times for each event. */
export const newestServerTime = (reader: Reader): number =>
  reader.db.memo.of(NEWEST_OF_BOTH, () => Math.max(Number(get(reader, NEWEST) ?? 0), heardUntil(reader) ?? 0))

/** One that {@link hear} has stored is not stored again: live events are of both kinds. */
export function sawServerTime(tx: Tx, time: number): void {
  if (time > newestServerTime(tx)) set(tx, NEWEST, String(time))
}

/** Absent at first. */
export function heardUntil(reader: Reader): number | undefined {
  const value = get(reader, HEARD)
  return value === undefined ? undefined : Number(value)
}

export function hear(tx: Tx, time: number): void {
  if (time > (heardUntil(tx) ?? 0)) set(tx, HEARD, String(time))
}

/**
 * Records which complete lists the server has returned since this file was created. Without that, an empty list may
 * simply not be loaded. For messages the ranges provide this.
 */
const nameOf = (key: WindowKey): string => `answered ${key}`

export const hasAnswered = (reader: Reader, key: WindowKey): boolean => get(reader, nameOf(key)) !== undefined

export function noteAnswered(tx: Tx, key: WindowKey): void {
  if (hasAnswered(tx, key)) return
  set(tx, nameOf(key), '1')
  tx.touchWindow(key)
}
