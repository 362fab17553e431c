import type { WireBan, WireFlag, WireMute } from '#shared/wire/moderation.ts'
import type { Json } from '../http/json.ts'
import { refuse, Refusal } from '../http/refusal.ts'
import type { Cell, Db } from '../store/db.ts'
import {
  and,
  badOperator,
  compileFilter,
  compileSort,
  ORDERED,
  type Condition,
  type FieldTable,
  type SpecialField,
} from '../store/query/compile.ts'
import type { SettingRow } from '../admin/settings.ts'
import type { CursorList } from '../store/query/lists.ts'
import { muteTimes } from '../channels/encode-channels.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import { flagsIn } from '../channels/channel-types.ts'
import { findMessage } from '../messages/message-checks.ts'
import type { Identity } from '../http/auth/identify.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { messageForMany } from '../messages/message-announce.ts'
import type { BanRow, EndedBanRow, UserMuteRow } from './restriction-tables.ts'
import type { FlagRow, ReviewRow } from './flags.ts'

type Sort = readonly { readonly field: string; readonly direction: 1 | -1 }[]

const BANS: FieldTable = {
  fields: {
    user_id: { sql: 'b.user_id', kind: 'text', operators: ORDERED },
    banned_by_id: { sql: 'b.banned_by', kind: 'text', operators: ORDERED },
    created_at: { sql: 'b.created_at', kind: 'time', operators: ORDERED },
    channel_cid: { sql: "nullif(b.cid, '')", kind: 'text', operators: ['$eq', '$in', '$exists'] },
    shadow: { sql: 'b.shadow', kind: 'flag', operators: ['$eq'] },
    reason: {
      sql: 'b.reason',
      kind: 'text',
      operators: [...ORDERED, '$autocomplete'],
      words: 'fold(b.reason)',
    },
  },
}

type BanQuery = {
  readonly filter: Json
  readonly sort: Sort
  readonly limit: number
  readonly offset: number
  /** Leaves out bans that ended before this time. */
  readonly endsAfter?: number
  /** Comparisons with the time of the ban. */
  readonly times: readonly { readonly sign: '>' | '>=' | '<' | '<='; readonly at: number }[]
}

