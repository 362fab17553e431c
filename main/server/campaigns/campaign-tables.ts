import type { Db } from '../store/db.ts'
import type { Json } from '../http/json.ts'
import { and, compileFilter, listField, ORDERED, type FieldTable } from '../store/query/compile.ts'
import type { CursorList } from '../store/query/lists.ts'

export type SegmentRow = {
  readonly id: string
  readonly type: 'user' | 'channel'
  readonly name: string
  readonly description: string
  readonly filter: string
  readonly all_users: number
  readonly all_sender_channels: number
  readonly created_at: number
  readonly updated_at: number
}

export function segmentById(db: Db, id: string): SegmentRow | undefined {
  return db.get<SegmentRow>('SELECT * FROM segments WHERE id = ? AND removed_at IS NULL', id)
}

export function putSegment(db: Db, row: SegmentRow): void {
  db.run(
    `INSERT INTO segments (id, type, name, description, filter, all_users, all_sender_channels, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       filter = excluded.filter, updated_at = excluded.updated_at`,
    row.id,
    row.type,
    row.name,
    row.description,
    row.filter,
    row.all_users,
    row.all_sender_channels,
    row.created_at,
    row.updated_at,
  )
}

export function putTarget(db: Db, segmentId: string, targetId: string, at: number): void {
  db.changing('segment_targets').run(
    'INSERT INTO segment_targets (segment_id, target_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    segmentId,
    targetId,
    at,
  )
}

export function deleteTarget(db: Db, segmentId: string, targetId: string): void {
  db.changing('segment_targets').run(
    'DELETE FROM segment_targets WHERE segment_id = ? AND target_id = ?',
    segmentId,
    targetId,
  )
}

type CampaignStatus = 'draft' | 'scheduled' | 'in_progress' | 'completed' | 'stopped'

export type CampaignRow = {
  readonly id: string
  readonly name: string
  readonly sender_id: string
  readonly status: CampaignStatus
  /** The input as JSON in the form of the contract. */
  readonly input: string
  readonly segment_ids: string
  readonly scheduled_for: number | null
  readonly stop_at: number | null
  readonly started_at: number | null
  readonly completed_at: number | null
  readonly channels_created: number
  readonly created_at: number
  readonly updated_at: number
  /** How far its people have been gathered, as JSON; `null`: to the end, or it has not started. */
  readonly gathering: string | null
}

/** What became of it, counted by triggers of the store as it happens. */
type CampaignCounts = {
  readonly targets: number
  readonly targets_done: number
  readonly targets_sent: number
  readonly people_sent: number
  readonly people_delivered: number
  readonly people_read: number
  readonly messages_sent: number
}
export type CountedCampaign = CampaignRow & CampaignCounts

export function campaignById(db: Db, id: string): CountedCampaign | undefined {
  return db.get<CountedCampaign>('SELECT * FROM campaigns WHERE id = ? AND removed_at IS NULL', id)
}

export function putCampaign(db: Db, row: CampaignRow): void {
  db.run(
    `INSERT INTO campaigns (id, name, sender_id, status, input, segment_ids, scheduled_for, stop_at, started_at,
       completed_at, channels_created, created_at, updated_at, gathering)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, sender_id = excluded.sender_id, status = excluded.status,
       input = excluded.input, segment_ids = excluded.segment_ids, scheduled_for = excluded.scheduled_for,
       stop_at = excluded.stop_at, started_at = excluded.started_at, completed_at = excluded.completed_at,
       channels_created = excluded.channels_created, updated_at = excluded.updated_at,
       gathering = excluded.gathering`,
    row.id,
    row.name,
    row.sender_id,
    row.status,
    row.input,
    row.segment_ids,
    row.scheduled_for,
    row.stop_at,
    row.started_at,
    row.completed_at,
    row.channels_created,
    row.created_at,
    row.updated_at,
    row.gathering,
  )
}

export type CampaignTarget = {
  readonly campaign_id: string
  readonly kind: 'user' | 'channel'
  readonly target_id: string
  readonly state: 'pending' | 'sent' | 'skipped' | 'failed'
  readonly cid: string | null
  readonly message_id: string | null
  readonly reason: string | null
  readonly updated_at: number
}

export function putCampaignTarget(db: Db, row: CampaignTarget): void {
  db.run(
    `INSERT INTO campaign_targets (campaign_id, kind, target_id, state, cid, message_id, reason, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (campaign_id, kind, target_id) DO UPDATE SET state = excluded.state, cid = excluded.cid,
       message_id = excluded.message_id, reason = excluded.reason, updated_at = excluded.updated_at`,
    row.campaign_id,
    row.kind,
    row.target_id,
    row.state,
    row.cid,
    row.message_id,
    row.reason,
    row.updated_at,
  )
}

