import * as v from 'valibot'
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  queryCampaigns,
  startCampaign,
  stopCampaign,
  updateCampaign,
  type CampaignInput,
  type WireCampaign,
  type WireNotSent,
  type WireSegment,
  addSegmentTargets,
  createSegment,
  deleteSegment,
  deleteSegmentTargets,
  getSegment,
  querySegments,
  querySegmentTargets,
  segmentTargetExists,
  updateSegment,
} from '#shared/wire/campaigns.ts'
import { may, type CampaignAct } from '#shared/rules/campaigns/campaigns.ts'
import type { CursorReply } from '#shared/wire/endpoint.ts'
import { checkUnchanged } from '../admin/settings.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Later, type Route } from '../http/router.ts'
import { flag, idText, list, object, oneOf, text, time, whole, sort } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/lists.ts'
import { typeOf } from '../channels/channel-types.ts'
import { requireType } from '../channels/channels.ts'
import { needServer, requireUser } from '../users/users.ts'
import { toText, wakeDueTimer } from '../store/time.ts'
import type { Work } from '../work.ts'
import { readMessage } from '../messages/message-input.ts'
import type { Json } from '../http/json.ts'
import { channelByCid } from '../channels/channel-table.ts'
import {
  campaignList,
  campaignById,
  notSentTargets,
  putCampaign,
  segmentById,
  targetUsers,
  type CampaignRow,
  type CountedCampaign,
  segmentList,
  targetList,
  deleteTarget,
  putSegment,
  putTarget,
  type SegmentRow,
} from './campaign-tables.ts'
import { ended, knownCampaign, laterThan, launch, freeId, remove } from './campaigns.ts'
import { withSizes, type SegmentSizes } from './segments.ts'

const ID = /^[A-Za-z0-9_.:-]{1,255}$/

const memberTemplate = v.looseObject({
  user_id: v.pipe(v.string(), v.minLength(1)),
  channel_role: idText(64),
  custom: object,
})
const campaignBody = v.looseObject({
  id: idText(),
  name: text(255),
  description: text(1_000),
  message_template: object,
  sender_id: idText(),
  sender_mode: oneOf(['include', 'exclude']),
  sender_visibility: oneOf(['hidden', 'archived']),
  segment_ids: list(v.string(), 25),
  user_ids: list(v.string(), 10_000),
  channel_template: v.optional(
    v.looseObject({
      type: v.pipe(v.string(), v.minLength(1)),
      id: idText(64),
      members: list(v.string(), 100),
      members_template: list(memberTemplate, 100),
      team: idText(64),
      custom: object,
    }),
  ),
  create_channels: flag,
  show_channels: flag,
  skip_push: flag,
  skip_webhook: flag,
  expected_updated_at: idText(),
})
type Body = v.InferOutput<typeof campaignBody>

const pageQuery = v.looseObject({
  limit: whole(1_000),
  next: idText(4_000),
  prev: idText(4_000),
  not_sent_limit: whole(10_000),
})

/** Refuses what the state of a campaign rules out. */
function checkMay(act: CampaignAct, { status }: CampaignRow): void {
  if (!may(act, status)) refuse('input', `a campaign that is ${STATE_WORDS[status]} cannot ${ACT_WORDS[act]}`)
}

const STATE_WORDS = {
  draft: 'a draft',
  scheduled: 'scheduled',
  in_progress: 'running',
  completed: 'completed',
  stopped: 'stopped',
} as const
const ACT_WORDS = { change: 'change', start: 'start', stop: 'be stopped', delete: 'be deleted' } as const

