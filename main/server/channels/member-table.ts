import { countedTypes } from './channel-types.ts'
import { cacheOf, type Db } from '../store/db.ts'
import { BLOCKED_PAIR } from '../users/user-tables.ts'
import { recountMessages } from './channel-table.ts'

export type MemberRow = {
  readonly cid: string
  readonly user_id: string
  readonly channel_role: string
  readonly role: string
  readonly invited: number
  readonly status: string | null
  readonly invite_accepted_at: number | null
  readonly invite_rejected_at: number | null
  readonly banned: number
  readonly shadow_banned: number
  readonly ban_expires: number | null
  readonly pinned_at: number | null
  readonly archived_at: number | null
  readonly hidden: number
  readonly hide_before: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_read: number
  readonly last_read_message_id: string | null
  readonly unread: number
  readonly last_delivered_at: number | null
  readonly last_delivered_message_id: string | null
  readonly custom: string
  /** 1: the member muted the channel. */
  readonly muted?: number
}

/** The columns of {@link MemberRow}, of members named `m`. */
export const MEMBER_COLUMNS = `m.*, EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = m.user_id AND x.cid = m.cid) AS muted`

const MEMBER = `SELECT ${MEMBER_COLUMNS} FROM members m WHERE m.cid = ? AND m.user_id = ?`

export function memberOf(db: Db, cid: string, userId: string): MemberRow | undefined {
  const row = db.waiting.besides(() => db.get<MemberRow>(MEMBER, cid, userId))
  const waiting = waitingIn(db, cid)
  if (row === undefined || waiting === undefined) return row
  const read = { ...row, ...waiting.reads.get(userId) }
  const floor = Math.max(read.last_read, read.hide_before ?? 0)
  const more = waiting.messages.filter((message) => message.user_id !== userId && message.created_at > floor).length
  return { ...read, unread: read.unread + more }
}

export const MEMBER_PAGE = `SELECT ${MEMBER_COLUMNS} FROM members m WHERE m.cid = ?
  ORDER BY m.created_at, m.user_id LIMIT ? OFFSET ?`

export function membersOf(db: Db, cid: string, limit: number, offset = 0): MemberRow[] {
  return db.all<MemberRow>(MEMBER_PAGE, cid, limit, offset)
}

/** What of a membership is a read state. */
export type ReadRow = Pick<
  MemberRow,
  'user_id' | 'last_read' | 'last_read_message_id' | 'unread' | 'last_delivered_at' | 'last_delivered_message_id'
>

/** The read states of a page of members of each channel of a list: as JSON, to be compared with an earlier one. */
export const READ_PAGES = `SELECT (SELECT json_group_array(json_array(user_id, last_read, last_read_message_id, unread,
      last_delivered_at, last_delivered_message_id))
    FROM (SELECT * FROM members m WHERE m.cid = place.value ORDER BY m.created_at, m.user_id LIMIT ? OFFSET ?)) AS rows
  FROM json_each(?) AS place`

export function readPages(db: Db, cids: readonly string[], limit: number, offset: number): string[] {
  return db.all<{ rows: string }>(READ_PAGES, limit, offset, JSON.stringify(cids)).map(({ rows }) => rows)
}

/** The rows of one of {@link readPages}, in any order. */
export const readRows = (page: string): ReadRow[] =>
  (JSON.parse(page) as [string, number, string | null, number, number | null, string | null][]).map(
    ([user_id, last_read, last_read_message_id, unread, last_delivered_at, last_delivered_message_id]) => ({
      user_id,
      last_read,
      last_read_message_id,
      unread,
      last_delivered_at,
      last_delivered_message_id,
    }),
  )

export function memberIds(db: Db, cid: string): string[] {
  return db.all<{ user_id: string }>('SELECT user_id FROM members WHERE cid = ?', cid).map((row) => row.user_id)
}

