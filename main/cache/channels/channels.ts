import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { asCid } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { ChannelRow } from '../rows.ts'
import * as search from '../search/docs.ts'
import { bind, type CacheSql, fromJson, optional, toJson, type Reader, type Tx } from '../store.ts'
import { checked, upsertInto, summed } from '../files/sums.ts'
import * as members from './members.ts'

/** Channel facts. Membership, pins and archiving are in `members`, mutes in `mutes`. */
type Stored = {
  cid: string
  type: string
  hidden: number
  hide_before: number | null
  last_message_at: number | null
  reads: number
  updated_at: number
  as_of: number
  json: string
  sum: number
}

const BY_CID = 'SELECT * FROM channels WHERE cid = ?'
const ALL = 'SELECT * FROM channels ORDER BY cid'
const AFTER = 'SELECT cid FROM channels WHERE cid > ? ORDER BY cid LIMIT 1'
const PUT = upsertInto('channels', 'cid')
const REMOVE = [
  'DELETE FROM channels WHERE cid = ?',
  'DELETE FROM members WHERE cid = ?',
  'DELETE FROM reads WHERE cid = ?',
  `DELETE FROM ranges WHERE scope = 'timeline:' || ?`,
  `DELETE FROM ranges WHERE scope IN (
    SELECT 'thread:' || parent_id FROM messages WHERE cid = ? AND in_channel = 0 AND parent_id IS NOT NULL)`,
  `DELETE FROM ranges WHERE scope IN (
    SELECT 'thread:' || parent_id FROM messages WHERE cid = ? AND in_channel = 1 AND parent_id IS NOT NULL)`,
  'DELETE FROM tombstones WHERE cid = ?',
  'DELETE FROM thread_titles WHERE cid = ?',
]
const MESSAGE_IDS = `SELECT id, created_at AS createdAt FROM messages WHERE cid = ? AND in_channel = 1
  UNION ALL SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 0`
const REMOVE_MESSAGES = [
  'DELETE FROM messages WHERE cid = ? AND in_channel = 1',
  'DELETE FROM messages WHERE cid = ? AND in_channel = 0',
]

export function byCid(reader: Reader, cid: string): ChannelRow | undefined {
  return reader.db.memo.of(`channel ${cid}`, () => {
    const stored = reader.db.get<Stored>(BY_CID, cid)
    return stored && toRow(reader.db, stored, { cid })
  })
}

/** The next channel by its cid; absent: the first. */
export const cidAfter = (reader: Reader, cid = ''): Cid | undefined => reader.db.get<{ cid: Cid }>(AFTER, cid)?.cid

export function all(reader: Reader): readonly ChannelRow[] {
  const rows = reader.db.all<Stored>(ALL).map((stored) => toRow(reader.db, stored))
  for (const row of rows) reader.db.memo.put(`channel ${row.cid}`, row)
  return rows
}

/**
 * Cids of the channels the viewer is a member of (a guest: all cached ones) and has not hidden, newest message first.
 * Sections and pins are up to the caller. The order is cached in the memo, where the channels that messages have moved
 * since wait for the next reader: an account may have 10,000, and a transaction hundreds of messages.
 */
export function listedCids(reader: Reader): readonly Cid[] {
  const { memo } = reader.db
  const held = memo.of<Listed>(members.LISTED, () => ({ cids: sortedCids(reader), moved: new Set() }))
  if (held.moved.size === 0) return held.cids
  const cids = withMoved(reader, held)
  memo.put(members.LISTED, { cids, moved: new Set() } satisfies Listed)
  return cids
}

/** `moved` grows in place: copied for each channel of a transaction, it would take the square of them. */
type Listed = { readonly cids: readonly Cid[]; readonly moved: Set<Cid> }

function sortedCids(reader: Reader): readonly Cid[] {
  const rows = reader.isGuest
    ? all(reader)
    : members.cidsOf(reader, reader.viewerId).flatMap((cid) => byCid(reader, cid) ?? [])
  return rows
    .filter((row) => row.hidden !== true)
    .toSorted(compareListed)
    .map((row) => row.cid)
}

