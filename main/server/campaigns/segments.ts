import { InSteps, type Later } from '../http/router.ts'
import { cacheOf, type Cell, type Db } from '../store/db.ts'
import { and, type Condition } from '../store/query/compile.ts'
import { matchingPeople, findUserIds } from '../users/find-people.ts'
import type { Work } from '../work.ts'
import type { SegmentRow } from './campaign-tables.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { findChannels } from '../channels/find-channels.ts'

/** How far a segment has been read: up to and with `after` of one of its parts. */
export type SegmentPlace = { readonly part: number; readonly after: string }

export const FIRST_PLACE: SegmentPlace = { part: 0, after: '' }

/** Some of a segment. `read`: rows that were looked at for it; `next`: absent after the last of them. */
type SegmentSlice = { readonly ids: readonly string[]; readonly read: number; readonly next?: SegmentPlace }

/**
 * The next ids of the people (or channels) of a segment, looking at no more than `most` rows: a segment may have 100,000,
 * and other requests wait meanwhile. Those on its list come first, then those that match; one may be in both.
 */
export function readSlice(
  db: Db,
  segment: SegmentRow,
  senderId: string,
  { part, after }: SegmentPlace,
  most: number,
): SegmentSlice {
  const filters = filtersOf(segment, senderId)
  const filter = filters[part - 1]
  const key = segment.type === 'user' ? 'id' : 'cid'
  const { read, last } = part === 0 ? listedAfter(db, segment.id, after, most) : rowsAfter(db, key, after, most)
  const next =
    read === most && last !== null
      ? { part, after: last }
      : part < filters.length
        ? { part: part + 1, after: '' }
        : undefined
  const about = { read, ...(next === undefined ? {} : { next }) }
  if (last === null) return { ids: [], ...about }
  if (filter === undefined) return { ids: listedBetween(db, segment.id, after, last), ...about }
  const sort = [{ field: key, direction: 1 as const }]
  const page = { filter, sort, limit: most, offset: 0, between: [after, last] as const }
  if (key === 'id') return { ids: findUserIds(db, { ...page, deactivated: false }), ...about }
  const who: Identity = { userId: senderId, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  return { ids: findChannels(db, who, page).map(({ cid }) => cid), ...about }
}

/** What people or channels match, beside those on the list. */
function filtersOf({ type, filter, all_users, all_sender_channels }: SegmentRow, senderId: string): Json[] {
  if (type === 'user' && all_users === 1) return [{}]
  const own = type === 'channel' && all_sender_channels === 1 ? [{ members: { $in: [senderId] } }] : []
  const asked = JSON.parse(filter) as Json
  return [...own, ...(Object.keys(asked).length > 0 ? [asked] : [])]
}

type Range = { readonly read: number; readonly last: string | null }
const NO_ROWS: Range = { read: 0, last: null }

export const LISTED_AFTER = `SELECT count(*) AS read, max(target_id) AS last FROM (
  SELECT target_id FROM segment_targets WHERE segment_id = ? AND target_id > ? ORDER BY target_id LIMIT ?)`

/** The next rows of the list of a segment: how many they are, and the last of them. */
const listedAfter = (db: Db, segmentId: string, after: string, most: number): Range =>
  db.get<Range>(LISTED_AFTER, segmentId, after, most) ?? NO_ROWS

const listedBetween = (db: Db, segmentId: string, after: string, last: string): string[] =>
  db
    .all<{ target_id: string }>(
      'SELECT target_id FROM segment_targets WHERE segment_id = ? AND target_id > ? AND target_id <= ? ORDER BY target_id',
      segmentId,
      after,
      last,
    )
    .map((row) => row.target_id)

export const USERS_AFTER =
  'SELECT count(*) AS read, max(id) AS last FROM (SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ?)'
export const CHANNELS_AFTER =
  'SELECT count(*) AS read, max(cid) AS last FROM (SELECT cid FROM channels WHERE cid > ? ORDER BY cid LIMIT ?)'

/** The next people or channels of the workspace, whether they match or not. */
const rowsAfter = (db: Db, key: 'id' | 'cid', after: string, most: number): Range =>
  db.get<Range>(key === 'id' ? USERS_AFTER : CHANNELS_AFTER, after, most) ?? NO_ROWS

/** How many people or channels segments have, by their ids. */
export type SegmentSizes = ReadonlyMap<string, number>

/**
 * The reply that needs the sizes of these segments. Each is a query over everyone: in a small workspace they are counted
 * at once, in a large one in slices, between which other requests are answered.
 */
export function withSizes<Reply extends object>(
  work: Work,
  segments: readonly SegmentRow[],
  reply: (sizes: SegmentSizes) => Reply,
): Reply | Later {
  const steps = counting(work.db, segments)
  const first = steps.next()
  if (first.done === true) return reply(first.value)
  return new InSteps(replied(steps, reply))
}

function* replied<Reply extends object>(
  steps: Iterator<undefined, SegmentSizes>,
  reply: (sizes: SegmentSizes) => Reply,
): Generator<undefined, Reply> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return reply(step.value)
    yield
  }
}

/** Sizes of segments of people: a list of segments shows them all. */
const sizeCache = cacheOf<number>(['users', 'segment_targets'])

/** Comparisons of one turn. */
export const COMPARED = 50_000
/** Reading a row costs as much as so many comparisons. */
export const READ = 10
/** A channel is read with all that belongs to it. */
const READ_CHANNEL = 25

/** What is left of a turn, in which other requests wait. */
class Turn {
  #left = COMPARED

