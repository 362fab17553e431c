import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { checked, sumOf } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * Threads followed or unfollowed by hand. In `outbox.db`: no server stores them, and they must survive a rebuild of the
 * cache.
 */
export type ThreadFollow = {
  readonly parentId: MessageId
  readonly cid: Cid
  readonly follows: boolean
  /** When it was chosen: server time. */
  readonly at: number
}

type Stored = {
  readonly parent_id: string
  readonly cid: string
  readonly follows: number
  readonly at: number
  readonly sum?: number | null
}

const ALL = 'SELECT * FROM thread_follows'
const BY_PARENT = 'SELECT * FROM thread_follows WHERE parent_id = ?'
const PUT = 'INSERT OR REPLACE INTO thread_follows (parent_id, cid, follows, at, sum) VALUES (?, ?, ?, ?, ?)'

/** By thread: a few dozen, read once. */
export const all = (reader: Reader): ReadonlyMap<string, ThreadFollow> =>
  reader.db.memo.of(
    'thread follows',
    () =>
      new Map(
        reader.db.all<Stored>(ALL).map((row) => [row.parent_id, toRow(checked(reader.db, 'thread_follows', row))]),
      ),
  )

/** Reads from the file: for salvage, where some rows may be unreadable. */
export function byParent(reader: Reader, parentId: string): ThreadFollow | undefined {
  const stored = reader.db.get<Stored>(BY_PARENT, parentId)
  return stored && toRow(checked(reader.db, 'thread_follows', stored))
}

export function put(tx: Tx, { parentId, cid, follows, at }: ThreadFollow): void {
  const stored: Stored = { parent_id: parentId, cid, follows: Number(follows), at }
  tx.db.run(PUT, parentId, cid, stored.follows, at, sumOf('thread_follows', stored))
  tx.db.memo.forget('thread follows')
  tx.touch('messages', parentId)
  tx.touch('inbox', 'self')
  tx.touchWindow('threads')
}

const toRow = (stored: Stored): ThreadFollow => ({
  parentId: asMessageId(stored.parent_id),
  cid: asCid(stored.cid),
  follows: stored.follows === 1,
  at: stored.at,
})
