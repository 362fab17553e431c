import type { Json } from '../http/json.ts'
import { COUNTS_AS_UNREAD } from './participant-table.ts'
import {
  and,
  compileFilter,
  type Condition,
  type Field,
  type FieldTable,
  type Operator,
} from '../store/query/compile.ts'
import { NOT_BLOCKED } from '../users/people-tables.ts'
import type { MessageRow } from '../messages/message-table.ts'
import type { CursorList } from '../store/query/cursor.ts'

const COMPARED: readonly Operator[] = ['$eq', '$gt', '$gte', '$lt', '$lte']
const EXACT: readonly Operator[] = ['$eq', '$in']
const text = (sql: string): Field => ({ sql, kind: 'text', operators: EXACT })
const compared = (sql: string, kind: Field['kind']): Field => ({ sql, kind, operators: COMPARED })

const REPLY = 'FROM messages r WHERE r.parent_id = m.id AND r.deleted_at IS NULL AND r.audience IS NULL'
const FIRST_AT = `(SELECT r.created_at ${REPLY} ORDER BY r.created_at, r.id LIMIT 1)`
const FIRST_BY = `(SELECT r.user_id ${REPLY} ORDER BY r.created_at, r.id LIMIT 1)`
const LAST_AT = `(SELECT r.created_at ${REPLY} ORDER BY r.created_at DESC, r.id DESC LIMIT 1)`
const UPDATED_AT = `max(${LAST_AT}, coalesce(t.updated_at, 0))`
const HAS_UNREAD = `(EXISTS (SELECT 1 FROM messages r WHERE r.parent_id = p.parent_id AND ${COUNTS_AS_UNREAD}))`
const PARTICIPANTS = '(SELECT count(*) FROM thread_participants x WHERE x.parent_id = m.id)'
const ACTIVE = `(SELECT count(*) FROM thread_participants x JOIN members a ON a.cid = x.cid AND a.user_id = x.user_id
  WHERE x.parent_id = m.id)`

/** See docs/wire.md 6.3 "Threads". */
const FIELDS: FieldTable = {
  fields: {
    channel_cid: text('m.cid'),
    parent_message_id: text('m.id'),
    created_by_user_id: text(FIRST_BY),
    created_at: compared(FIRST_AT, 'time'),
    updated_at: compared(UPDATED_AT, 'time'),
    last_message_at: compared(LAST_AT, 'time'),
    reply_count: compared('m.reply_count', 'number'),
    participant_count: compared(PARTICIPANTS, 'number'),
    active_participant_count: compared(ACTIVE, 'number'),
    has_unread: { sql: HAS_UNREAD, kind: 'flag', operators: ['$eq'] },
    'channel.team': text('c.team'),
    'channel.disabled': { sql: 'c.disabled', kind: 'flag', operators: ['$eq'] },
  },
  custom: 't.custom',
}

/** Threads a user takes part in, in channels they are still a member of. */
export function threadList(userId: string, filter: Json | undefined): CursorList<MessageRow> {
  const own: Condition = {
    sql: `p.user_id = ? AND m.reply_count > 0 AND m.deleted_at IS NULL AND c.deleted_at IS NULL
      AND m.created_at > max(coalesce(c.truncated_at, 0), coalesce(me.hide_before, 0))
      AND (m.audience IS NULL OR instr(m.audience, ?) > 0) AND m.${NOT_BLOCKED}`,
    values: [userId, `,${userId},`, userId],
  }
  return {
    select: `m.* FROM thread_participants p JOIN messages m ON m.id = p.parent_id JOIN channels c ON c.cid = m.cid
      JOIN members me ON me.cid = m.cid AND me.user_id = p.user_id LEFT JOIN thread_details t ON t.parent_id = m.id`,
    where: and([own, compileFilter(filter ?? {}, FIELDS)]),
    sorts: {
      has_unread: HAS_UNREAD,
      last_message_at: LAST_AT,
      parent_message_id: 'm.id',
      created_at: FIRST_AT,
      updated_at: UPDATED_AT,
      reply_count: 'm.reply_count',
      participant_count: PARTICIPANTS,
      active_participant_count: ACTIVE,
    },
    defaultSort: [
      { field: 'has_unread', direction: -1 },
      { field: 'last_message_at', direction: -1 },
      { field: 'parent_message_id', direction: -1 },
    ],
    ties: ['m.id'],
  }
}
