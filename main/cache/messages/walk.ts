import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'
import type { Reader } from '../tx.ts'

/** What rules look at in a stored message. */
export type WalkedMessage = Placed & {
  readonly cid: Cid
  readonly userId: UserId
  readonly type: string
  readonly text: string
  readonly attachments: number
}

type Stored = {
  readonly id: string
  readonly cid: Cid
  readonly user_id: UserId
  readonly type: string
  readonly text: string
  readonly created_at: number
  readonly attachments: number
}

const COLUMNS = `id, cid, user_id, type, text, created_at,
  coalesce(json_array_length(json, '$.attachments'), 0) AS attachments`
const WALK_TIMELINE = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) < (?, ?) AND created_at >= ? ORDER BY created_at DESC, id DESC LIMIT ?`
const WALK_BESIDE = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 0
  AND (created_at, id) < (?, ?) AND created_at >= ? ORDER BY created_at DESC, id DESC LIMIT ?`

/** Messages of a channel before a place, newest first: those of its timeline, or its other replies. */
export function walk(
  reader: Reader,
  {
    cid,
    beside,
    before,
    since,
  }: { readonly cid: Cid; readonly beside: boolean; readonly before: Placed; readonly since: number },
  limit: number,
): readonly WalkedMessage[] {
  const sql = beside ? WALK_BESIDE : WALK_TIMELINE
  return reader.db
    .all<Stored>(sql, cid, before.createdAt, before.id, since, limit)
    .map(({ user_id, created_at, ...row }) => ({ ...row, userId: user_id, createdAt: created_at }))
}
