import type { MemberEntry } from '#shared/domain/channel.ts'
import { type Cid, type UserId, asCid, asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { MemberRow } from '../rows.ts'
import { type CacheSql, fromJson, optional, toJson, type Reader, type Tx } from '../store.ts'
import { checked, upsertInto, summed } from '../files/sums.ts'

/** Channel members. The viewer's own row determines whether the channel is listed, pinned or archived. */
type Stored = {
  cid: string
  user_id: string
  pinned_at: number | null
  archived_at: number | null
  created_at: number
  updated_at: number
  as_of: number
  json: string
  sum: number
}

type Listed = {
  userId: string
  joinedAt: number
  lastReadAt: number | null
  channelRole: string | null
  banned: number | null
  shadowBanned: number | null
  invited: number | null
}

const ONE = 'SELECT * FROM members WHERE cid = ? AND user_id = ?'
const OF = 'SELECT * FROM members WHERE cid = ? ORDER BY created_at, user_id LIMIT ?'
/** A large channel may have ten thousand rows: only the fields of a list are read. */
const MEMBERS_OF_CHANNEL = `SELECT m.user_id AS userId, m.created_at AS joinedAt, r.last_read_at AS lastReadAt,
  m.json ->> 'channelRole' AS channelRole, m.json ->> 'banned' AS banned,
  m.json ->> 'shadowBanned' AS shadowBanned, m.json ->> 'invited' AS invited
  FROM members m LEFT JOIN reads r ON r.cid = m.cid AND r.thread_id = '' AND r.user_id = m.user_id
  WHERE m.cid = ? ORDER BY m.created_at, m.user_id`
const IN_EACH = `SELECT m.cid, m.user_id AS userId FROM json_each(?) AS wanted CROSS JOIN members m ON m.cid = wanted.value`
const COUNT = 'SELECT count(*) AS n FROM members WHERE cid = ?'
const CHANNELS_OF = 'SELECT cid FROM members WHERE user_id = ? ORDER BY cid'
const PUT = upsertInto('members', 'cid, user_id')
/** Memo key of the order of the viewer's channels (`channels.ts`). */
export const LISTED = 'listed'
/** Number of members that {@link firstIds} returns. */
const FIRST = 30
const REMOVE = 'DELETE FROM members WHERE cid = ? AND user_id = ?'

export function one(reader: Reader, cid: Cid, userId: UserId): MemberRow | undefined {
  return reader.db.memo.of(`member ${cid} ${userId}`, () => {
    const stored = reader.db.get<Stored>(ONE, cid, userId)
    return stored && toRow(reader.db, stored, { cid, user_id: userId })
  })
}

/** The viewer's own row; absent if not a member. */
export const own = (reader: Reader, cid: Cid): MemberRow | undefined => one(reader, cid, reader.viewerId)

/** The first members by join time: the people of a direct conversation, and the faces of a channel. */
export function firstIds(reader: Reader, cid: Cid): readonly UserId[] {
  return reader.db.memo.of(`members ${cid}`, () => of(reader, cid, FIRST).map((row) => row.userId))
}

/** Oldest membership first. */
export function of(reader: Reader, cid: Cid, limit = 1_000): readonly MemberRow[] {
  return reader.db.all<Stored>(OF, cid, limit).map((stored) => toRow(reader.db, stored, { cid }))
}

/** All cached members with their read marks; oldest membership first. */
export function members(reader: Reader, cid: Cid): readonly MemberEntry[] {
  return reader.db.all<Listed>(MEMBERS_OF_CHANNEL, cid).map((row) => ({
    userId: asUserId(row.userId),
    channelRole: row.channelRole ?? 'channel_member',
    joinedAt: row.joinedAt,
    lastReadAt: row.lastReadAt ?? undefined,
    banned: row.banned === 1,
    shadowBanned: row.shadowBanned === 1,
    invited: row.invited === 1,
  }))
}

/** Everyone in each of these channels, which have few members. */
export function inEach(reader: Reader, cids: readonly Cid[]): ReadonlyMap<string, readonly UserId[]> {
  const found = new Map<string, UserId[]>()
  for (const { cid, userId } of reader.db.all<{ cid: string; userId: string }>(IN_EACH, JSON.stringify(cids))) {
    const known = found.get(cid)
    if (known === undefined) found.set(cid, [asUserId(userId)])
    else known.push(asUserId(userId))
  }
  return found
}

/** Number of cached members; the channel's `memberCount` is the server's. */
export const count = (reader: Reader, cid: Cid): number => reader.db.get<{ n: number }>(COUNT, cid)?.n ?? 0

export function cidsOf(reader: Reader, userId: UserId): readonly Cid[] {
  return reader.db.memo.of(`channels of ${userId}`, () =>
    reader.db.all<{ cid: string }>(CHANNELS_OF, userId).map((row) => asCid(row.cid)),
  )
}

export function put(tx: Tx, row: MemberRow): void {
  const stored = one(tx, row.cid, row.userId)
  if (stored && stored.asOf > row.asOf) return
  if (stored && isSame(stored, row)) return
  const isKnown = stored !== undefined && isSame({ ...stored, asOf: row.asOf }, row)
  // Each list of channels repeats its members: a later time alone is remembered, and written at most once an hour.
  if (isKnown && hourOf(stored.asOf) === hourOf(row.asOf)) return remember(tx, row)
  const { cid, userId, pinnedAt, archivedAt, createdAt, updatedAt, asOf, ...json } = row
  const times = {
    pinned_at: pinnedAt,
    archived_at: archivedAt,
    created_at: createdAt,
    updated_at: updatedAt,
    as_of: asOf,
  }
  tx.db.run(PUT, ...summed('members', { cid, user_id: userId, ...times, json: toJson(json) }))
  if (!isKnown) forget(tx, cid, userId)
  remember(tx, row)
  if (isKnown) return
  touchMember(tx, cid, userId)
}

const hourOf = (time: number): number => Math.floor(time / 3_600_000)

const remember = (tx: Tx, row: MemberRow): void => tx.db.memo.put(`member ${row.cid} ${row.userId}`, row)

export function putMany(tx: Tx, rows: readonly MemberRow[]): void {
  for (const row of rows) put(tx, row)
}

/** The response contained all members of the channel: the others have left. */
export function replaceAll(tx: Tx, cid: Cid, rows: readonly MemberRow[]): void {
  const listed = new Set(rows.map((row) => row.userId))
  const first = firstIds(tx, cid)
  const stored = first.length < FIRST ? first : of(tx, cid).map((row) => row.userId)
  for (const userId of stored) if (!listed.has(userId)) remove(tx, cid, userId)
  putMany(tx, rows)
}

export function remove(tx: Tx, cid: Cid, userId: UserId): void {
  if (tx.db.run(REMOVE, cid, userId) === 0) return
  forget(tx, cid, userId)
  touchMember(tx, cid, userId)
}

function forget(tx: Tx, cid: Cid, userId: UserId): void {
  tx.db.memo.forget(`member ${cid} ${userId}`)
  tx.db.memo.forget(`members ${cid}`)
  tx.db.memo.forget(`channels of ${userId}`)
  if (userId !== tx.viewerId) return
  tx.db.memo.forget('places')
  tx.db.memo.forget(LISTED)
}

function touchMember(tx: Tx, cid: Cid, userId: UserId): void {
  tx.touch('channels', cid)
  if (userId === tx.viewerId) tx.touchWindow('channels')
}

function toRow(db: CacheSql, stored: Stored, lookupKey: Partial<Stored>): MemberRow {
  checked(db, 'members', stored, lookupKey)
  return {
    ...fromJson<Omit<MemberRow, keyof Stored>>(db, stored.json),
    cid: asCid(stored.cid),
    userId: asUserId(stored.user_id),
    pinnedAt: optional(stored.pinned_at),
    archivedAt: optional(stored.archived_at),
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    asOf: stored.as_of,
  }
}

/** Channels the viewer pinned or archived. Few rows: most channels are neither. */
type OwnPlace = {
  readonly cid: Cid
  readonly pinnedAt: number | undefined
  readonly archivedAt: number | undefined
}

type StoredPlace = { cid: string; pinned_at: number | null; archived_at: number | null }

const OWN_PLACES = `SELECT cid, pinned_at, archived_at FROM members
  WHERE user_id = ? AND (pinned_at IS NOT NULL OR archived_at IS NOT NULL)`

export function ownPlaces(reader: Reader): readonly OwnPlace[] {
  return reader.db.memo.of('places', () =>
    reader.db.all<StoredPlace>(OWN_PLACES, reader.viewerId).map((row) => ({
      cid: asCid(row.cid),
      pinnedAt: optional(row.pinned_at),
      archivedAt: optional(row.archived_at),
    })),
  )
}
