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
import { route, type Later, type Route } from '../http/router.ts'
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
import { cursorBody, readCursorPage } from '../store/query/lists.ts'
import { laterThan, freeId, remove } from './campaigns.ts'
import { withSizes, type SegmentSizes } from './segments.ts'
import { needServer, requireUser } from '../users/users.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'

const ID = /^[A-Za-z0-9_.:-]{1,255}$/
const MAX_ADDED = 10_000
const MAX_REMOVED = 100

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
    freeId(work.db, 'segments', id)
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
    return write(work, row)
  }),
  route(getSegment, {}, ({ params, who }, work) => {
    needServer(who)
    return encodedReply(work, known(work, params.id))
  }),
  route(updateSegment, { body: segmentBody }, ({ params, body, who }, work) => {
    needServer(who)
    const row = known(work, params.id)
    checkUnchanged(row, body.expected_updated_at)
    const { name = row.name, description = row.description, filter } = body
    const changed = filter === undefined ? row.filter : JSON.stringify(filter)
    return write(work, { ...row, name, description, filter: changed, updated_at: laterThan(row, work) })
  }),
  route(deleteSegment, {}, ({ params, who }, work) => {
    needServer(who)
    remove(work, 'segments', known(work, params.id).id)
    return {}
  }),
  route(querySegments, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needServer(who)
    const { rows, cursors } = readCursorPage(work.db, segmentList(body.filter), body)
    return withSizes(work, rows, (sizes) => ({ segments: rows.map((row) => encodeSegment(row, sizes)), ...cursors }))
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

function known(work: Work, id: string): SegmentRow {
  return segmentById(work.db, id) ?? refuse('doesNotExist', `segment ${id} does not exist`)
}

/** Counting runs the filter, so an invalid one is refused now and not when a campaign runs. */
function write(work: Work, row: SegmentRow): { segment: WireSegment } | Later {
  putSegment(work.db, row)
  return encodedReply(work, row)
}

const encodedReply = (work: Work, row: SegmentRow): { segment: WireSegment } | Later =>
  withSizes(work, [row], (sizes) => ({ segment: encodeSegment(row, sizes) }))

export function encodeSegment(row: SegmentRow, sizes: SegmentSizes): WireSegment {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    filter: JSON.parse(row.filter) as Json,
    all_users: row.all_users === 1,
    all_sender_channels: row.all_sender_channels === 1,
    size: sizes.get(row.id) ?? 0,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