/** The moved channels are sorted among themselves, and each comes before the first that is older: most come first. */
function withMoved(reader: Reader, { cids, moved }: Listed): readonly Cid[] {
  const rows = cids.flatMap((cid) => (moved.has(cid) ? (byCid(reader, cid) ?? []) : [])).toSorted(compareListed)
  const merged = cids.filter((cid) => !moved.has(cid))
  let at = 0
  for (const row of rows) {
    while (at < merged.length && !isBelow(reader, merged[at], row)) at += 1
    merged.splice(at, 0, row.cid)
    at += 1
  }
  return merged
}

const isBelow = (reader: Reader, cid: Cid | undefined, row: ChannelRow): boolean => {
  const other = byCid(reader, cid ?? '')
  return other !== undefined && compareListed(row, other) < 0
}

/** Whether {@link listedCids} includes it. */
export const isListed = (reader: Reader, cid: Cid): boolean => {
  const row = byCid(reader, cid)
  if (row === undefined || row.hidden === true) return false
  return reader.isGuest === true || members.own(reader, cid) !== undefined
}

const compareListed = (a: ChannelRow, b: ChannelRow): number =>
  (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0) || (a.cid < b.cid ? -1 : 1)

/** A channel got a newer message: it moves up, most often to the top. */
const moveListed = (tx: Tx, { cid }: ChannelRow): void =>
  void (tx.db.memo.peek(members.LISTED) as Listed | undefined)?.moved.add(cid)

/** Writes what is newer; fields missing in a broadcast copy (capabilities, config, hidden) keep their values. */
export function put(tx: Tx, row: ChannelRow): ChannelRow {
  const stored = byCid(tx, row.cid)
  const merged = stored ? mergeChannel(stored, row) : row
  if (stored && isSame(stored, merged)) return stored
  write(tx, merged)
  if (changesListing(stored, merged)) tx.db.memo.forget(members.LISTED)
  // The same facts at a later time: stored, but not reported as a change.
  const { asOf, capabilitiesAsOf } = merged
  if (!stored || !isSame({ ...stored, asOf, capabilitiesAsOf }, merged)) touchChannel(tx, merged.cid)
  return merged
}

/** A message arrived: the channel moves up. Whether system messages do is up to the caller. */
export function sawMessage(tx: Tx, cid: Cid, createdAt: number): void {
  const known = byCid(tx, cid)
  if (!known || (known.lastMessageAt ?? -1) >= createdAt) return
  const row = { ...known, lastMessageAt: createdAt }
  texts.set(row, textOf(known))
  write(tx, row)
  moveListed(tx, row)
  touchChannel(tx, cid)
}

/** Sets fields that only the viewer's own events contain. `hideBefore` hides the history before it. */
export function patch(
  tx: Tx,
  cid: Cid,
  change: Partial<Pick<ChannelRow, 'hidden' | 'hideBefore' | 'blocked' | 'frozen' | 'truncatedAt' | 'lastMessageAt'>>,
): void {
  const stored = byCid(tx, cid)
  if (!stored) return
  const changed = { ...stored, ...change }
  if (isSame(stored, changed)) return
  write(tx, changed)
  if (changesListing(stored, changed)) tx.db.memo.forget(members.LISTED)
  touchChannel(tx, cid)
}

/** Removes a channel with everything that belongs to it. The outbox is unaffected. */
export function remove(tx: Tx, cid: Cid): void {
  const held = tx.db.all<{ id: MessageId; createdAt: number }>(MESSAGE_IDS, cid, cid)
  for (const message of held) search.removed(tx, message)
  for (const statement of REMOVE) tx.db.run(statement, cid)
  for (const statement of REMOVE_MESSAGES) tx.db.run(statement, cid)
  tx.db.memo.clear()
  for (const { id } of held) tx.touch('messages', id)
  touchChannel(tx, cid)
  tx.touch('reads', cid)
  tx.touchWindow(`timeline:${cid}`)
  tx.touchWindow(`pinned:${cid}`)
}

