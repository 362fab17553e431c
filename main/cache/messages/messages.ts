import type { MessageType } from '#shared/domain/message.ts'
import { type Cid, type MessageId, asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import { isSame } from '#shared/lib/same.ts'
import type { MessageRow } from '../rows.ts'
import * as search from '../search/docs.ts'
import { bind, type CacheSql, fromJson, optional, toJson } from '../sql.ts'
import type { Bind } from '#main/lib/sqlite/sql.ts'
import { checked, insertInto, summed, upsertInto } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'
import * as unreadCounts from '../channels/unread-counts.ts'
import * as revisions from './revisions.ts'

/** Channels in which the viewer may ban, and their role. */
const MODERATES = `SELECT 1 FROM users WHERE id = ? AND json ->> 'role' IN ('admin', 'moderator')
  UNION ALL SELECT 1 FROM channels c, json_each(c.json, '$.capabilities') each
  WHERE c.cid = ? AND each.value = 'ban-channel-members' LIMIT 1`

/** Time of a message's latest content change: edits, pins and deletions, not reactions and replies. */
const contentVersion = (row: MessageRow): number =>
  Math.max(row.updatedAt, row.createdAt, row.editedAt ?? 0, row.deletedAt ?? 0)

/**
 * The newest server time that a copy's reactions are known to include. A response is at least as new as its request; a
 * later reaction in it proves more.
 */
const socialVersion = (row: MessageRow): number =>
  Math.max(
    row.asOf,
    ...row.reactionGroups.map(({ lastAt }) => lastAt),
    ...row.latestReactions.map(({ createdAt }) => createdAt),
  )

/** The copy with the reliable time if one of them is unreliable, otherwise the most recent one. */
function timedBy(stored: MessageRow, incoming: MessageRow): MessageRow | undefined {
  if (stored.timeUnsure !== true && incoming.timeUnsure !== true) return undefined
  return incoming.timeUnsure === true && stored.timeUnsure !== true ? stored : incoming
}

/**
 * Merges two copies of one message: the content of the copy with newer content, the reactions and replies of the copy
 * with the later server time. On a tie the incoming copy wins. Fields missing in the incoming copy (own reactions in a
 * broadcast) keep their values.
 */
export function mergeMessage(stored: MessageRow, incoming: MessageRow): MessageRow {
  const content = contentVersion(incoming) >= contentVersion(stored) ? incoming : stored
  const social = socialVersion(incoming) >= socialVersion(stored) ? incoming : stored
  const timed = timedBy(stored, incoming) ?? content
  return {
    ...content,
    createdAt: timed.createdAt,
    timeUnsure: timed.timeUnsure,
    quoted: content.quoted ?? stored.quoted,
    reactionGroups: social.reactionGroups,
    latestReactions: social.latestReactions,
    ownReactions: social.ownReactions ?? stored.ownReactions ?? incoming.ownReactions,
    replyCount: social.replyCount,
    threadParticipantIds: social.threadParticipantIds,
    asOf: Math.max(stored.asOf, incoming.asOf),
  }
}

/**
 * Message facts. Pages are read in `pages.ts`, unread messages counted in `unread.ts`, messages removed in
 * `removal.ts`. `social` contains what changes without an edit (reactions, replies) and has a separate version.
 */
type Stored = {
  id: string
  cid: string
  user_id: string
  type: string
  text: string
  parent_id: string | null
  quoted_id: string | null
  pinned: number
  pinned_at: number | null
  silent: number
  shadowed: number
  created_at: number
  updated_at: number
  deleted_at: number | null
  as_of: number
  social: string
  json: string
  sum: number
}
type Wanted = { wanted: string }

const BY_ID = 'SELECT * FROM messages WHERE id = ?'
const BY_IDS = `SELECT m.*, wanted.value AS wanted FROM json_each(?) AS wanted
  JOIN messages m ON m.id = wanted.value ORDER BY wanted.key`
const ONLY_HERE = `SELECT m.id FROM json_each(?) AS wanted JOIN messages m ON m.id = wanted.value
  WHERE m.type IN ('ephemeral', 'error')`
const QUOTING = 'SELECT id FROM messages WHERE quoted_id = ?'
const PINNED = `SELECT id FROM messages WHERE pinned = 1 AND cid = ? AND type <> 'deleted' ORDER BY pinned_at DESC, id DESC LIMIT ?`
const PINNED_COUNT = `SELECT count(*) AS n FROM messages WHERE pinned = 1 AND cid = ? AND type <> 'deleted'`
/** Whether there is any tombstone: most accounts have none. */
export const TOMBSTONES = 'tombstones'
const ANY_TOMBSTONE = 'SELECT 1 AS yes FROM tombstones LIMIT 1'
const TOMBSTONE = 'SELECT 1 AS yes FROM tombstones WHERE id = ?'
const PUT = upsertInto('messages', 'id')
const ADD = insertInto('messages', 'IGNORE')

export function byId(reader: Reader, id: string): MessageRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, id)
  return stored && toRow(reader.db, stored, { id })
}

