import type { Json } from '../../http/json.ts'
import { and, compileFilter, type Condition, type Field, type FieldTable, type Operator } from './compile.ts'
import type { DraftRow } from '../../drafts/draft-table.ts'
import type { HistoryEntry } from '../../messages/message-table.ts'
import type { PollRow, VoteRow } from '../../polls/poll-tables.ts'
import type { ReactionRow } from '../../messages/reaction-table.ts'
import type { ReminderRow } from '../../reminders/reminder-table.ts'
import type { CursorList } from './cursor.ts'

/** The lists with cursors about messages. See docs/wire.md 6.3. */

const EXACT: readonly Operator[] = ['$eq', '$in']
const COMPARED: readonly Operator[] = ['$eq', '$gt', '$gte', '$lt', '$lte']

const text = (sql: string, operators: readonly Operator[] = EXACT): Field => ({ sql, kind: 'text', operators })
const time = (sql: string, more: readonly Operator[] = []): Field => ({
  sql,
  kind: 'time',
  operators: [...COMPARED, ...more],
})
const flag = (sql: string): Field => ({ sql, kind: 'flag', operators: ['$eq'] })

const filtered = (base: Condition, filter: Json | undefined, table: FieldTable): Condition =>
  and([base, compileFilter(filter ?? {}, table)])

const DRAFTS: FieldTable = {
  fields: {
    channel_cid: text('d.cid'),
    parent_id: text("nullif(d.parent_id, '')", ['$eq', '$in', '$exists']),
    created_at: time('d.created_at'),
  },
}

export function draftList(userId: string, filter: Json | undefined): CursorList<DraftRow> {
  return {
    select: 'd.* FROM drafts d JOIN channels c ON c.cid = d.cid AND c.deleted_at IS NULL',
    where: filtered({ sql: 'd.user_id = ?', values: [userId] }, filter, DRAFTS),
    sorts: { created_at: 'd.created_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['d.cid', 'd.parent_id'],
  }
}

const REMINDERS: FieldTable = {
  fields: {
    channel_cid: text('r.cid'),
    message_id: text('r.message_id'),
    user_id: text('r.user_id'),
    created_at: time('r.created_at'),
    remind_at: time('r.remind_at', ['$exists']),
  },
}

/** Reminders without a time come last. */
export function reminderList(userId: string, filter: Json | undefined): CursorList<ReminderRow> {
  return {
    select: 'r.* FROM reminders r JOIN messages m ON m.id = r.message_id AND m.deleted_at IS NULL',
    where: filtered({ sql: 'r.user_id = ?', values: [userId] }, filter, REMINDERS),
    sorts: {
      remind_at: 'coalesce(r.remind_at, 9007199254740991)',
      channel_cid: 'r.cid',
      message_id: 'r.message_id',
      created_at: 'r.created_at',
      updated_at: 'r.updated_at',
    },
    defaultSort: [{ field: 'remind_at', direction: 1 }],
    ties: ['r.message_id'],
  }
}

const REACTIONS: FieldTable = {
  fields: {
    type: text('x.type'),
    user_id: text('x.user_id'),
    created_at: time('x.created_at', ['$in', '$exists']),
  },
}

export function reactionList(messageId: string, filter: Json | undefined): CursorList<ReactionRow> {
  return {
    select: 'x.* FROM reactions x',
    where: filtered({ sql: 'x.message_id = ?', values: [messageId] }, filter, REACTIONS),
    sorts: { created_at: 'x.created_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['x.user_id', 'x.type'],
  }
}

const HISTORY: FieldTable = {
  fields: {
    message_id: text('h.message_id'),
    user_id: text('h.written_by'),
    created_at: time('h.written_at'),
    message_updated_at: time('h.written_at'),
    message_updated_by_id: text('h.written_by'),
  },
}

export function historyList(filter: Json | undefined): CursorList<HistoryEntry> {
  return {
    select: 'h.*, m.deleted_at FROM message_history h JOIN messages m ON m.id = h.message_id',
    where: filtered({ sql: '1', values: [] }, filter, HISTORY),
    sorts: { message_updated_at: 'h.written_at', message_updated_by_id: 'h.written_by' },
    defaultSort: [{ field: 'message_updated_at', direction: -1 }],
    ties: ['h.seq'],
  }
}

const POLLS: FieldTable = {
  fields: {
    id: text('p.id'),
    name: text('p.name'),
    created_by_id: text('p.created_by'),
    allow_answers: flag('p.allow_answers'),
    allow_user_suggested_options: flag('p.allow_suggestions'),
    is_closed: flag('p.closed'),
    voting_visibility: text('p.visibility', ['$eq']),
    max_votes_allowed: { sql: 'p.max_votes', kind: 'number', operators: COMPARED },
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
  },
  custom: 'p.custom',
}

/** Polls that the user created or that are on a message in a channel of theirs. A server token sees all. */
export function pollList(userId: string, all: boolean, filter: Json | undefined): CursorList<PollRow> {
  const own: Condition = {
    sql: `(p.created_by = ? OR EXISTS (SELECT 1 FROM messages m JOIN members me ON me.cid = m.cid AND me.user_id = ?
      WHERE m.poll_id = p.id AND m.deleted_at IS NULL AND (m.audience IS NULL OR instr(m.audience, ?) > 0)))`,
    values: [userId, userId, `,${userId},`],
  }
  return {
    select: 'p.* FROM polls p',
    where: filtered(all ? { sql: '1', values: [] } : own, filter, POLLS),
    sorts: {
      id: 'p.id',
      name: 'p.name',
      created_at: 'p.created_at',
      updated_at: 'p.updated_at',
      is_closed: 'p.closed',
    },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['p.id'],
  }
}

const VOTES: FieldTable = {
  fields: {
    id: text('v.id'),
    poll_id: text('v.poll_id'),
    user_id: text('v.user_id'),
    option_id: text("nullif(v.option_id, '')", ['$eq', '$in', '$exists']),
    is_answer: flag('(v.answer IS NOT NULL)'),
    created_at: time('v.created_at'),
    updated_at: time('v.updated_at'),
  },
}

/** @param onlyOf anonymous polls: only this user's own votes */
export function voteList(pollId: string, onlyOf: string | undefined, filter: Json | undefined): CursorList<VoteRow> {
  const byUser: Condition = onlyOf === undefined ? { sql: '1', values: [] } : { sql: 'v.user_id = ?', values: [onlyOf] }
  return {
    select: 'v.* FROM poll_votes v',
    where: filtered(and([{ sql: 'v.poll_id = ?', values: [pollId] }, byUser]), filter, VOTES),
    sorts: { id: 'v.id', created_at: 'v.created_at', updated_at: 'v.updated_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['v.id'],
  }
}
