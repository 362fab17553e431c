import * as v from 'valibot'
import {
  addSegmentTargets,
  createSegment,
  deleteSegment,
  deleteSegmentTargets,
  getSegment,
  querySegments,
  querySegmentTargets,
  segmentTargetExists,
  updateSegment,
  type WireSegment,
} from '#shared/wire/campaigns.ts'
import { checkUnchanged } from '../admin/settings.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, object, oneOf, sort, text, whole } from '../http/shapes.ts'
import {
  segmentList,
  targetList,
  deleteTarget,
  putSegment,
  putTarget,
  segmentById,
  type SegmentRow,
} from './campaign-tables.ts'
import { cacheOf } from '../store/db.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { idsOf, laterThan } from './campaigns.ts'
import { userSql } from '../users/find-people.ts'
import { needServer, requireUser } from '../users/users.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'

const ID = /^[A-Za-z0-9_.:-]{1,255}$/
const MAX_ADDED = 10_000
const MAX_REMOVED = 100
/** A segment does not reach more people. */
const MAX_COUNTED = 100_000

const segmentBody = v.looseObject({
  id: idText(),
  type: oneOf(['user', 'channel']),
  name: text(128),
  description: text(256),
  filter: object,
  all_users: flag,
  all_sender_channels: flag,
  expected_updated_at: idText(),
})

const targetsBody = v.looseObject({
  ...cursorBody,
  Filter: object,
  Sort: sort,
  limit: whole(10_000),
})

/** See docs/wire.md 3.15. */
export const segmentRoutes: readonly Route[] = [
  route(createSegment, { body: segmentBody }, ({ body, who }, work) => {
    needServer(who)
    const id = body.id ?? work.ids.uuid()
    if (!ID.test(id)) return refuse('input', 'id is not allowed')
    if (segmentById(work.db, id)) return refuse('input', `segment ${id} already exists`)
    const row: SegmentRow = {
      id,
      type: body.type ?? refuse('input', 'type must be user or channel'),
      name: body.name ?? '',
      description: body.description ?? '',
      filter: JSON.stringify(body.filter ?? {}),
      all_users: Number(body.all_users ?? false),
      all_sender_channels: Number(body.all_sender_channels ?? false),
      created_at: work.now,
      updated_at: work.now,
    }
    return { segment: write(work, row) }
  }),
  route(getSegment, {}, ({ params, who }, work) => {
    needServer(who)
    return { segment: encodeSegment(work, known(work, params.id)) }
  }),
  route(updateSegment, { body: segmentBody }, ({ params, body, who }, work) => {
    needServer(who)
    const row = known(work, params.id)
    checkUnchanged(row, body.expected_updated_at)
    const { name = row.name, description = row.description, filter } = body
    const changed = filter === undefined ? row.filter : JSON.stringify(filter)
    return { segment: write(work, { ...row, name, description, filter: changed, updated_at: laterThan(row, work) }) }
  }),
  route(deleteSegment, {}, ({ params, who }, work) => {
    needServer(who)
    work.db.changing('segment_targets').run('DELETE FROM segments WHERE id = ?', known(work, params.id).id)
    return {}
  }),
  route(querySegments, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needServer(who)
    const { rows, cursors } = readCursorPage(work.db, segmentList(body.filter), body)
    return { segments: rows.map((row) => encodeSegment(work, row)), ...cursors }
  }),
  route(
    addSegmentTargets,
    { body: v.looseObject({ target_ids: list(v.string(), MAX_ADDED) }) },
    ({ params, body, who }, work) => {
      needServer(who)
      const row = known(work, params.id)
      for (const id of requireTargets(body.target_ids, MAX_ADDED)) {
        if (row.type === 'user') requireUser(work.db, id)
        else if (!channelByCid(work.db, id)) refuse('doesNotExist', `channel ${id} does not exist`)
        putTarget(work.db, row.id, id, work.now)
      }
      return {}
    },
  ),
  route(
    deleteSegmentTargets,
    { body: v.looseObject({ target_ids: list(v.string(), MAX_REMOVED) }) },
    ({ params, body, who }, work) => {
      needServer(who)
      const row = known(work, params.id)
      for (const id of requireTargets(body.target_ids, MAX_REMOVED)) deleteTarget(work.db, row.id, id)
      return {}
    },
  ),
  route(segmentTargetExists, {}, ({ params, who }, work) => {
    needServer(who)
    const { id } = known(work, params.id)
    const sql = 'SELECT 1 FROM segment_targets WHERE segment_id = ? AND target_id = ?'
    if (!work.db.get(sql, id, params.targetId)) refuse('doesNotExist', `${params.targetId} is no target`)
    return {}
  }),
  route(querySegmentTargets, { body: targetsBody }, ({ params, body, who }, work) => {
    needServer(who)
    const list = targetList(known(work, params.id).id, body.filter ?? body.Filter)
    const page = { ...body, sort: body.sort ?? body.Sort, limit: body.limit ?? 100 }
    const { rows, cursors } = readCursorPage<{ segment_id: string; target_id: string; created_at: number }>(
      work.db,
      list,
      page,
    )
    const targets = rows.map(({ segment_id, target_id, created_at }) => ({
      segment_id,
      target_id,
      created_at: toText(created_at),
    }))
    return { targets, ...cursors }
  }),
]

function requireTargets(ids: readonly string[] | undefined, max: number): string[] {
  return ids?.length ? [...new Set(ids)] : refuse('input', `target_ids must be a list of 1 to ${max}`)
}

/** Sizes of segments of people: a list of segments shows them all, and each is a query over everyone. */
const sizeCache = cacheOf<number>(['users', 'segment_targets'])

/** How many people or channels are in it. */
function sizeOf(work: Work, row: SegmentRow): number {
  if (row.type === 'channel') return idsOf(work.db, row, '').length
  // Signing in changes this time of a user at any moment, without clearing caches.
  if (row.filter.includes('last_active')) return countPeople(work, row)
  const cache = sizeCache(work.db)
  const key = JSON.stringify([row.id, row.all_users, row.filter])
  const size = cache.get(key) ?? countPeople(work, row)
  cache.set(key, size)
  return size
}

/** Counted without reading them. */
function countPeople(work: Work, row: SegmentRow): number {
  const filter = JSON.parse(row.filter) as Json
  const named = 'SELECT target_id AS id FROM segment_targets WHERE segment_id = ?'
  const isAsked = row.all_users === 1 || Object.keys(filter).length > 0
  const page = { filter: row.all_users === 1 ? {} : filter, sort: [], limit: MAX_COUNTED, offset: 0 }
  const found = isAsked ? userSql({ ...page, deactivated: false }, 'u.id') : undefined
  const sql = found === undefined ? named : `${named} UNION SELECT id FROM (${found.sql})`
  return (
    work.db.get<{ size: number }>(`SELECT count(*) AS size FROM (${sql})`, row.id, ...(found?.values ?? []))?.size ?? 0
  )
}

function known(work: Work, id: string): SegmentRow {
  return segmentById(work.db, id) ?? refuse('doesNotExist', `segment ${id} does not exist`)
}

/** Encoding runs the filter, so an invalid one is refused now and not when a campaign runs. */
function write(work: Work, row: SegmentRow): WireSegment {
  putSegment(work.db, row)
  return encodeSegment(work, row)
}

export function encodeSegment(work: Work, row: SegmentRow): WireSegment {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    filter: JSON.parse(row.filter) as Json,
    all_users: row.all_users === 1,
    all_sender_channels: row.all_sender_channels === 1,
    size: sizeOf(work, row),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
