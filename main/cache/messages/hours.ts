import type { Cid } from '#shared/lib/brand.ts'
import type { MessageRow } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * Messages of others in channels, counted by time. A week has hundreds of thousands of them: what was counted of an
 * hour is remembered until something in it changes.
 */
type Count = { readonly cid: Cid; readonly part: number; readonly count: number }

/** By the end of each hour after `from`; hours without messages are absent. `undefined`: something changed. */
type Hours = { readonly from: number; readonly counts: Map<number, number | undefined> }

export const HOUR_MS = 3_600_000

/** Nearly all are regular, which one comparison finds. */
const COUNTED = `m.in_channel = 1 AND (m.type = 'regular' OR m.type NOT IN ('deleted', 'ephemeral', 'error'))
  AND m.deleted_at IS NULL AND m.silent = 0 AND m.shadowed = 0 AND m.user_id <> ?`
const BETWEEN = `SELECT count(*) AS count FROM messages m INDEXED BY messages_timeline
  WHERE m.cid = ? AND m.created_at > ? AND m.created_at <= ? AND ${COUNTED}`
const TIMELINE = 'messages INDEXED BY messages_timeline WHERE in_channel = 1'
const END = `ceil(created_at / ${HOUR_MS}.0) * ${HOUR_MS}`
/** From each hour with messages to the next one: grouping all messages by their hour would sort them first. */
const HOURS = `WITH RECURSIVE hours (cid, upTo) AS (
    SELECT value, (SELECT ${END} FROM ${TIMELINE} AND cid = value AND created_at > ? ORDER BY created_at LIMIT 1)
    FROM json_each(?)
    UNION ALL
    SELECT h.cid, (SELECT ${END} FROM ${TIMELINE} AND cid = h.cid AND created_at > h.upTo ORDER BY created_at LIMIT 1)
    FROM hours h WHERE h.upTo IS NOT NULL
  )
  SELECT h.cid, h.upTo, (
    SELECT count(*) FROM messages m INDEXED BY messages_timeline
    WHERE m.cid = h.cid AND m.created_at > h.upTo - ${HOUR_MS} AND m.created_at <= h.upTo AND ${COUNTED}
  ) AS count FROM hours h WHERE h.upTo IS NOT NULL`

/** By channel and by parts of time: after each of the ascending `starts`, up to the next. A part may come several times. */
export function counts(reader: Reader, cids: readonly Cid[], starts: readonly number[]): readonly Count[] {
  const first = starts[0]
  if (first === undefined) return []
  const pieces = new Map<number, readonly Piece[]>()
  const piecesOf = (end: number): readonly Piece[] => {
    const known = pieces.get(end) ?? cut(end, starts)
    pieces.set(end, known)
    return known
  }
  return hoursOf(reader, cids, Math.floor(first / HOUR_MS) * HOUR_MS).flatMap(([cid, hours]) =>
    [...hours.counts.keys()].flatMap((end) =>
      piecesOf(end).map(({ part, after, upTo }) => ({
        cid,
        part,
        count: upTo - after === HOUR_MS ? inHour(reader, cid, hours, end) : between(reader, cid, after, upTo),
      })),
    ),
  )
}

/** A row was written, or removed. */
export function noteWritten(tx: Tx, before: MessageRow | undefined, now: MessageRow | undefined): void {
  for (const row of [before, now]) {
    const held = row && heldOf(tx, row.cid)
    if (held && row.createdAt > held.from) held.counts.set(Math.ceil(row.createdAt / HOUR_MS) * HOUR_MS, undefined)
  }
}

type Piece = { readonly part: number; readonly after: number; readonly upTo: number }

/** The parts of an hour. */
const cut = (end: number, starts: readonly number[]): readonly Piece[] =>
  starts
    .map((start, part) => ({
      part,
      after: Math.max(start, end - HOUR_MS),
      upTo: Math.min(starts[part + 1] ?? end, end),
    }))
    .filter(({ after, upTo }) => after < upTo)

const keyOf = (cid: string): string => `hours ${cid}`

const heldOf = ({ db }: Reader, cid: Cid): Hours | undefined => db.memo.peek(keyOf(cid)) as Hours | undefined

/** Of each channel, as it is remembered or counted now. */
function hoursOf(reader: Reader, cids: readonly Cid[], from: number): readonly (readonly [Cid, Hours])[] {
  const held = new Map(cids.map((cid) => [cid, heldOf(reader, cid)]))
  const missing = cids.filter((cid) => (held.get(cid)?.from ?? Infinity) > from)
  const counted = missing.length === 0 ? undefined : countAll(reader, missing, from)
  return cids.flatMap((cid) => {
    const hours = counted?.get(cid) ?? held.get(cid)
    return hours ? [[cid, hours] as const] : []
  })
}

function countAll({ db, viewerId }: Reader, cids: readonly Cid[], from: number): ReadonlyMap<string, Hours> {
  const found = new Map(cids.map((cid): [string, Hours] => [cid, { from, counts: new Map() }]))
  const rows = db.all<{ cid: string; upTo: number; count: number }>(HOURS, from, JSON.stringify(cids), viewerId)
  for (const { cid, upTo, count } of rows) found.get(cid)?.counts.set(upTo, count)
  for (const [cid, hours] of found) db.memo.put(keyOf(cid), hours)
  return found
}

function inHour(reader: Reader, cid: Cid, { counts }: Hours, end: number): number {
  const known = counts.get(end) ?? between(reader, cid, end - HOUR_MS, end)
  counts.set(end, known)
  return known
}

const between = ({ db, viewerId }: Reader, cid: Cid, after: number, upTo: number): number =>
  db.get<{ count: number }>(BETWEEN, cid, after, upTo, viewerId)?.count ?? 0