/** In the order of `ids`; unknown ones are left out. */
export function byIds(reader: Reader, ids: readonly string[]): readonly MessageRow[] {
  return reader.db
    .all<Stored & Wanted>(BY_IDS, JSON.stringify(ids))
    .map((stored) => toRow(reader.db, stored, { id: stored.wanted }))
}

/** Newest pin first. */
export function pinnedIds(reader: Reader, cid: Cid, limit = 100): readonly MessageId[] {
  return reader.db.all<{ id: string }>(PINNED, cid, limit).map((row) => asMessageId(row.id))
}

export function pinnedCount(reader: Reader, cid: Cid): number {
  return reader.db.get<{ n: number }>(PINNED_COUNT, cid)?.n ?? 0
}

/** Those that only the viewer can see: responses of commands, errors of the server. */
export function seenByNoOneElse(reader: Reader, ids: readonly string[]): ReadonlySet<string> {
  return new Set(reader.db.all<{ id: string }>(ONLY_HERE, JSON.stringify(ids)).map(({ id }) => id))
}

/** Messages that quote this one: their quotes are rendered from it. */
export function quotingIds(reader: Reader, id: MessageId): readonly MessageId[] {
  return reader.db.all<{ id: string }>(QUOTING, id).map((row) => asMessageId(row.id))
}

/** Whether this message was hard-deleted: late copies of it are ignored. */
const isRemoved = (reader: Reader, id: string): boolean =>
  reader.db.memo.of(TOMBSTONES, () => reader.db.get(ANY_TOMBSTONE) !== undefined) &&
  reader.db.get(TOMBSTONE, id) !== undefined

/**
 * Writes what is newer in `row` and preserves what is newer in the cache. Returns the current row, or `undefined` if
 * the message was hard-deleted. Nothing is touched if nothing changed.
 */
export function put(tx: Tx, row: MessageRow): MessageRow | undefined {
  if (isRemoved(tx, row.id)) return undefined
  const stored = byId(tx, row.id)
  const merged = stored ? mergeMessage(stored, row) : row
  if (stored && isSame(stored, merged)) return stored
  write(tx, merged, stored)
  if (stored) revisions.note(tx, stored, merged)
  search.changed(tx, stored, merged)
  // The same content at a later time: stored, but not reported as a change.
  if (stored && isSame({ ...stored, asOf: merged.asOf }, merged)) return merged
  touchMessage(tx, merged)
  if (!stored || stored.text !== merged.text || stored.type !== merged.type) touchQuoting(tx, merged)
  return merged
}

/** Like {@link put} for one that is most likely not cached, without reading first. False, and nothing written, if it is. */
export function add(tx: Tx, row: MessageRow): boolean {
  if (isRemoved(tx, row.id) || tx.db.run(ADD, ...columnsOf(tx, row)) === 0) return false
  unreadCounts.written(tx, undefined, row)
  search.changed(tx, undefined, row)
  touchMessage(tx, row)
  touchQuoting(tx, row)
  return true
}