/** See docs/wire.md 6.3 "Bans". */
export function banSql(query: BanQuery): { sql: string; values: Cell[] } {
  if (query.sort.length > 1) refuse('input', 'bans are sorted by one field')
  const ends: Condition[] =
    query.endsAfter === undefined
      ? []
      : [{ sql: '(b.expires_at IS NULL OR b.expires_at > ?)', values: [query.endsAfter] }]
  const where = and([
    compileFilter(query.filter, BANS),
    ...ends,
    ...query.times.map(({ sign, at }) => ({ sql: `b.created_at ${sign} ?`, values: [at] })),
  ])
  const sort = query.sort.length === 0 ? [{ field: 'created_at', direction: -1 as const }] : query.sort
  const direction = sort[0]?.direction === 1 ? '' : ' DESC'
  const order = compileSort(sort, { created_at: 'b.created_at' }, `b.user_id${direction}, b.cid${direction}`)
  return {
    sql: `SELECT b.* FROM bans b WHERE ${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
    values: [...where.values, ...order.values, query.limit, query.offset],
  }
}

/** Bans that are over, the latest first. See docs/wire.md, "What the local server adds". */
export function endedBanSql(query: Pick<BanQuery, 'filter' | 'limit' | 'offset'>): { sql: string; values: Cell[] } {
  const where = compileFilter(query.filter, BANS)
  return {
    sql: `SELECT b.* FROM ended_bans b WHERE ${where.sql} ORDER BY b.ended_at DESC, b.seq DESC LIMIT ? OFFSET ?`,
    values: [...where.values, query.limit, query.offset],
  }
}

export function findEndedBans(db: Db, query: Pick<BanQuery, 'filter' | 'limit' | 'offset'>): EndedBanRow[] {
  const { sql, values } = endedBanSql(query)
  return db.all<EndedBanRow>(sql, ...values)
}

export function findBans(db: Db, query: BanQuery): BanRow[] {
  const { sql, values } = banSql(query)
  return db.all<BanRow>(sql, ...values)
}

/** Clients write the kind of a report first, and after a colon what the reporter adds. */
const reasonOf = (sql: string): string => `substr(${sql}, 1, instr(${sql} || ':', ':') - 1)`

const FLAGS: FieldTable = {
  fields: {
    user_id: { sql: 'f.user_id', kind: 'text', operators: ['$eq', '$in'] },
    channel_cid: { sql: 'f.cid', kind: 'text', operators: ['$eq', '$in'] },
    message_id: { sql: "CASE f.kind WHEN 'message' THEN f.target_id END", kind: 'text', operators: ['$eq', '$in'] },
    target_user_id: { sql: "CASE f.kind WHEN 'user' THEN f.target_id END", kind: 'text', operators: ['$eq', '$in'] },
    is_reviewed: { sql: '(f.reviewed_at IS NOT NULL)', kind: 'flag', operators: ['$eq'] },
    reason: { sql: reasonOf('f.reason'), kind: 'text', operators: ['$eq', '$in'] },
    review_result: { sql: 'f.review_result', kind: 'text', operators: ['$eq', '$in'] },
    created_at: { sql: 'f.created_at', kind: 'time', operators: ORDERED },
  },
}

/** Flags of messages: `user_id` is the author of the message. See docs/wire.md 3.13. */
const MESSAGE_FLAGS: FieldTable = {
  fields: {
    ...FLAGS.fields,
    user_id: {
      sql: '(SELECT m.user_id FROM messages m WHERE m.id = f.target_id)',
      kind: 'text',
      operators: ['$eq', '$in'],
    },
    team: { sql: '(SELECT c.team FROM channels c WHERE c.cid = f.cid)', kind: 'text', operators: ['$eq', '$in'] },
  },
}

/** @param kind absent: flags of messages and of users */
export function flagSql(
  query: { readonly filter: Json; readonly limit: number; readonly offset: number },
  kind?: FlagRow['kind'],
): { sql: string; values: Cell[] } {
  const where = and([
    compileFilter(query.filter, kind === 'message' ? MESSAGE_FLAGS : FLAGS),
    ...(kind === undefined ? [] : [{ sql: 'f.kind = ?', values: [kind] }]),
  ])
  return {
    sql: `SELECT f.* FROM flags f WHERE ${where.sql} ORDER BY f.created_at DESC, f.id LIMIT ? OFFSET ?`,
    values: [...where.values, query.limit, query.offset],
  }
}

/** One text or any of several, found in at least one flag of the item. */
const inFlags =
  (matches: (wanted: string) => string): SpecialField =>
  (operator, value, name) => {
    const wanted: unknown[] = Array.isArray(value) ? value : [value]
    if (operator !== '$eq' && operator !== '$in') return badOperator(name, operator)
    if (wanted.length > 100 || wanted.some((each) => typeof each !== 'string')) {
      return refuse('input', `${name} needs a text or a list of texts`)
    }
    const json = JSON.stringify(wanted)
    const sql = matches('(SELECT value FROM json_each(?))')
    return {
      sql: `EXISTS (SELECT 1 FROM json_each(r.flags) AS flag WHERE ${sql})`,
      values: sql
        .split('?')
        .slice(1)
        .map(() => json),
    }
  }

const isReviewed: SpecialField = (operator, value, name) => {
  if (operator !== '$eq') return badOperator(name, operator)
  if (typeof value !== 'boolean') return refuse('input', `${name} needs true or false`)
  return { sql: value ? "r.status = 'reviewed'" : "r.status = 'needs_review'", values: [] }
}

const REVIEWS: FieldTable = {
  special: {
    reviewed: isReviewed,
    reporter_id: inFlags((wanted) => `json_extract(flag.value, '$.user_id') IN ${wanted}`),
    // The reason of a report, or what a rule found.
    reason: inFlags(
      (wanted) => `(${reasonOf("json_extract(flag.value, '$.reason')")} IN ${wanted} OR EXISTS (
        SELECT 1 FROM json_each(flag.value, '$.labels') AS label WHERE label.value IN ${wanted}))`,
    ),
  },
  fields: {
    id: { sql: 'r.id', kind: 'text', operators: ['$eq', '$in'] },
    entity_type: { sql: 'r.entity_type', kind: 'text', operators: ['$eq', '$in'] },
    entity_id: { sql: 'r.entity_id', kind: 'text', operators: ['$eq', '$in'] },
    entity_creator_id: { sql: 'r.creator_id', kind: 'text', operators: ['$eq', '$in'] },
    config_key: { sql: 'r.config_key', kind: 'text', operators: ['$eq', '$in'] },
    status: { sql: 'r.status', kind: 'text', operators: ['$eq', '$in'] },
    recommended_action: { sql: 'r.recommended_action', kind: 'text', operators: ['$eq', '$in'] },
    channel_cid: { sql: 'r.cid', kind: 'text', operators: ['$eq', '$in'] },
    severity: { sql: 'r.severity', kind: 'number', operators: ORDERED },
    created_at: { sql: 'r.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 'r.updated_at', kind: 'time', operators: ORDERED },
  },
}

/** See docs/wire.md 3.14 `/review_queue`. */
export function reviewList(filter: Json | undefined): CursorList<ReviewRow> {
  return {
    select: 'r.* FROM review_items r',
    where: compileFilter(filter ?? {}, REVIEWS),
    sorts: { created_at: 'r.created_at', updated_at: 'r.updated_at', severity: 'r.severity' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['r.id'],
  }
}

const NAMED: FieldTable = {
  fields: {
    key: { sql: "json_extract(s.json, '$.key')", kind: 'text', operators: ['$eq', '$in'] },
    id: { sql: 's.name', kind: 'text', operators: ['$eq', '$in'] },
    name: { sql: "json_extract(s.json, '$.name')", kind: 'text', operators: ['$eq', '$in'] },
    team: { sql: "json_extract(s.json, '$.team')", kind: 'text', operators: ['$eq', '$in'] },
    enabled: { sql: "json_extract(s.json, '$.enabled')", kind: 'flag', operators: ['$eq'] },
    created_at: { sql: 's.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 's.updated_at', kind: 'time', operators: ORDERED },
  },
}

/** Moderation configurations and rules, by name. */
export function namedList(
  kind: 'moderation_config' | 'moderation_rule',
  filter: Json | undefined,
): CursorList<SettingRow> {
  return {
    select: 's.name, s.json, s.created_at, s.updated_at FROM settings s',
    where: and([{ sql: 's.kind = ?', values: [kind] }, compileFilter(filter ?? {}, NAMED)]),
    sorts: { key: 's.name', id: 's.name', created_at: 's.created_at', updated_at: 's.updated_at' },
    defaultSort: [{ field: 'key', direction: 1 }],
    ties: ['s.name'],
  }
}

export function encodeMute(work: Work, row: UserMuteRow): WireMute {
  return { user: work.people(row.user_id), target: work.people(row.target_id), ...muteTimes(row) }
}

export function encodeBan(work: Work, row: BanRow): WireBan {
  const channel = row.cid === '' ? undefined : channelByCid(work.db, row.cid)
  const flags = channel ? flagsIn(work.db, channel.type, channel.config_overrides) : undefined
  return {
    user: work.people(row.user_id),
    banned_by: row.banned_by === null ? undefined : work.people(row.banned_by),
    channel: channel && flags ? channelForMany(work, { channel, flags }) : undefined,
    reason: row.reason ?? undefined,
    ...(row.expires_at === null ? {} : { expires: toText(row.expires_at) }),
    shadow: row.shadow === 1,
    created_at: toText(row.created_at),
  }
}

export const encodeEndedBan = (work: Work, row: EndedBanRow): WireBan => ({
  ...encodeBan(work, row),
  ended_at: toText(row.ended_at),
  ...(row.ended_by === null ? {} : { ended_by: work.people(row.ended_by) }),
})

export function encodeFlag(work: Work, row: FlagRow): WireFlag {
  const message = row.kind === 'message' ? messageById(work.db, row.target_id) : undefined
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  return {
    user: work.people(row.user_id),
    ...(row.kind === 'message' ? { target_message_id: row.target_id } : { target_user: work.people(row.target_id) }),
    ...(message ? { target_message: messageForMany(work, message), target_user: work.people(message.user_id) } : {}),
    created_by_automod: false,
    reason: row.reason ?? undefined,
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    reviewed_at: row.reviewed_at === null ? undefined : toText(row.reviewed_at),
    reviewed_by: row.reviewed_by === null || row.reviewed_by === '' ? undefined : work.people(row.reviewed_by),
    review_result: row.review_result ?? undefined,
  }
}

/** What became of a report, for the person who made it: not who decided, and not whether someone was banned. */
const RESULTS: Readonly<Record<string, string>> = { delete_message: 'deleted', ban: 'action_taken' }

/**
 * A flag as its reporter sees it. The message is shown while they could read it in its channel; of a deleted one only
 * where it was.
 */
export function encodeOwnFlag(work: Work, who: Identity, row: FlagRow): WireFlag {
  const { reviewed_by: _by, target_message: message, ...flag } = encodeFlag(work, row)
  const isVisible = row.kind === 'message' && findReadable(work, row.target_id, who)
  return {
    ...flag,
    ...(isVisible && message ? { target_message: message } : {}),
    ...(row.review_result === null ? {} : { review_result: RESULTS[row.review_result] ?? 'no_action' }),
  }
}

/** Not readable any more is no refusal here. */
function findReadable(work: Work, id: string, who: Identity): boolean {
  try {
    return findMessage(work, id, who) !== undefined
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export const reportOf = (work: Work, row: FlagRow): WireFlag & { id: string } => ({
  id: row.id,
  ...encodeFlag(work, row),
})
