import type { Placed } from '#shared/lib/order.ts'
import type { RangeScope } from '../rows.ts'
import type { Reader } from '../tx.ts'
import { scopeKey } from './pages.ts'

/** Cached messages of others that mention the viewer, in the order of their list. */
const NAMES = `mentions_viewer = 1 AND user_id <> ? AND shadowed = 0 AND deleted_at IS NULL
  AND type NOT IN ('deleted', 'ephemeral', 'error') AND created_at >= ?`
const CHANNEL = 'SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1'
const THREAD = 'SELECT id, created_at FROM messages WHERE parent_id = ?'
const NEWER = `AND (created_at, id) > (?, ?) AND ${NAMES} ORDER BY created_at, id LIMIT 1`
const OLDER = `AND (created_at, id) < (?, ?) AND ${NAMES} ORDER BY created_at DESC, id DESC LIMIT 1`

export type Direction = 'older' | 'newer'

/** The nearest cached one, before or after `at`; none from before `floor`. */
export function nearest(
  reader: Reader,
  scope: RangeScope,
  at: Placed,
  direction: Direction,
  floor = Number.MIN_SAFE_INTEGER,
): Placed | undefined {
  const statement = `${scope.startsWith('thread:') ? THREAD : CHANNEL} ${direction === 'newer' ? NEWER : OLDER}`
  const binds = [scopeKey(scope), at.createdAt, at.id, reader.viewerId, floor]
  const found = reader.db.get<{ id: string; created_at: number }>(statement, ...binds)
  return found && { createdAt: found.created_at, id: found.id }
}