/** Replaces the stored copy without comparing times. For deletions, which only remove content. */
export function replace(tx: Tx, row: MessageRow): void {
  const stored = byId(tx, row.id)
  write(tx, row, stored)
  search.changed(tx, stored, row)
  touchMessage(tx, row)
  touchQuoting(tx, row)
}

function touchQuoting(tx: Tx, { id }: MessageRow): void {
  for (const quoting of quotingIds(tx, id)) tx.touch('messages', quoting)
}

/** Touches everything that may be displayed differently when this message changes. */
export function touchMessage(tx: Tx, row: Pick<MessageRow, 'id' | 'cid' | 'parentId' | 'showInChannel'>): void {
  tx.touch('messages', row.id)
  tx.touch('channels', row.cid)
  tx.touchWindow(`pinned:${row.cid}`)
  if (row.parentId === undefined || row.showInChannel) tx.touchWindow(`timeline:${row.cid}`)
  if (row.parentId !== undefined) {
    tx.touchWindow(`thread:${row.parentId}`)
    tx.touch('messages', row.parentId)
  }
}

/** A message that is hidden from others: its author sees it, and so do those who moderate the channel. */
export function seesShadowed(reader: Reader, { userId, cid }: Pick<MessageRow, 'userId' | 'cid'>): boolean {
  return userId === reader.viewerId || reader.db.get(MODERATES, reader.viewerId, cid) !== undefined
}

/** In the channel's timeline: not a thread-only reply, and not a message that is shadowed for the viewer. */
export function isInChannel(row: MessageRow, reader: Reader): boolean {
  if (row.shadowed && !seesShadowed(reader, row)) return false
  return row.parentId === undefined || row.showInChannel
}

function write(tx: Tx, row: MessageRow, stored: MessageRow | undefined): void {
  unreadCounts.written(tx, stored, row)
  if (row.type === 'deleted') revisions.forget(tx, row.id)
  tx.db.run(PUT, ...columnsOf(tx, row))
}

function columnsOf(tx: Tx, row: MessageRow): readonly Bind[] {
  const { showInChannel, quoted, attachments, mentionedUserIds, reach, pollId, pinnedBy, pinExpires } = row
  const { editedAt, timeUnsure, custom } = row
  const { reactionGroups, latestReactions, ownReactions, replyCount, threadParticipantIds } = row
  const social = { reactionGroups, latestReactions, ownReactions, replyCount, threadParticipantIds }
  const others = { pollId, pinnedBy, pinExpires, editedAt, timeUnsure, custom }
  const columns = {
    id: row.id,
    cid: row.cid,
    user_id: row.userId,
    type: row.type,
    text: row.text,
    parent_id: row.parentId,
    in_channel: bind(isInChannel(row, tx)),
    quoted_id: row.quotedId,
    pinned: bind(row.pinned),
    pinned_at: row.pinnedAt,
    silent: bind(row.silent),
    shadowed: bind(row.shadowed),
    mentions_viewer: bind(isNamed(row, tx.viewerId)),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: row.deletedAt,
    as_of: row.asOf,
    social: toJson(social),
    json: toJson({ showInChannel, quoted, attachments, mentionedUserIds, reach, ...others }),
  }
  return summed('messages', columns)
}

function toRow(db: CacheSql, stored: Stored, lookupKey: Partial<Stored>): MessageRow {
  checked(db, 'messages', stored, lookupKey)
  return {
    ...fromJson<Omit<MessageRow, keyof Stored>>(db, stored.social),
    ...fromJson<Omit<MessageRow, keyof Stored>>(db, stored.json),
    id: asMessageId(stored.id),
    cid: asCid(stored.cid),
    userId: asUserId(stored.user_id),
    type: stored.type as MessageType,
    text: stored.text,
    parentId: stored.parent_id === null ? undefined : asMessageId(stored.parent_id),
    quotedId: stored.quoted_id === null ? undefined : asMessageId(stored.quoted_id),
    pinned: stored.pinned === 1,
    pinnedAt: optional(stored.pinned_at),
    silent: stored.silent === 1,
    shadowed: stored.shadowed === 1,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    deletedAt: optional(stored.deleted_at),
    asOf: stored.as_of,
  }
}
