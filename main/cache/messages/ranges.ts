import type { Placed } from '#shared/domain/message.ts'
import { isSame } from '#shared/lib/same.ts'
import {
  emptied,
  extendLatest,
  forgotten,
  latestRange,
  openEnded,
  mergePage,
  rangeAt,
  truncated,
  type PageQuery,
} from '#shared/rules/messages/message-ranges.ts'
import type { RangeRow, RangeScope } from '../rows.ts'
import type { CacheSql, Reader, Tx } from '../store.ts'
import { checked, insertInto, summed } from '../files/sums.ts'

/**
 * The ranges of each timeline and thread that are cached without gaps. The rules are in
 * `shared/rules/messages/message-ranges.ts`.
 */
type Stored = {
  scope: string
  first_at: number
  first_id: string
  last_at: number
  last_id: string
  has_prev: number
  has_next: number
  sum: number
}

const OF = 'SELECT * FROM ranges WHERE scope = ? ORDER BY first_at, first_id'
const OPEN_ENDED = 'SELECT DISTINCT scope FROM ranges WHERE has_next = 0'
const CLEAR = 'DELETE FROM ranges WHERE scope = ?'
const PUT = insertInto('ranges')

/** Ascending and disjoint. */
export function of(reader: Reader, scope: RangeScope): readonly RangeRow[] {
  return reader.db.memo.of(`ranges ${scope}`, () =>
    reader.db.all<Stored>(OF, scope).map((stored) => toRow(reader.db, stored)),
  )
}

/** The range known to reach the newest message. */
export const latest = (reader: Reader, scope: RangeScope): RangeRow | undefined => latestRange(of(reader, scope))

/** The range that contains this key. */
export const at = (reader: Reader, scope: RangeScope, key: Placed): RangeRow | undefined =>
  rangeAt(of(reader, scope), key)

/** Merges a loaded page. `items` ascending; `returned` counts unusable ones too. */
export function merge(
  tx: Tx,
  scope: RangeScope,
  query: PageQuery,
  items: readonly Placed[],
  requested: number,
  returned?: number,
): void {
  update(tx, scope, (ranges) => mergePage(ranges, query, items, requested, returned))
}

/** A live message over a healthy connection. */
export function extend(tx: Tx, scope: RangeScope, key: Placed): void {
  update(tx, scope, (ranges) => extendLatest(ranges, key))
}

/** The connection was lost: no range is known to reach the newest message. */
export function markOpenEnded(tx: Tx): void {
  const scopes = tx.db.all<{ scope: RangeScope }>(OPEN_ENDED)
  for (const { scope } of scopes) update(tx, scope, openEnded)
}

/** Everything before `time` was removed. */
export function truncate(tx: Tx, scope: RangeScope, time: number): void {
  update(tx, scope, (ranges) => truncated(ranges, time))
}

/** Everything up to `time` was evicted from the cache. */
export function forget(tx: Tx, scope: RangeScope, time: number): void {
  update(tx, scope, (ranges) => forgotten(ranges, time))
}

/** Everything in it was removed. */
export function empty(tx: Tx, scope: RangeScope): void {
  update(tx, scope, emptied)
}

/** Removes all ranges: nothing is known about the scope. */
export function clear(tx: Tx, scope: RangeScope): void {
  update(tx, scope, () => [])
}

function update(tx: Tx, scope: RangeScope, change: (ranges: readonly RangeRow[]) => readonly RangeRow[]): void {
  const before = of(tx, scope)
  const after = change(before)
  if (isSame(before, after)) return
  if (!haveSameStarts(before, after)) {
    tx.db.run(CLEAR, scope)
    for (const range of after) write(tx, scope, range)
  } else {
    for (const [index, range] of after.entries()) if (!isSame(before[index], range)) write(tx, scope, range)
  }
  tx.db.memo.put(`ranges ${scope}`, after)
  tx.touchWindow(scope)
  if (scope.startsWith('timeline:')) tx.touch('channels', scope.slice('timeline:'.length))
}

/** Whether the keys of the rows are equal: a message that only extends the newest range rewrites one row. */
const haveSameStarts = (a: readonly RangeRow[], b: readonly RangeRow[]): boolean =>
  a.length === b.length && a.every(({ first }, index) => isSame(first, b[index]?.first))

function write(tx: Tx, scope: RangeScope, { first, last, hasPrev, hasNext }: RangeRow): void {
  const ends = { first_at: first.createdAt, first_id: first.id, last_at: last.createdAt, last_id: last.id }
  tx.db.run(PUT, ...summed('ranges', { scope, ...ends, has_prev: Number(hasPrev), has_next: Number(hasNext) }))
}

function toRow(db: CacheSql, stored: Stored): RangeRow {
  checked(db, 'ranges', stored)
  return {
    first: { createdAt: stored.first_at, id: stored.first_id },
    last: { createdAt: stored.last_at, id: stored.last_id },
    hasPrev: stored.has_prev === 1,
    hasNext: stored.has_next === 1,
  }
}
