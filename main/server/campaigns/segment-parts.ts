import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { findChannels } from '../channels/find-channels.ts'
import { findUserIds } from '../users/find-people.ts'
import type { Db } from '../store/db.ts'
import type { SegmentRow } from './campaign-tables.ts'

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
export function filtersOf({ type, filter, all_users, all_sender_channels }: SegmentRow, senderId: string): Json[] {
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
export const listedAfter = (db: Db, segmentId: string, after: string, most: number): Range =>
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
export const rowsAfter = (db: Db, key: 'id' | 'cid', after: string, most: number): Range =>
  db.get<Range>(key === 'id' ? USERS_AFTER : CHANNELS_AFTER, after, most) ?? NO_ROWS
