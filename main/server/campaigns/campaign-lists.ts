import type { Json } from '../http/json.ts'
import { and, compileFilter, listField, ORDERED, type FieldTable } from '../store/query/compile.ts'
import type { CampaignRow, SegmentRow } from './campaign-tables.ts'
import type { CursorList } from '../store/query/cursor.ts'

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

export function campaignList(filter: Json | undefined): CursorList<CampaignRow> {
  return {
    select: 'c.* FROM campaigns c',
    where: compileFilter(filter ?? {}, CAMPAIGNS),
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
    where: compileFilter(filter ?? {}, SEGMENTS),
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