function mergeChannel(stored: ChannelRow, incoming: ChannelRow): ChannelRow {
  const isLater = incoming.asOf >= stored.asOf
  const newer = isLater ? incoming : stored
  const older = isLater ? stored : incoming
  return {
    ...newer,
    ...latestRights(older, newer),
    config: newer.config ?? older.config,
    memberCount: newer.memberCount ?? older.memberCount,
    hidden: newer.hidden ?? older.hidden,
    hideBefore: latestOf(stored.hideBefore, incoming.hideBefore),
    blocked: newer.blocked ?? older.blocked,
    truncatedAt: latestOf(stored.truncatedAt, incoming.truncatedAt),
    truncatedById: newer.truncatedById ?? older.truncatedById,
    lastMessageAt: latestOf(stored.lastMessageAt, incoming.lastMessageAt),
  }
}

/** An event may be newer than a response that was requested because of it: only responses contain capabilities. */
function latestRights(older: ChannelRow, newer: ChannelRow): Pick<ChannelRow, 'capabilities' | 'capabilitiesAsOf'> {
  const at = ({ capabilities, capabilitiesAsOf, asOf }: ChannelRow): number =>
    capabilities === undefined ? -1 : (capabilitiesAsOf ?? asOf)
  const { capabilities, capabilitiesAsOf } = at(newer) >= at(older) ? newer : older
  return { capabilities, capabilitiesAsOf }
}

const latestOf = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)

/** The viewer has unread counts here: capabilities unknown, or including `read-events`. See docs/wire.md 7.5. */
const countsReads = (row: ChannelRow): boolean =>
  row.capabilities === undefined || row.capabilities.includes('read-events')

/** The `json` column of rows: most of a row, and the same for every message that moves its channel. */
const texts = new WeakMap<ChannelRow, string>()

/** What has a column of its own is not in the text as well. */
const OF_COLUMNS: { readonly [Field in keyof ChannelRow]?: undefined } = {
  cid: undefined,
  type: undefined,
  hidden: undefined,
  hideBefore: undefined,
  lastMessageAt: undefined,
  updatedAt: undefined,
  asOf: undefined,
}

function textOf(row: ChannelRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = toJson({ ...row, ...OF_COLUMNS })
  texts.set(row, text)
  return text
}

function write(tx: Tx, row: ChannelRow): void {
  const key = `channel ${row.cid}`
  tx.db.memo.put(key, row)
  tx.write(key, () => tx.db.run(PUT, ...summed('channels', columnsOf(row))))
}

const columnsOf = (row: ChannelRow) => ({
  cid: row.cid,
  type: row.type,
  hidden: bind(row.hidden === true),
  hide_before: row.hideBefore,
  last_message_at: row.lastMessageAt,
  reads: bind(countsReads(row)),
  updated_at: row.updatedAt,
  as_of: row.asOf,
  json: textOf(row),
})

const changesListing = (stored: ChannelRow | undefined, row: ChannelRow): boolean =>
  stored === undefined || row.hidden !== stored.hidden || row.lastMessageAt !== stored.lastMessageAt

function touchChannel(tx: Tx, cid: Cid): void {
  tx.touch('channels', cid)
  tx.touchWindow('channels')
}

function toRow(db: CacheSql, stored: Stored, lookupKey?: Partial<Stored>): ChannelRow {
  checked(db, 'channels', stored, lookupKey)
  return {
    ...fromJson<Omit<ChannelRow, keyof Stored>>(db, stored.json),
    cid: asCid(stored.cid),
    type: stored.type,
    hidden: stored.hidden === 1,
    hideBefore: optional(stored.hide_before),
    lastMessageAt: optional(stored.last_message_at),
    updatedAt: stored.updated_at,
    asOf: stored.as_of,
  }
}
