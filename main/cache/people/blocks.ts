import type { UserId } from '#shared/lib/brand.ts'
import { asUserId } from '#shared/lib/brand.ts'
import type { RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as members from '../channels/members.ts'
import * as mutes from './mutes.ts'
import * as messages from '../messages/messages.ts'
import * as ranges from '../messages/ranges.ts'
import * as removal from '../messages/removal.ts'

/**
 * The effect of blocks on the cache. The server omits messages of a blocked person, so they are removed here too; when
 * the block ends, cached ranges of shared channels may have gaps. See docs/wire.md 8.14.
 */
/** By the threads that are cached, which are few, and not by the messages of their channels. */
const THREADS_OF = `SELECT DISTINCT r.scope FROM ranges r CROSS JOIN messages m ON m.id = substr(r.scope, 8)
  WHERE r.scope >= 'thread:' AND r.scope < 'thread;' AND m.cid IN (SELECT value FROM json_each(?))`

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
  for (const id of messages.idsBy(tx, userId)) removal.drop(tx, id)
}

function show(tx: Tx, userId: UserId): void {
  // Only some members of a large channel are cached.
  const shared = channels
    .all(tx)
    .filter(({ cid, memberCount = Infinity }) => members.one(tx, cid, userId) || memberCount > members.count(tx, cid))
    .map(({ cid }) => cid)
  for (const cid of shared) ranges.clear(tx, `timeline:${cid}`)
  for (const { scope } of tx.db.all<{ scope: RangeScope }>(THREADS_OF, JSON.stringify(shared))) ranges.clear(tx, scope)
}
