import type { Json } from '../../http/json.ts'
import type { Identity } from '../../http/auth/identify.ts'
import type { Db } from '../../store/db.ts'
import { appSettings } from '../../admin/settings.ts'
import { SECOND } from '../../store/time.ts'
import { compileFilter, ORDERED, type FieldTable } from '../../store/query/compile.ts'
import type { CursorList } from '../../store/query/lists.ts'
import type { Work } from '../../work.ts'

/** One value that an action changed. Absent: there was none, or it was taken away. */
export type LoggedChange = { readonly field: string; readonly from?: string; readonly to?: string }

/** What a moderator or an administrator did. Never contains the text of a message. */
export type LoggedAction = {
  readonly action: string
  /** About whom. */
  readonly targetId?: string | null
  readonly cid?: string
  readonly messageId?: string
  /** The name of what was changed: a channel type, a role, a rule. */
  readonly subject?: string
  readonly reason?: string
  readonly changes?: readonly LoggedChange[]
  /** How, such as `hard` for a deletion. */
  readonly how?: string
  /** Seconds; for what ends by itself. */
  readonly seconds?: number
}

export type ActionRow = {
  readonly seq: number
  readonly at: number
  readonly user_id: string | null
  readonly action: string
  readonly target_id: string | null
  readonly cid: string | null
  readonly message_id: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly details: string
}

/** Longer lists of changes and longer values are cut off. */
const MAX_CHANGES = 50
const MAX_VALUE = 200

/** Logs an action of the caller in the transaction that carries it out. Absent `who`: the server itself. */
export function logAction(work: Pick<Work, 'db' | 'now'>, who: Identity | undefined, action: LoggedAction): void {
  const { changes = [], how, seconds } = action
  if (action.changes !== undefined && changes.length === 0) return
  const details = {
    ...(changes.length === 0 ? {} : { changes: changes.slice(0, MAX_CHANGES).map(shortened) }),
    ...(how === undefined ? {} : { how }),
    ...(seconds === undefined ? {} : { seconds }),
  }
  work.db.run(
    `INSERT INTO actions (at, user_id, action, target_id, cid, message_id, subject, reason, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    work.now,
    who === undefined ? null : actorOf(who),
    action.action,
    action.targetId ?? null,
    action.cid ?? null,
    action.messageId ?? null,
    action.subject ?? null,
    action.reason ?? null,
    JSON.stringify(details),
  )
}

/** The user that acts, or the one who uses the server token. */
export const actorOf = ({ userId, usedBy }: Identity): string | null => userId || (usedBy ?? null)

const shortened = ({ field, from, to }: LoggedChange): LoggedChange => ({
  field,
  ...(from === undefined ? {} : { from: from.slice(0, MAX_VALUE) }),
  ...(to === undefined ? {} : { to: to.slice(0, MAX_VALUE) }),
})

const ACTIONS: FieldTable = {
  fields: {
    user_id: { sql: 'a.user_id', kind: 'text', operators: ['$eq', '$in'] },
    action: { sql: 'a.action', kind: 'text', operators: ['$eq', '$in'] },
    target_user_id: { sql: 'a.target_id', kind: 'text', operators: ['$eq', '$in'] },
    channel_cid: { sql: 'a.cid', kind: 'text', operators: ['$eq', '$in'] },
    message_id: { sql: 'a.message_id', kind: 'text', operators: ['$eq', '$in'] },
    created_at: { sql: 'a.at', kind: 'time', operators: ORDERED },
  },
}

/** See docs/wire.md 3.14 `/logs`. */
export const actionList = (filter: Json | undefined): CursorList<ActionRow> => ({
  select: 'a.* FROM actions a',
  where: compileFilter(filter ?? {}, ACTIONS),
  sorts: { created_at: 'a.at' },
  defaultSort: [{ field: 'created_at', direction: -1 }],
  ties: ['a.seq'],
})

/** Entries are deleted after this many days, unless the setting `moderation_log_days` says otherwise. */
const LOG_DAYS = 730
export const LOG_DAYS_LIMITS = { least: 1, most: 3_650 }
/** The most entries that are kept, however young: the oldest ones go first. */
const MAX_ACTIONS = 200_000
/** Entries deleted in one transaction: after a change of the setting there may be very many. */
const AT_ONCE = 1_000
const DAY = 86_400 * SECOND

/** For how many days entries are kept. */
export function logDays(db: Db): number {
  const days = appSettings(db)['moderation_log_days']
  return typeof days === 'number' ? days : LOG_DAYS
}

export const OLD_ACTIONS = `DELETE FROM actions WHERE seq IN
  (SELECT seq FROM actions WHERE at < ? ORDER BY at, seq LIMIT ${AT_ONCE})`
export const TOO_MANY_ACTIONS = `DELETE FROM actions WHERE seq IN
  (SELECT seq FROM actions WHERE seq <= (SELECT max(seq) FROM actions) - ? ORDER BY seq LIMIT ${AT_ONCE})`

export const OLD_BANS = `DELETE FROM ended_bans WHERE seq IN
  (SELECT seq FROM ended_bans WHERE ended_at < ? ORDER BY ended_at, seq LIMIT ${AT_ONCE})`

/** Deletes entries that are too old or too many, and bans that ended as long ago. */
export function pruneActions(db: Db, now: number, most = MAX_ACTIONS): void {
  const from = now - logDays(db) * DAY
  db.run(OLD_ACTIONS, from)
  db.run(OLD_BANS, from)
  db.run(TOO_MANY_ACTIONS, most)
}

/** When the oldest logged action was, if there is one. */
export const oldestAction = (db: Db): number | undefined =>
  db.get<{ at: number }>('SELECT at FROM actions ORDER BY at, seq LIMIT 1')?.at