/** See docs/wire.md 3.15 and 8.20. */
export const campaignRoutes: readonly Route[] = [
  route(createCampaign, { body: campaignBody }, ({ body, who }, work) => {
    needServer(who)
    const id = body.id ?? work.ids.uuid()
    if (!ID.test(id)) return refuse('input', 'id is not allowed')
    if (campaignById(work.db, id)) return refuse('input', `campaign ${id} already exists`)
    freeId(work.db, 'campaigns', id)
    const ends = { scheduled_for: null, stop_at: null, started_at: null, completed_at: null, gathering: null }
    const times = { created_at: work.now, updated_at: work.now }
    putCampaign(work.db, { id, ...columnsOf(work, body), status: 'draft', ...ends, ...times, channels_created: 0 })
    return encodedReply(work, id)
  }),
  route(getCampaign, { query: pageQuery }, ({ params, query, who }, work) => {
    needServer(who)
    const row = knownCampaign(work, params.id)
    const not_sent = encodeNotSent(work, row, query.not_sent_limit)
    return withSegments(work, [row], (segments) => ({ ...encodeWithUsers(work, row, segments, query), not_sent }))
  }),
  route(updateCampaign, { body: campaignBody }, ({ params, body, who }, work) => {
    needServer(who)
    const row = knownCampaign(work, params.id)
    checkMay('change', row)
    checkUnchanged(row, body.expected_updated_at)
    putCampaign(work.db, { ...row, ...columnsOf(work, body), updated_at: laterThan(row, work) })
    return encodedReply(work, row.id)
  }),
  route(deleteCampaign, {}, ({ params, who }, work) => {
    needServer(who)
    const row = knownCampaign(work, params.id)
    checkMay('delete', row)
    remove(work, 'campaigns', row.id)
    return {}
  }),
  route(
    startCampaign,
    { body: v.looseObject({ scheduled_for: time, stop_at: time, expected_updated_at: idText() }) },
    ({ params, body, who }, work) => {
      needServer(who)
      const row = knownCampaign(work, params.id)
      checkMay('start', row)
      checkUnchanged(row, body.expected_updated_at)
      const stop_at = body.stop_at ?? null
      const at = body.scheduled_for
      if (stop_at !== null && stop_at <= Math.max(work.now, at ?? 0)) {
        refuse('input', 'stop_at must be after the start', { stop_at: 'too early' })
      }
      if (at !== undefined && at > work.now) {
        putCampaign(work.db, {
          ...row,
          status: 'scheduled',
          scheduled_for: at,
          stop_at,
          updated_at: laterThan(row, work),
        })
        work.afterwards(() => wakeDueTimer(work.db))
      } else launch(work, { ...row, scheduled_for: at ?? null, stop_at })
      return encodedReply(work, row.id)
    },
  ),
  route(stopCampaign, {}, ({ params, who }, work) => {
    needServer(who)
    const row = knownCampaign(work, params.id)
    checkMay('stop', row)
    putCampaign(work.db, ended(work, row, 'stopped'))
    const stopped = knownCampaign(work, row.id)
    return withSegments(work, [stopped], (segments) => ({
      campaign: encodeWithUsers(work, stopped, segments).campaign,
    }))
  }),
  route(queryCampaigns, { body: v.looseObject({ ...cursorBody, user_limit: whole(1_000) }) }, ({ body, who }, work) => {
    needServer(who)
    const { rows, cursors } = readCursorPage(work.db, campaignList(body.filter), body)
    const page = body.user_limit === undefined ? {} : { limit: body.user_limit }
    return withSegments(work, rows, (segments) => ({
      campaigns: rows.map((row) => encodeWithUsers(work, row, segments, page).campaign),
      ...cursors,
    }))
  }),
]

function columnsOf(work: Work, body: Body): Pick<CampaignRow, 'name' | 'sender_id' | 'input' | 'segment_ids'> {
  const { id: _id, user: _user, user_id: _userId, expected_updated_at: _expected, ...input } = body
  const sender_id = body.sender_id ?? refuse('input', 'sender_id is required')
  requireUser(work.db, sender_id)
  const template = body.message_template ?? refuse('input', 'message_template is required')
  readMessage({ text: '', ...template })
  if (!template['text'] && !template['poll_id'] && !hasItems(template['attachments'])) {
    return refuse('input', 'message_template needs a text, attachments or a poll')
  }
  if (body.channel_template) requireType(work.db, body.channel_template.type)
  const segment_ids = body.segment_ids ?? []
  for (const id of segment_ids) if (!segmentById(work.db, id)) refuse('doesNotExist', `segment ${id} does not exist`)
  return { name: body.name ?? '', sender_id, input: JSON.stringify(input), segment_ids: JSON.stringify(segment_ids) }
}

const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const DEFAULT_USERS = 100

const DEFAULT_NOT_SENT = 100

/** Empty before the start. */
function encodeNotSent(work: Work, row: CountedCampaign, limit = DEFAULT_NOT_SENT): WireNotSent {
  const targets = notSentTargets(work.db, row.id, limit).map(({ kind, target_id, state, reason, updated_at }) => ({
    kind,
    target_id,
    state,
    reason: reason ?? '',
    updated_at: toText(updated_at),
  }))
  return { count: row.targets - row.targets_sent, targets }
}

type Reply = { campaign: WireCampaign; users: CursorReply }
type Segments = ReadonlyMap<string, WireSegment>

