import type { Cid, UserId } from '#shared/lib/brand.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { countsAsUnread } from '#shared/rules/channels/unread.ts'
import type { MessageType } from '#shared/domain/message.ts'
import type { MessageRow } from '../rows.ts'
import * as search from '../search/docs.ts'
import type { Reader, Tx } from '../store.ts'
import * as messages from './messages.ts'
import * as ranges from './ranges.ts'
import * as unread from '../channels/unread.ts'

/** Removing messages. A tombstone prevents a late copy of a hard-deleted message from being stored again. */
const TOMBSTONE = `INSERT OR REPLACE INTO tombstones (id, cid, created_at, removed_at, counted) VALUES (?, ?, ?, ?, ?)`
const QUOTES = 'SELECT id FROM messages WHERE quoted_id IS NOT NULL'
const BEFORE = `SELECT id FROM messages WHERE cid = ? AND in_channel = 1 AND created_at < ?
  UNION ALL SELECT id FROM messages WHERE cid = ? AND in_channel = 0 AND created_at < ?`
const ALL = `SELECT id FROM messages WHERE cid = ? AND in_channel = 1
  UNION ALL SELECT id FROM messages WHERE cid = ? AND in_channel = 0`
const THREADS = `SELECT DISTINCT substr(scope, 8) AS id FROM ranges WHERE scope LIKE 'thread:%'`
const PRUNE = 'DELETE FROM tombstones WHERE removed_at < ?'

/**
 * Hard deletion (`hard_delete`). `row` is the copy in the event, used if the message is not cached; `at` is the event's
 * time.
 */
export function removeForGood(tx: Tx, row: MessageRow, at: number): void {
  const known = messages.byId(tx, row.id) ?? row
  const context = { viewerId: tx.viewerId, lastReadAt: Number.MIN_SAFE_INTEGER, mutedUserIds: new Set<string>() }
  // The event's copy is already of type `deleted`: what matters is whether it counted before.
  const before = known.type === 'deleted' ? { ...known, type: 'regular' as const, deletedAt: undefined } : known
  const counted = known.type === 'deleted' && known !== row ? false : countsAsUnread(before, context)
  tx.db.run(TOMBSTONE, row.id, known.cid, known.createdAt, at, Number(counted))
  tx.db.memo.forget(messages.TOMBSTONES)
  messages.erase(tx, known)
  afterRemoval(tx, known)
}

/** Removes a message that a loaded page should contain but does not; it may be stored again. */
export function drop(tx: Tx, id: string): void {
  const known = messages.byId(tx, id)
  if (!known) return
  messages.erase(tx, known)
  afterRemoval(tx, known)
}

/** All messages of a user, in one channel or everywhere, and quotes of them. See docs/wire.md 7.7. */
export function deleteOfUser(tx: Tx, userId: UserId, options: { cid?: Cid; hard: boolean; at: number }): void {
  const { cid, hard, at } = options
  for (const id of messages.idsBy(tx, userId, cid)) {
    const row = messages.byId(tx, id)
    if (row) messages.replace(tx, hard ? withoutQuote(hardDeleted(row, at)) : softDeleted(row, at))
  }
  for (const row of quotesOf(tx, userId, cid)) {
    const quoted = row.quoted && { ...row.quoted, deleted: true, attachments: [], text: hard ? '' : row.quoted.text }
    messages.replace(tx, { ...row, quoted })
  }
}

/** The channel was truncated: everything before `before` is removed; everything, if it is absent. */
export function truncate(tx: Tx, cid: Cid, before?: number): void {
  const found =
    before === undefined
      ? tx.db.all<{ id: string }>(ALL, cid, cid)
      : tx.db.all<{ id: string }>(BEFORE, cid, before, cid, before)
  const parents = new Set<string>()
  for (const { id } of found) {
    const row = messages.byId(tx, id)
    if (row?.parentId !== undefined) parents.add(row.parentId)
    parents.add(id)
    drop(tx, id)
  }
  const scope = `timeline:${cid}` as const
  if (before === undefined) ranges.empty(tx, scope)
  else ranges.truncate(tx, scope, before)
  for (const { id } of tx.db.all<{ id: string }>(THREADS)) {
    if (!parents.has(id)) continue
    if (before === undefined) ranges.empty(tx, `thread:${id}`)
    else ranges.truncate(tx, `thread:${id}`, before)
  }
  tx.touch('channels', cid)
}

/** Removes tombstones older than `time`: no event that old is replayed. */
export function pruneTombstones(tx: Tx, time: number): number {
  return tx.db.run(PRUNE, time)
}

function afterRemoval(tx: Tx, row: MessageRow): void {
  unread.forgetCount(tx, row.cid)
  search.removed(tx, row)
  messages.touchMessage(tx, row)
  for (const quoting of messages.quotingIds(tx, asMessageId(row.id))) tx.touch('messages', quoting)
}

function quotesOf(reader: Reader, userId: UserId, cid?: Cid): readonly MessageRow[] {
  const ids = reader.db.all<{ id: string }>(QUOTES).map((row) => row.id)
  return messages
    .byIds(reader, ids)
    .filter((row) => row.quoted?.userId === userId && (cid === undefined || row.cid === cid))
}

const withoutQuote = (row: MessageRow): MessageRow => ({
  ...row,
  quotedId: undefined,
  quoted: undefined,
  pollId: undefined,
  pinned: false,
  pinnedAt: undefined,
})

/** The fields a deletion reads and changes; the rows of both the cache and the server have them. */
type Deletable = {
  readonly type: MessageType
  readonly text: string
  readonly attachments: readonly unknown[]
  readonly deletedAt?: number
}

/** Soft deletion: the fields remain, the attachments are removed. See docs/wire.md 7.7. */
function softDeleted<Row extends Deletable>(row: Row, deletedAt: number): Row {
  if (row.type === 'deleted') return row
  return { ...row, type: 'deleted', attachments: [], deletedAt }
}

/** The fields of a message that a hard deletion clears. */
type HardDeletable = Deletable & {
  readonly mentionedUserIds: readonly unknown[]
  readonly reach?: readonly unknown[]
  readonly latestReactions: readonly unknown[]
  readonly reactionGroups: readonly unknown[]
  readonly ownReactions?: readonly unknown[]
}

/**
 * Hard deletion, when a user is removed: only the position of the message remains (id, channel, parent, author, times,
 * replies). See docs/wire.md 7.7.
 */
function hardDeleted<Row extends HardDeletable>(row: Row, deletedAt: number): Row {
  if (row.type === 'deleted' && row.text === '') return row
  return {
    ...row,
    type: 'deleted',
    text: '',
    attachments: [],
    mentionedUserIds: [],
    reach: undefined,
    latestReactions: [],
    reactionGroups: [],
    ownReactions: [],
    deletedAt,
  }
}