  /** Rows that the rest of it is enough for, at least one. */
  rows(each: number): number {
    return Math.ceil(this.#left / each)
  }

  /** Whether these rows end it. */
  isOver(rows: number, each: number): boolean {
    this.#left -= rows * each
    if (this.#left > 0) return false
    this.#left = COMPARED
    return true
  }
}
/** Segments that one statement counts: reading a row costs more than comparing it. */
const AT_ONCE = 25

function* counting(db: Db, segments: readonly SegmentRow[]): Generator<undefined, SegmentSizes> {
  const cache = sizeCache(db)
  const sizes = new Map<string, number>()
  const unknown: SegmentRow[] = []
  const turn = new Turn()
  for (const row of segments) {
    const known = row.type === 'user' ? cache.get(keyOf(row)) : undefined
    if (known !== undefined) sizes.set(row.id, known)
    else if (row.type === 'user') unknown.push(row)
    else sizes.set(row.id, yield* countChannels(db, row, turn))
  }
  if (unknown.length === 0) return sizes
  // Whatever changes meanwhile clears the cache, and this with it: then the sizes are for this reply only.
  const unchanged = `counting ${(counted += 1)}`
  cache.set(unchanged, 0)
  for (let at = 0; at < unknown.length; at += AT_ONCE) {
    for (const [id, size] of yield* countPeople(db, unknown.slice(at, at + AT_ONCE), turn)) sizes.set(id, size)
  }
  if (cache.delete(unchanged)) {
    for (const row of unknown) if (isCached(row)) cache.set(keyOf(row), sizes.get(row.id) ?? 0)
  }
  return sizes
}
let counted = 0

const keyOf = ({ id, all_users, filter }: SegmentRow): string => JSON.stringify([id, all_users, filter])

/** Signing in changes this time of a user at any moment, without clearing caches. */
const isCached = ({ filter }: SegmentRow): boolean => !filter.includes('last_active')

/** Nobody is read: the database counts those who match, then those on the lists who do not. */
function* countPeople(db: Db, segments: readonly SegmentRow[], turn: Turn): Generator<undefined, Map<string, number>> {
  const conditions = new Map(segments.map((row) => [row.id, conditionOf(row)]))
  const sizes = new Map(segments.map(({ id }) => [id, 0]))
  const add = (id: string, count: number): void => void sizes.set(id, (sizes.get(id) ?? 0) + count)
  const asked = [...conditions].filter(([, condition]) => condition !== NOBODY)
  if (asked.length > 0) {
    const cost = READ + asked.length
    const { sql, values } = foundSql(asked.map(([, condition]) => condition))
    for (let after = ''; ;) {
      const most = turn.rows(cost)
      const { read, last } = rowsAfter(db, 'id', after, most)
      const found = db.get<Readonly<Record<string, number>>>(sql, ...values, after, last ?? '')
      for (const [index, [id]] of asked.entries()) add(id, found?.[`found${index}`] ?? 0)
      if (turn.isOver(read, cost)) yield
      if (read < most || last === null) break
      after = last
    }
  }
  for (const { id } of segments) {
    const { sql, values } = listedSql(conditions.get(id) ?? NOBODY)
    for (let after = ''; ;) {
      const most = turn.rows(READ + 1)
      const { read, last } = listedAfter(db, id, after, most)
      if (read > 0) add(id, db.get<{ found: number }>(sql, id, after, last ?? '', ...values)?.found ?? 0)
      if (turn.isOver(read, READ + 1)) yield
      if (read < most || last === null) break
      after = last
    }
  }
  return sizes
}

const NOBODY: Condition = { sql: '0', values: [] }

function conditionOf(row: SegmentRow): Condition {
  const [filter] = filtersOf(row, '')
  return filter === undefined ? NOBODY : matchingPeople(filter)
}

type Statement = { readonly sql: string; readonly values: readonly Cell[] }

/** How many of a range of people match each of these. */
export function foundSql(conditions: readonly Condition[]): Statement {
  const counts = conditions.map(({ sql }, index) => `count(CASE WHEN ${sql} THEN 1 END) AS found${index}`)
  return {
    sql: `SELECT ${counts.join(', ')} FROM users u WHERE u.id > ? AND u.id <= ?`,
    values: conditions.flatMap(({ values }) => values),
  }
}

/** How many of a range of the list of a segment do not match. */
export function listedSql(condition: Condition): Statement {
  if (condition === NOBODY) {
    const sql =
      'SELECT count(*) AS found FROM segment_targets WHERE segment_id = ? AND target_id > ? AND target_id <= ?'
    return { sql, values: [] }
  }
  const matches = and([{ sql: 'u.id = t.target_id', values: [] }, condition])
  return {
    sql: `SELECT count(*) AS found FROM segment_targets t WHERE t.segment_id = ? AND t.target_id > ? AND t.target_id <= ?
      AND NOT EXISTS (SELECT 1 FROM users u WHERE ${matches.sql})`,
    values: matches.values,
  }
}

/** One may be named and match, so they are read. */
function* countChannels(db: Db, row: SegmentRow, turn: Turn): Generator<undefined, number> {
  const found = new Set<string>()
  let place: SegmentPlace | undefined = FIRST_PLACE
  while (place !== undefined) {
    const slice = readSlice(db, row, '', place, turn.rows(READ_CHANNEL))
    for (const id of slice.ids) found.add(id)
    if (turn.isOver(slice.read, READ_CHANNEL)) yield
    place = slice.next
  }
  return found.size
}