const segmentIdsOf = (row: CampaignRow): string[] => JSON.parse(row.segment_ids) as string[]

/** The reply that needs the segments of these campaigns, each of them counted once. */
function withSegments<Wanted extends object>(
  work: Work,
  campaigns: readonly CampaignRow[],
  reply: (segments: Segments) => Wanted,
): Wanted | Later {
  const rows = [...new Set(campaigns.flatMap(segmentIdsOf))].flatMap((id) => segmentById(work.db, id) ?? [])
  return withSizes(work, rows, (sizes) => reply(new Map(rows.map((row) => [row.id, encodeSegment(row, sizes)]))))
}

function encodedReply(work: Work, id: string): Reply | Later {
  const row = knownCampaign(work, id)
  return withSegments(work, [row], (segments) => encodeWithUsers(work, row, segments))
}

/** A campaign with a page of its users: the named ones, or its targets once it has started. */
function encodeWithUsers(
  work: Work,
  row: CountedCampaign,
  segments: Segments,
  page: { limit?: number; next?: string; prev?: string } = {},
): Reply {
  const input = JSON.parse(row.input) as CampaignInput
  const limit = page.limit ?? DEFAULT_USERS
  const back = page.next === undefined && page.prev !== undefined
  const cursor = page.next ?? page.prev
  const from = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  const named = (input.user_ids ?? []).filter((id) => (back ? id < from : id > from)).toSorted()
  const waiting = back ? named.toReversed() : named
  const ids = row.started_at === null ? waiting : targetUsers(work.db, row.id, from, back, limit + 1)
  const found = ids.slice(0, limit)
  const shown = back ? found.toReversed() : found
  const more = ids.length > limit
  return {
    campaign: encode(work, row, input, shown, segments),
    users: {
      ...((back ? cursor !== undefined : more) ? cursorAt('next', shown.at(-1)) : {}),
      ...((back ? more : cursor !== undefined) ? cursorAt('prev', shown[0]) : {}),
    },
  }
}

const cursorAt = (name: 'next' | 'prev', id: string | undefined): CursorReply =>
  id === undefined ? {} : { [name]: Buffer.from(id).toString('base64url') }

function encode(
  work: Work,
  row: CountedCampaign,
  input: CampaignInput,
  userIds: readonly string[],
  segments: Segments,
): WireCampaign {
  return {
    user_ids: [],
    segment_ids: [],
    create_channels: false,
    show_channels: false,
    skip_push: false,
    skip_webhook: false,
    ...input,
    sender_mode: input.sender_mode || null,
    sender_visibility: input.sender_visibility || null,
    id: row.id,
    name: row.name,
    description: input.description ?? '',
    status: row.status,
    scheduled_for: row.scheduled_for === null ? undefined : toText(row.scheduled_for),
    stop_at: row.stop_at === null ? undefined : toText(row.stop_at),
    segments: segmentIdsOf(row).flatMap((id) => segments.get(id) ?? []),
    users: userIds.map(work.people),
    sender: work.people(row.sender_id),
    stats: {
      progress: row.status === 'completed' ? 1 : row.targets === 0 ? 0 : row.targets_done / row.targets,
      stats_started_at: toText(row.started_at ?? 0),
      stats_completed_at: toText(row.completed_at ?? 0),
      stats_users_sent: row.people_sent,
      ...(confirmsDelivery(work, input) ? { stats_users_delivered: row.people_delivered } : {}),
      stats_users_read: row.people_read,
      stats_messages_sent: row.messages_sent,
      stats_channels_created: row.channels_created,
    },
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

/** Where nobody confirms that a message arrived, nothing is said about it. */
const confirmsDelivery = (work: Work, { channel_template }: CampaignInput): boolean =>
  typeOf(work.db, channel_template?.type ?? DIRECT)?.flags.delivery_events ?? false

const DIRECT = 'messaging'

const SEGMENT_ID = /^[A-Za-z0-9_.:-]{1,255}$/
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
    if (!SEGMENT_ID.test(id)) return refuse('input', 'id is not allowed')
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
    return segmentReply(work, known(work, params.id))
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
  return segmentReply(work, row)
}

const segmentReply = (work: Work, row: SegmentRow): { segment: WireSegment } | Later =>
  withSizes(work, [row], (sizes) => ({ segment: encodeSegment(row, sizes) }))

function encodeSegment(row: SegmentRow, sizes: SegmentSizes): WireSegment {
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
