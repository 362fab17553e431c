import type { StorageUse } from '#shared/domain/search.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import { FIRST_DOC } from '../search/docs.ts'
import * as ranges from './ranges.ts'
import * as removal from './removal.ts'

/**
 * Eviction of old messages: after a number of days, or when the cache exceeds its disk budget. The oldest messages are
 * removed first, and the ranges record that there are (or may be) older messages: they are loaded from the server again
 * when needed.
 */
const COUNT = 'SELECT count(*) AS n, min(created_at) AS oldest FROM messages'
const OLDEST_DOCS = `SELECT m.id, m.cid, m.parent_id AS parentId, m.created_at AS createdAt FROM search_docs d
  CROSS JOIN messages m ON m.id = d.id WHERE d.doc < ${FIRST_DOC} AND m.cid NOT IN (SELECT value FROM json_each(?)) ORDER BY d.doc LIMIT ?`
const OLDEST_FRESH = `SELECT m.id, m.cid, m.parent_id AS parentId, m.created_at AS createdAt FROM search_fresh f
  CROSS JOIN messages m ON m.id = f.id WHERE f.created_at < ?
  AND m.cid NOT IN (SELECT value FROM json_each(?)) ORDER BY f.created_at LIMIT ?`
/** Rows that are not searchable (deleted ones) are evicted with their channel's timeline. */
const OLDEST_OF = `SELECT id, cid, parent_id AS parentId, created_at AS createdAt FROM messages
  WHERE cid = ? AND in_channel = 1 AND created_at < ? ORDER BY created_at, id LIMIT ?`
const CHANNELS = 'SELECT cid FROM channels WHERE cid NOT IN (SELECT value FROM json_each(?))'
const AGE_AT = `SELECT m.created_at AS createdAt FROM search_docs d CROSS JOIN messages m ON m.id = d.id
  ORDER BY d.doc LIMIT 1 OFFSET ?`

type Old = { readonly id: string; readonly cid: Cid; readonly parentId: string | null; readonly createdAt: number }

/** Bytes in use, not the file's size: freed pages are reused, or returned by {@link giveBack}. */
function usedBytes({ db }: Reader): number {
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) => Number(db.pragma(name)))
  return ((pages ?? 0) - (free ?? 0)) * (size ?? 0)
}

export function use(reader: Reader): StorageUse {
  const { n, oldest } = reader.db.get<{ n: number; oldest: number | null }>(COUNT) ?? { n: 0, oldest: null }
  return { usedBytes: usedBytes(reader), messages: n, oldestAt: oldest ?? undefined }
}

/**
 * Evicts up to `limit` messages older than `time`, except those of channels in `excluded` (they are on screen). Returns how
 * many; 0 if there are none left.
 */
export function forgetBefore(tx: Tx, time: number, limit: number, excluded: ReadonlySet<string>): number {
  const old = oldestBefore(tx, time, limit, JSON.stringify([...excluded]))
  const newest = new Map<RangeScope, number>()
  const saw = (scope: RangeScope, at: number): void =>
    void newest.set(scope, Math.max(at, newest.get(scope) ?? Number.MIN_SAFE_INTEGER))
  for (const { id, cid, parentId, createdAt } of old) {
    removal.drop(tx, id)
    saw(`timeline:${cid}`, createdAt)
    if (parentId !== null) saw(`thread:${parentId}`, createdAt)
  }
  for (const [scope, at] of newest) ranges.forget(tx, scope, at)
  return old.length
}

function oldestBefore(tx: Tx, time: number, limit: number, excluded: string): readonly Old[] {
  const searchable = [
    ...tx.db.all<Old>(OLDEST_DOCS, time, excluded, limit),
    ...tx.db.all<Old>(OLDEST_FRESH, time, excluded, limit),
  ]
  if (searchable.length > 0) return searchable.toSorted((a, b) => a.createdAt - b.createdAt).slice(0, limit)
  for (const { cid } of tx.db.all<{ cid: string }>(CHANNELS, excluded)) {
    const rest = tx.db.all<Old>(OLDEST_OF, cid, time, limit)
    if (rest.length > 0) return rest
  }
  return []
}

/**
 * The time before which messages must be evicted so that the cache fits its budget, or `undefined` if it fits. Assumes
 * messages of average size; the next check corrects it.
 */
export function timeForBudget(reader: Reader, budgetBytes: number): number | undefined {
  const used = usedBytes(reader)
  if (used <= budgetBytes) return undefined
  const { messages } = use(reader)
  const tooMany = Math.ceil(messages * (1 - (budgetBytes * AFTERWARDS) / used))
  return reader.db.get<{ createdAt: number }>(AGE_AT, Math.max(0, tooMany))?.createdAt
}

/** Evicts a bit more than necessary, so that not every message evicts another one. */
const AFTERWARDS = 0.9

/** Gives up to `pages` free pages back to the disk. Returns whether there are more. */
export function giveBack(reader: Reader, pages: number): boolean {
  const free = Number(reader.db.pragma('freelist_count'))
  if (free === 0 || reader.db.pragma('auto_vacuum') !== INCREMENTAL) return false
  // Not by `pragma`, which reads one row: each row frees one page.
  reader.db.guarded(() => reader.db.raw.pragma(`incremental_vacuum(${pages})`))
  return free > pages
}

const INCREMENTAL = 2
