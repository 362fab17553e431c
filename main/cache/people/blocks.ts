import type { UserId } from '#shared/lib/brand.ts'
import { asUserId } from '#shared/lib/brand.ts'
import type { RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as members from '../channels/members.ts'
import * as mutes from './mutes.ts'
import * as ranges from '../messages/ranges.ts'
import * as removal from '../messages/removal.ts'

/**
 * The effect of blocks on the cache. The server omits messages of a blocked person, so they are removed here too; when
 * the block ends, cached ranges of shared channels may have gaps. See docs/wire.md 8.14.
 */
const WRITTEN_BY = 'SELECT id FROM messages WHERE user_id = ?'
const THREADS_OF = `SELECT r.scope FROM messages m JOIN ranges r ON r.scope = 'thread:' || m.id
  WHERE m.cid = ? AND m.in_channel = 1 GROUP BY r.scope`

/** Returns whether the set of blocked people changed. */
export function changed(tx: Tx, before: ReadonlySet<string>): boolean {
  const now = new Set(mutes.of(tx, 'block').map(({ target }) => target))
  const begun = [...now].filter((id) => !before.has(id))
  const ended = [...before].filter((id) => !now.has(id))
  for (const id of begun) hide(tx, asUserId(id))
  for (const id of ended) show(tx, asUserId(id))
  return begun.length + ended.length > 0
}

export const blockedIds = (reader: Reader): ReadonlySet<string> =>
  new Set(mutes.of(reader, 'block').map(({ target }) => target))

function hide(tx: Tx, userId: UserId): void {
  for (const { id } of tx.db.all<{ id: string }>(WRITTEN_BY, userId)) removal.drop(tx, id)
}

function show(tx: Tx, userId: UserId): void {
  for (const { cid, memberCount = Infinity } of channels.all(tx)) {
    // Only some members of a large channel are cached.
    if (!members.one(tx, cid, userId) && memberCount <= members.count(tx, cid)) continue
    ranges.clear(tx, `timeline:${cid}`)
    for (const { scope } of tx.db.all<{ scope: RangeScope }>(THREADS_OF, cid)) ranges.clear(tx, scope)
  }
}
