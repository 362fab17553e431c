import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { checked, sumOf } from '../files/sums.ts'
import { type Reader, type Tx, optional } from '../store.ts'

/** A read mark on this device only. In `outbox.db`: no server has it, and it must survive a rebuild of the cache. */
export type LocalRead = {
  readonly cid: Cid
  readonly threadId: MessageId | undefined
  /** Everything at or before it counts as read. Server time. */
  readonly readAt: number
  readonly upTo: MessageId | undefined
  /** Marked unread from here, by hand. */
  readonly firstUnreadId: MessageId | undefined
  /** When it was made: server time. */
  readonly at: number
  /** The server refused it: it overrides the server's own mark. */
  readonly refused?: true
}

type Stored = {
  readonly cid: string
  readonly thread_id: string
  readonly read_at: number
  readonly up_to: string | null
  readonly first_unread_id: string | null
  readonly at: number
  /** Absent in a file of an older schema. */
  readonly refused?: number
  readonly sum?: number | null
}

const ALL = 'SELECT * FROM kept_reads'
const BY_KEY = 'SELECT * FROM kept_reads WHERE key = ?'
const PUT = `INSERT OR REPLACE INTO kept_reads (key, cid, thread_id, read_at, up_to, first_unread_id, at, refused, sum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** By channel, or by channel and thread (`composerKey`): few rows, read often. */
export const all = (reader: Reader): ReadonlyMap<string, LocalRead> =>
  reader.db.memo.of(
    'kept reads',
    () =>
      new Map(
        reader.db
          .all<Stored>(ALL)
          .map((row) => toRow(checked(reader.db, 'kept_reads', row)))
          .map((row) => [keyOf(row), row]),
      ),
  )

export const of = (reader: Reader, cid: Cid, threadId?: MessageId): LocalRead | undefined =>
  all(reader).get(composerKey(cid, threadId))

/** Reads from the file: for salvage, where some rows may be unreadable. */
export function byKey(reader: Reader, key: string): LocalRead | undefined {
  const stored = reader.db.get<Stored>(BY_KEY, key)
  return stored && toRow(checked(reader.db, 'kept_reads', stored))
}

export function put(tx: Tx, row: LocalRead): void {
  const { cid, threadId, readAt, upTo, firstUnreadId, at, refused } = row
  const [up_to, first_unread_id] = [upTo ?? null, firstUnreadId ?? null]
  const stored = {
    cid,
    thread_id: threadId ?? '',
    read_at: readAt,
    up_to,
    first_unread_id,
    at,
    refused: refused ? 1 : 0,
  }
  const sum = sumOf('kept_reads', { key: keyOf(row), ...stored })
  tx.db.run(PUT, keyOf(row), cid, stored.thread_id, readAt, up_to, first_unread_id, at, stored.refused, sum)
  tx.db.memo.forget('kept reads')
  tx.touch('reads', cid)
  tx.touch('channels', cid)
  if (threadId === undefined) return
  tx.touch('messages', threadId)
  tx.touch('inbox', 'self')
  tx.touchWindow('threads')
}

export const keyOf = ({ cid, threadId }: Pick<LocalRead, 'cid' | 'threadId'>): string => composerKey(cid, threadId)

const toRow = (stored: Stored): LocalRead => ({
  cid: asCid(stored.cid),
  threadId: stored.thread_id === '' ? undefined : asMessageId(stored.thread_id),
  readAt: stored.read_at,
  upTo: idOf(stored.up_to),
  firstUnreadId: idOf(stored.first_unread_id),
  at: stored.at,
  ...(stored.refused === 1 ? { refused: true } : {}),
})

const idOf = (stored: string | null): MessageId | undefined => {
  const id = optional(stored)
  return id === undefined ? undefined : asMessageId(id)
}