export function insertMember(
  db: Db,
  row: Pick<MemberRow, 'cid' | 'user_id' | 'channel_role' | 'role' | 'created_at' | 'custom'> & {
    readonly invited?: boolean
    readonly hideBefore?: number | null
  },
): void {
  db.keepingCaches.run(
    `INSERT INTO members (cid, user_id, channel_role, role, invited, status, hide_before, created_at, updated_at,
       last_read, custom) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.cid,
    row.user_id,
    row.channel_role,
    row.role,
    row.invited ? 1 : 0,
    row.invited ? 'pending' : null,
    row.hideBefore ?? null,
    row.created_at,
    row.created_at,
    row.created_at,
    row.custom,
  )
  forgetTotals(db, row.user_id)
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'channel_role',
  'role',
  'status',
  'invite_accepted_at',
  'invite_rejected_at',
  'banned',
  'shadow_banned',
  'pinned_at',
  'archived_at',
  'hidden',
  'hide_before',
  'updated_at',
  'last_read',
  'last_read_message_id',
  'unread',
  'last_delivered_at',
  'last_delivered_message_id',
  'custom',
])

export function changeMember(db: Db, cid: string, userId: string, change: Partial<MemberRow>): void {
  const entries = Object.entries(change).filter(([column]) => CHANGEABLE.has(column))
  if (entries.length === 0) return
  const assignments = entries.map(([column]) => `${column} = ?`).join(', ')
  db.keepingCaches.run(
    'UPDATE members SET ' + assignments + ' WHERE cid = ? AND user_id = ?',
    ...entries.map(([, value]) => value),
    cid,
    userId,
  )
  if (entries.some(([column]) => AFFECTS_TOTALS.has(column))) forgetTotals(db, userId)
}

/** Columns that the unread totals depend on. */
const AFFECTS_TOTALS: ReadonlySet<string> = new Set(['unread', 'hidden', 'status'])

/**
 * Shows a hidden channel again, but not a conversation of two users of whom one blocked the other. Returns the affected
 * users.
 */
export function unhide(db: Db, cid: string): string[] {
  const rows = db.waiting.besides(() => db.keepingCaches.all<{ user_id: string }>(UNHIDE, cid))
  const shown = rows.map((row) => row.user_id)
  for (const userId of shown) forgetTotals(db, userId)
  return shown
}

export const UNHIDE = `UPDATE members INDEXED BY members_hidden SET hidden = 0 WHERE cid = ? AND hidden = 1 AND NOT EXISTS (
   SELECT 1 FROM channels c WHERE c.cid = members.cid AND c.member_count = 2 AND ${BLOCKED_PAIR})
 RETURNING user_id`

export function deleteMember(db: Db, cid: string, userId: string): boolean {
  const deleted = db.keepingCaches.run('DELETE FROM members WHERE cid = ? AND user_id = ?', cid, userId) > 0
  forgetTotals(db, userId)
  return deleted
}

/** The columns that decide for which members a message counts as unread. */
type Countable = {
  readonly cid: string
  readonly user_id: string
  readonly created_at: number
  readonly audience: string | null
}

/** Those who have not read up to a message of another member, and to whom that part of the history is not hidden. */
const BEHIND = `members.cid = ? AND members.user_id <> ? AND members.last_read < ?
  AND coalesce(members.hide_before, 0) < ?`

/**
 * The members for whom a message of `$cid` counts: without its author, those who muted the author, and those who have
 * read past it or hid that part of the history. See docs/wire.md 8.8 "increment". The same rule as in {@link
 * recountUnread}.
 */
const RECIPIENTS = `${BEHIND} AND (? IS NULL OR instr(?, ',' || members.user_id || ',') > 0)
  AND members.user_id NOT IN (SELECT u.user_id FROM user_mutes u WHERE u.target_id = ?)
  AND members.user_id NOT IN (SELECT b.user_id FROM user_blocks b WHERE b.blocked_id = ?)`

/** Whether the totals include the unread messages of a channel, according to the row `m` of `members`. */
const shownOf = (m: string): string => `${m}.hidden = 0 AND coalesce(${m}.status, '') NOT IN ('pending', 'rejected')
  AND NOT EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = ${m}.user_id AND x.cid = ${m}.cid)`
const SHOWN = shownOf('m')

/** The same, according to the channel's row `c`. */
const COUNTED_CHANNEL = 'c.deleted_at IS NULL AND c.type IN (SELECT value FROM json_each(?))'

const STEP = (by: string): string =>
  `UPDATE members SET unread = unread ${by} WHERE ${RECIPIENTS} AND unread ${by} >= 0
   RETURNING user_id, unread, (${shownOf('members')}) AS shown`
const ONE_MORE = STEP('+ 1')
const ONE_LESS = STEP('- 1')

/** Up to this time a member counts no message of others. */
const FLOOR = 'max(members.last_read, coalesce(members.hide_before, 0))'

/**
 * The same as {@link ONE_MORE} for several messages of an author whom nobody muted. SQLite updates rows as it finds them where the condition asks
 * nothing of another table and nothing is returned: a third of the time.
 */
const SEVERAL_MORE = `UPDATE members SET unread = unread + CASE WHEN ${FLOOR} < ? THEN ?
     ELSE (SELECT count(*) FROM json_each(?) WHERE value > ${FLOOR}) END WHERE ${BEHIND}`
const SEVERAL_STEPPED = `SELECT user_id, unread, ${FLOOR} AS floor, (${shownOf('members')}) AS shown FROM members
  WHERE ${BEHIND}`

const AVOIDED = `SELECT 1 FROM user_mutes WHERE target_id = ?
  UNION ALL SELECT 1 FROM user_blocks WHERE blocked_id = ? LIMIT 1`

/** What a transaction has not written yet of one channel: what its authors have read, and messages to be counted. */
type Waiting = {
  readonly reads: ReadonlyMap<string, Partial<MemberRow>>
  readonly messages: readonly Countable[]
  run(): void
}

/** More are counted before the transaction ends. */
const MAX_WAITING = 100

const nameOf = (cid: string): string => `unread ${cid}`
const waitingIn = (db: Db, cid: string): Waiting | undefined => db.waiting.of(nameOf(cid)) as Waiting | undefined

function wait(db: Db, cid: string, { reads, messages }: Pick<Waiting, 'reads' | 'messages'>): void {
  const run = (): void => {
    for (const [userId, read] of reads) changeMember(db, cid, userId, read)
    countAll(db, cid, messages)
  }
  const waiting: Waiting = { reads, messages, run }
  db.waiting.put(nameOf(cid), waiting)
  if (messages.length >= MAX_WAITING) db.waiting.flush()
}

const NOTHING: Pick<Waiting, 'reads' | 'messages'> = { reads: new Map(), messages: [] }

/** Adds one unread message for every member it counts for: in a transaction at its end, or when they are read. */
export function countUnread(db: Db, message: Countable): void {
  const { cid, user_id: author, audience } = message
  if (!db.isInTransaction() || audience !== null || db.get(AVOIDED, author, author) !== undefined) {
    return stepUnread(db, message, 1)
  }
  const { reads, messages } = waitingIn(db, cid) ?? NOTHING
  wait(db, cid, { reads, messages: [...messages, message] })
}

/** The author has read their own message, and what came before it: written with the counts. */
export function readOwn(db: Db, { unread }: MemberRow, message: Countable & { readonly id: string }): void {
  const { cid, user_id: author } = message
  const read = { last_read: message.created_at, last_read_message_id: message.id }
  const change = unread === 0 ? read : { ...read, unread: 0 }
  if (!db.isInTransaction()) return changeMember(db, cid, author, change)
  const { reads, messages } = waitingIn(db, cid) ?? NOTHING
  wait(db, cid, { reads: new Map(reads).set(author, { ...reads.get(author), ...change }), messages })
}

/** Removes one deleted message from the unread counts: the same result as a recount, without counting. */
export function uncountUnread(db: Db, message: Countable): void {
  stepUnread(db, message, -1)
}

function countAll(db: Db, cid: string, messages: readonly Countable[]): void {
  for (const [author, theirs] of Map.groupBy(messages, ({ user_id: userId }) => userId)) {
    const times = theirs.map((message) => message.created_at)
    const [first, last] = [Math.min(...times), Math.max(...times)]
    const members = [cid, author, last, last] as const
    db.keepingCaches.run(SEVERAL_MORE, first, times.length, JSON.stringify(times), ...members)
    if (totalsCache(db).size === 0) continue
    const rows = db.all<Stepped & { floor: number }>(SEVERAL_STEPPED, ...members)
    stepTotals(db, cid, rows, ({ floor }) => (floor < first ? times.length : times.filter((at) => at > floor).length))
  }
}

function stepUnread(db: Db, message: Countable, by: 1 | -1): void {
  const { cid, user_id: author, created_at: at, audience } = message
  const sql = by === 1 ? ONE_MORE : ONE_LESS
  const rows = db.keepingCaches.all<Stepped>(sql, cid, author, at, at, audience, audience, author, author)
  stepTotals(db, cid, rows, () => by)
}

/** A member whose count has changed. */
type Stepped = { readonly user_id: string; readonly unread: number; readonly shown: number }

/** @param by how much the count of this member has changed */
function stepTotals<Row extends Stepped>(db: Db, cid: string, rows: readonly Row[], by: (row: Row) => number): void {
  const totals = totalsCache(db)
  if (totals.size === 0 || rows.length === 0) return
  const counted = db.get(`SELECT 1 FROM channels c WHERE c.cid = ? AND ${COUNTED_CHANNEL}`, cid, countedTypes(db))
  if (counted === undefined) return
  for (const row of rows) {
    const known = row.shown === 1 ? totals.get(row.user_id) : undefined
    if (!known) continue
    const more = by(row)
    const channels = Math.sign(row.unread) - Math.sign(row.unread - more)
    totals.set(row.user_id, { total: known.total + more, channels: known.channels + channels })
  }
}

const UNREAD = `(SELECT count(*) FROM messages m JOIN channels c ON c.cid = m.cid
  WHERE m.cid = members.cid AND m.in_channel = 1
    AND m.created_at > max(members.last_read, coalesce(members.hide_before, 0), coalesce(c.truncated_at, 0))
    AND m.user_id <> members.user_id AND m.silent = 0 AND m.deleted_at IS NULL AND m.shadowed = 0 AND m.pending = 0
    AND (m.audience IS NULL OR instr(m.audience, ',' || members.user_id || ',') > 0)
    AND NOT EXISTS (SELECT 1 FROM user_mutes u WHERE u.user_id = members.user_id AND u.target_id = m.user_id)
    AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = members.user_id AND b.blocked_id = m.user_id))`

const RECOUNT = `UPDATE members SET unread = ${UNREAD} WHERE cid = ?`

/** Counts the unread messages of every member from the rows. For truncation. */
export function recountUnread(db: Db, cid: string): void {
  db.changing('members').run(RECOUNT, cid)
}

/** Counts those of one member, for "mark unread". Returns how many there are. */
export function recountUnreadOfMember(db: Db, cid: string, userId: string): number {
  const sql = RECOUNT + ' AND user_id = ? RETURNING unread'
  const counted = db.keepingCaches.get<{ unread: number }>(sql, cid, userId)
  forgetTotals(db, userId)
  return counted?.unread ?? 0
}

/** The same in every channel of a user that has read states, after a change of their mutes. */
export function recountUnreadOf(db: Db, userId: string): void {
  db.keepingCaches.run(
    `UPDATE members SET unread = ${UNREAD} WHERE user_id = ?
     AND (SELECT c.type FROM channels c WHERE c.cid = members.cid) IN (SELECT value FROM json_each(?))`,
    userId,
    countedTypes(db),
  )
  forgetTotals(db, userId)
}

export type Totals = { readonly total: number; readonly channels: number }

/** The rows of a user that the totals include: in channels they joined, of types with read states. */
const COUNTED = `FROM members m JOIN channels c ON c.cid = m.cid
  WHERE m.user_id = ? AND m.unread > 0 AND ${SHOWN} AND ${COUNTED_CHANNEL}`

type UnreadChannel = {
  readonly cid: string
  readonly type: string
  readonly unread: number
  readonly last_read: number
}

/** The single channels that {@link unreadTotals} sums up. */
export function unreadChannels(db: Db, userId: string): UnreadChannel[] {
  return db.all<UnreadChannel>(
    `SELECT m.cid, c.type, m.unread, m.last_read ${COUNTED} ORDER BY m.cid`,
    userId,
    countedTypes(db),
  )
}

/** Every channel in which a user has unread messages, including muted and hidden ones. */
export function channelsWithUnread(db: Db, userId: string): string[] {
  return db
    .all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ? AND unread > 0', userId)
    .map((row) => row.cid)
}

/**
 * Cached unread totals of users. A new message changes those of a whole channel by one: {@link countUnread} updates
 * them in place. Other changes drop them, for one user here or, by `changing`, for all.
 */
const totalsCache = cacheOf<Totals>(['members', 'channels', 'channel_mutes', 'settings'])

/** Drops the cached totals of one user, after a change that affects only them. */
export const forgetTotals = (db: Db, userId: string): void => void totalsCache(db).delete(userId)

const NO_UNREAD: Totals = { total: 0, channels: 0 }

export const TOTALS = `SELECT m.user_id, sum(m.unread) AS total, count(*) AS channels
  FROM json_each(?) w CROSS JOIN members m ON m.user_id = w.value AND m.unread > 0 JOIN channels c ON c.cid = m.cid
  WHERE ${SHOWN} AND ${COUNTED_CHANNEL} GROUP BY m.user_id`

/** The unread totals of these users. Muted and hidden channels do not count. See docs/wire.md 8.8. */
export function unreadTotalsOf(db: Db, userIds: Iterable<string>): (userId: string) => Totals {
  const cache = totalsCache(db)
  const missing = [...userIds].filter((id) => !cache.has(id))
  if (missing.length > 0) {
    for (const id of missing) cache.set(id, NO_UNREAD)
    const found = db.all<Totals & { user_id: string }>(TOTALS, JSON.stringify(missing), countedTypes(db))
    for (const { user_id: userId, total, channels } of found) cache.set(userId, { total, channels })
  }
  return (userId) => cache.get(userId) ?? NO_UNREAD
}

export const unreadTotals = (db: Db, userId: string): Totals => unreadTotalsOf(db, [userId])(userId)

/** Recounts a channel's messages and unread messages, after messages became visible or were removed. */
export function recount(db: Db, cid: string): void {
  recountMessages(db, cid)
  recountUnread(db, cid)
}