/** Whose turn is to come: whoever is there already is left as they are. */
export function addCampaignTarget(db: Db, campaignId: string, kind: 'user' | 'channel', id: string, at: number): void {
  db.run(
    `INSERT INTO campaign_targets (campaign_id, kind, target_id, state, updated_at) VALUES (?, ?, ?, 'pending', ?)
     ON CONFLICT DO NOTHING`,
    campaignId,
    kind,
    id,
    at,
  )
}

export const PENDING = `SELECT * FROM campaign_targets INDEXED BY campaign_targets_pending
  WHERE campaign_id = ? AND state = 'pending' LIMIT ?`

export function pendingTargets(db: Db, campaignId: string, limit: number): CampaignTarget[] {
  return db.all<CampaignTarget>(PENDING, campaignId, limit)
}

/** The message of this campaign in a channel, if one was sent there. */
export function sentIn(db: Db, campaignId: string, cid: string): string | undefined {
  return db.get<{ message_id: string }>(SENT_IN, campaignId, cid)?.message_id
}

export const SENT_IN = `SELECT message_id FROM campaign_targets INDEXED BY campaign_targets_sent
  WHERE campaign_id = ? AND cid = ? AND state = 'sent' LIMIT 1`

/** Those without the message: where it failed first, then those whose turn has not come. */
export function notSentTargets(db: Db, campaignId: string, limit: number): CampaignTarget[] {
  const failed = db.all<CampaignTarget>(
    `SELECT * FROM campaign_targets WHERE campaign_id = ? AND state IN ('failed', 'skipped')
     ORDER BY kind, target_id LIMIT ?`,
    campaignId,
    limit,
  )
  return [...failed, ...pendingTargets(db, campaignId, limit - failed.length)]
}

/** Users of a campaign sorted by id, forwards or backwards from one id. */
export function targetUsers(db: Db, campaignId: string, from: string, back: boolean, limit: number): string[] {
  const order = back ? '< ? ORDER BY target_id DESC' : '> ? ORDER BY target_id'
  return db
    .all<{ target_id: string }>(
      `SELECT target_id FROM campaign_targets WHERE campaign_id = ? AND kind = 'user' AND target_id ${order} LIMIT ?`,
      campaignId,
      from,
      limit,
    )
    .map((row) => row.target_id)
}

/** See docs/wire.md 6.3 "Campaigns", "Segments", "Segment targets". */

const CAMPAIGNS: FieldTable = {
  fields: {
    id: { sql: 'c.id', kind: 'text', operators: ORDERED },
    name: { sql: 'c.name', kind: 'text', operators: ORDERED },
    sender_id: { sql: 'c.sender_id', kind: 'text', operators: ORDERED },
    status: { sql: 'c.status', kind: 'text', operators: ORDERED },
    created_at: { sql: 'c.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 'c.updated_at', kind: 'time', operators: ORDERED },
  },
  special: { segments: listField('c.segment_ids') },
}

export function campaignList(filter: Json | undefined): CursorList<CountedCampaign> {
  return {
    select: 'c.* FROM campaigns c',
    where: and([{ sql: 'c.removed_at IS NULL', values: [] }, compileFilter(filter ?? {}, CAMPAIGNS)]),
    sorts: { id: 'c.id', name: 'c.name', status: 'c.status', created_at: 'c.created_at', updated_at: 'c.updated_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['c.id'],
  }
}

const SEGMENTS: FieldTable = {
  fields: {
    id: { sql: 's.id', kind: 'text', operators: ORDERED },
    name: { sql: 's.name', kind: 'text', operators: ORDERED },
    all_users: { sql: 's.all_users', kind: 'flag', operators: ['$eq', '$exists'] },
    type: { sql: 's.type', kind: 'text', operators: ['$eq', '$in', '$exists'] },
    created_at: { sql: 's.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 's.updated_at', kind: 'time', operators: ORDERED },
  },
}

export function segmentList(filter: Json | undefined): CursorList<SegmentRow> {
  return {
    select: 's.* FROM segments s',
    where: and([{ sql: 's.removed_at IS NULL', values: [] }, compileFilter(filter ?? {}, SEGMENTS)]),
    sorts: { id: 's.id', name: 's.name', created_at: 's.created_at', updated_at: 's.updated_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['s.id'],
  }
}

const TARGETS: FieldTable = {
  fields: { target_id: { sql: 't.target_id', kind: 'text', operators: ['$eq', '$gte', '$in', '$lte'] } },
}

export function targetList(
  segmentId: string,
  filter: Json | undefined,
): CursorList<{ segment_id: string; target_id: string; created_at: number }> {
  return {
    select: 't.* FROM segment_targets t',
    where: and([{ sql: 't.segment_id = ?', values: [segmentId] }, compileFilter(filter ?? {}, TARGETS)]),
    sorts: { target_id: 't.target_id', created_at: 't.created_at' },
    defaultSort: [{ field: 'target_id', direction: 1 }],
    ties: ['t.target_id'],
  }
}
