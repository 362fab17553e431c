import type { MessageType } from '#shared/domain/message.ts'
import { type Cid, type MessageId, type UserId, asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import { isSame } from '#shared/lib/same.ts'
import type { MessageRow } from '../rows.ts'
import * as search from '../search/docs.ts'
import { bind, type CacheSql, fromJson, optional, toJson, type Reader, type Tx } from '../store.ts'
import type { Bind } from '#main/lib/sqlite/sql.ts'
import { checked, insertInto, storedValues, summed, update, upsertInto } from '../files/sums.ts'
import * as unread from '../channels/unread.ts'
import * as ends from './ends.ts'
import * as hours from './hours.ts'
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
const OF_AUTHOR = 'SELECT id FROM messages WHERE user_id = ?'
const OF_AUTHOR_IN = 'SELECT id FROM messages WHERE user_id = ? AND cid = ?'
const QUOTING = 'SELECT id FROM messages WHERE quoted_id = ?'
const QUOTING_ANY = `SELECT m.id FROM json_each(?) AS wanted CROSS JOIN messages m ON m.quoted_id = wanted.value`
const PINNED = `SELECT id FROM messages WHERE pinned = 1 AND cid = ? AND type <> 'deleted' ORDER BY pinned_at DESC, id DESC LIMIT ?`
const PINNED_COUNT = `SELECT count(*) AS n FROM messages WHERE pinned = 1 AND cid = ? AND type <> 'deleted'`
/** Whether there is any tombstone: most accounts have none. */
export const TOMBSTONES = 'tombstones'
const ANY_TOMBSTONE = 'SELECT 1 AS yes FROM tombstones LIMIT 1'
const TOMBSTONE = 'SELECT 1 AS yes FROM tombstones WHERE id = ?'
const PUT = upsertInto('messages', 'id')
const ADD = insertInto('messages', 'IGNORE')
const ERASE = 'DELETE FROM messages WHERE id = ?'

export const byId = (reader: Reader, id: string): MessageRow | undefined => keptById(reader, id)?.row

/** A message with the values of its columns in the file. */
type Kept = { readonly row: MessageRow; readonly values: readonly Bind[] }

function keptById({ db }: Reader, id: string): Kept | undefined {
  const recent = db.memo.recent.peek(id) as Kept | undefined
  if (recent) return recent
  const stored = db.get<Stored>(BY_ID, id)
  return stored && { row: toRow(db, stored, { id }), values: storedValues('messages', stored) }
}

/** Letters of the columns of a message that is worth remembering. */
const SHORT = 4_000

/** Most changes are about one of the last messages: a reaction, a correction, another reply. */
function remember({ db }: Tx, row: MessageRow, values: readonly Bind[]): void {
  let letters = 0
  for (const value of values) if (typeof value === 'string') letters += value.length
  if (letters <= SHORT) db.memo.recent.put(row.id, { row, values } satisfies Kept)
  else db.memo.recent.forget(row.id)
}

/** Removes the row of a message; what depends on it is up to `removal.ts`. */
export function erase(tx: Tx, row: MessageRow): void {
  tx.db.run(ERASE, row.id)
  tx.db.memo.recent.forget(row.id)
  noteWritten(tx, row, undefined)
}

/** In the order of `ids`; unknown ones are left out. */
export function byIds(reader: Reader, ids: readonly string[]): readonly MessageRow[] {
  return reader.db
    .all<Stored & Wanted>(BY_IDS, JSON.stringify(ids))
    .map((stored) => toRow(reader.db, stored, { id: stored.wanted }))
}

/** Messages of this author, in one channel or everywhere. */
export function idsBy(reader: Reader, userId: UserId, cid?: Cid): readonly MessageId[] {
  const { db } = reader
  const found =
    cid === undefined ? db.all<{ id: string }>(OF_AUTHOR, userId) : db.all<{ id: string }>(OF_AUTHOR_IN, userId, cid)
  return found.map(({ id }) => asMessageId(id))
}

/** Newest pin first. */
export function pinnedIds(reader: Reader, cid: Cid, limit = 100): readonly MessageId[] {
  return reader.db.all<{ id: string }>(PINNED, cid, limit).map((row) => asMessageId(row.id))
}

/** Asked after every message of a channel, most of which have no pin: remembered until one changes. */
export function pinnedCount({ db }: Reader, cid: Cid): number {
  return db.memo.of(pinsOf(cid), () => db.get<{ n: number }>(PINNED_COUNT, cid)?.n ?? 0)
}

const pinsOf = (cid: Cid): string => `pins ${cid}`

/** Keeps what is remembered of the channel true. */
function noteWritten(tx: Tx, before: MessageRow | undefined, now: MessageRow | undefined): void {
  for (const row of [before, now]) if (row?.pinned === true) tx.db.memo.forget(pinsOf(row.cid))
  ends.noteWritten(tx, before, now)
  hours.noteWritten(tx, before, now)
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
  const kept = keptById(tx, row.id)
  const stored = kept?.row
  const merged = stored ? mergeMessage(stored, row) : row
  if (stored && isSame(stored, merged)) return stored
  write(tx, merged, kept)
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
  if (isRemoved(tx, row.id) || tx.db.memo.recent.peek(row.id) !== undefined) return false
  const values = valuesOf(tx, row)
  if (tx.db.run(ADD, ...values) === 0) return false
  remember(tx, row, values)
  noteWritten(tx, undefined, row)
  unread.noteWritten(tx, undefined, row)
  search.changed(tx, undefined, row)
  touchMessage(tx, row)
  touchQuoting(tx, row)
  return true
}

/** Replaces the stored copy without comparing times. For deletions, which only remove content. */
export function replace(tx: Tx, row: MessageRow): void {
  const kept = keptById(tx, row.id)
  write(tx, row, kept)
  search.changed(tx, kept?.row, row)
  touchMessage(tx, row)
  touchQuoting(tx, row)
}

/** Looked for at the end of the transaction, for all of its messages at once: most are quoted by none. */
function touchQuoting(tx: Tx, { id }: MessageRow): void {
  const waiting = tx.db.waiting.of('quoting')
  if (waiting?.ids) return void waiting.ids.add(id)
  const ids = new Set([id])
  tx.db.waiting.put('quoting', { ids, run: () => touchQuotingAny(tx, [...ids]) })
}

function touchQuotingAny(tx: Tx, ids: readonly MessageId[]): void {
  const [first] = ids
  const quoting =
    ids.length === 1 && first !== undefined
      ? quotingIds(tx, first)
      : tx.db.all<{ id: string }>(QUOTING_ANY, JSON.stringify(ids)).map(({ id }) => id)
  for (const id of quoting) tx.touch('messages', id)
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

function write(tx: Tx, row: MessageRow, kept: Kept | undefined): void {
  noteWritten(tx, kept?.row, row)
  unread.noteWritten(tx, kept?.row, row)
  if (row.type === 'deleted') revisions.forget(tx, row.id)
  const values = valuesOf(tx, row)
  if (kept) update(tx.db, 'messages', kept.values, values, ['id', row.id])
  else tx.db.run(PUT, ...values)
  remember(tx, row, values)
}

/**
 * What a message is without in the `social` and the `json` column: most have none of it. Every letter there is written,
 * summed up, and parsed by several indexes.
 */
const PLAIN_SOCIAL = { reactionGroups: [], latestReactions: [], replyCount: 0, threadParticipantIds: [] }
const PLAIN_OTHERS = { showInChannel: false, attachments: [], mentionedUserIds: [], custom: {} }

const some = <Item>(list: readonly Item[]): readonly Item[] | undefined => (list.length === 0 ? undefined : list)

const NOTHING = toJson({})

function textOf(fields: Readonly<Record<string, unknown>>): string {
  for (const field in fields) if (fields[field] !== undefined) return toJson(fields)
  return NOTHING
}

const socialText = (row: MessageRow): string =>
  textOf({
    reactionGroups: some(row.reactionGroups),
    latestReactions: some(row.latestReactions),
    ownReactions: row.ownReactions,
    replyCount: row.replyCount === 0 ? undefined : row.replyCount,
    threadParticipantIds: some(row.threadParticipantIds),
  })

const othersText = (row: MessageRow): string =>
  textOf({
    showInChannel: row.showInChannel ? true : undefined,
    quoted: row.quoted,
    attachments: some(row.attachments),
    mentionedUserIds: some(row.mentionedUserIds),
    reach: row.reach,
    pollId: row.pollId,
    pinnedBy: row.pinnedBy,
    pinExpires: row.pinExpires,
    editedAt: row.editedAt,
    timeUnsure: row.timeUnsure,
    custom: Object.keys(row.custom).length === 0 ? undefined : row.custom,
  })

/** With the checksum at the end. */
function valuesOf(tx: Tx, row: MessageRow): readonly Bind[] {
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
    social: socialText(row),
    json: othersText(row),
  }
  return summed('messages', columns)
}

/** Either of the two columns: without what is plain. */
type Texts = Partial<Omit<MessageRow, keyof Stored>>

function toRow(db: CacheSql, stored: Stored, lookupKey: Partial<Stored>): MessageRow {
  checked(db, 'messages', stored, lookupKey)
  return {
    ...PLAIN_SOCIAL,
    ...fromJson<Texts>(db, stored.social),
    ...PLAIN_OTHERS,
    ...fromJson<Texts>(db, stored.json),
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
