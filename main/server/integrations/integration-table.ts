import {
  type CallOutcome,
  type IntegrationEvent,
  type IntegrationKind,
  CALL_DAYS,
  REVOKED_DAYS,
} from '#shared/domain/manage/integrations.ts'
import { cacheOf, type Db } from '../store/db.ts'
import { SECOND, type Micros } from '../store/time.ts'

export type IntegrationRow = {
  readonly id: string
  readonly kind: IntegrationKind
  readonly name: string
  readonly cid: string | null
  readonly url: string | null
  readonly command: string | null
  readonly hint: string | null
  /** JSON list of {@link IntegrationEvent}. */
  readonly events: string
  /** The end of an address, or what calls are signed with. Absent after a restored backup, until it is asked for. */
  readonly secret: string | null
  readonly hash: string | null
  readonly key_start: string | null
  /** The user in whose name its messages are. */
  readonly bot_id: string | null
  readonly created_by: string
  readonly created_at: Micros
  readonly paused: number
  readonly revoked_at: Micros | null
  /** Failures in a row. */
  readonly fails: number
  /** When the first of its waiting events is sent. */
  readonly next_at: Micros | null
}

const DAY = 86_400 * SECOND

/** The most integrations that are in use. */
export const MOST_INTEGRATIONS = 200

const LIST = `SELECT * FROM integrations WHERE revoked_at IS NULL OR revoked_at > ? ORDER BY created_at, id`

/** Those in use, and those revoked lately. */
export const listIntegrations = (db: Db, now: Micros): IntegrationRow[] =>
  db.all<IntegrationRow>(LIST, now - REVOKED_DAYS * DAY)

export const integrationById = (db: Db, id: string): IntegrationRow | undefined =>
  db.get<IntegrationRow>('SELECT * FROM integrations WHERE id = ?', id)

const BY_HASH = 'SELECT * FROM integrations WHERE hash = ?'

export const integrationByHash = (db: Db, hash: string): IntegrationRow | undefined =>
  db.get<IntegrationRow>(BY_HASH, hash)

/** Not revoked and not paused; read with every event, hence cached. */
const workingCache = cacheOf<readonly IntegrationRow[]>(['integrations'])

export function workingIntegrations(db: Db): readonly IntegrationRow[] {
  const cache = workingCache(db)
  const known = cache.get('all')
  if (known) return known
  const rows = db.all<IntegrationRow>('SELECT * FROM integrations WHERE revoked_at IS NULL AND paused = 0')
  cache.set('all', rows)
  return rows
}

export const eventsOf = (row: Pick<IntegrationRow, 'events'>): readonly IntegrationEvent[] =>
  JSON.parse(row.events) as IntegrationEvent[]

export function insertIntegration(db: Db, row: IntegrationRow): void {
  db.changing('integrations').run(
    `INSERT INTO integrations (id, kind, name, cid, url, command, hint, events, secret, hash, key_start, bot_id,
       created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.kind,
    row.name,
    row.cid,
    row.url,
    row.command,
    row.hint,
    row.events,
    row.secret,
    row.hash,
    row.key_start,
    row.bot_id,
    row.created_by,
    row.created_at,
  )
}

type Changeable = Omit<IntegrationRow, 'id' | 'kind' | 'created_by' | 'created_at' | 'bot_id' | 'command' | 'key_start'>

const COLUMNS: readonly (keyof Changeable)[] = [
  'name',
  'cid',
  'url',
  'hint',
  'events',
  'secret',
  'hash',
  'paused',
  'revoked_at',
  'fails',
  'next_at',
]

export function changeIntegration(db: Db, id: string, change: Partial<Changeable>): void {
  const names = COLUMNS.filter((name) => change[name] !== undefined)
  if (names.length === 0) return
  db.changing('integrations').run(
    `UPDATE integrations SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...names.map((name) => change[name] ?? null),
    id,
  )
}

export type CallRow = {
  readonly seq: number
  readonly integration_id: string
  readonly at: Micros
  /** Milliseconds. */
  readonly took: number
  readonly status: number | null
  readonly outcome: CallOutcome
  readonly what: string
  readonly source: string
  readonly request: string | null
}

/** The most calls that are kept of one integration. */
const MOST_CALLS = 500
const SHOWN_CALLS = 200
const WHAT_LENGTH = 160
const REQUEST_LENGTH = 2_000

const OLDEST_KEPT = `SELECT seq FROM integration_calls WHERE integration_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ${MOST_CALLS}`

export function insertCall(db: Db, row: Omit<CallRow, 'seq'>): void {
  db.run(
    `INSERT INTO integration_calls (integration_id, at, took, status, outcome, what, source, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.integration_id,
    row.at,
    Math.max(0, Math.round(row.took)),
    row.status,
    row.outcome,
    row.what.slice(0, WHAT_LENGTH).toWellFormed(),
    row.source.slice(0, 100),
    row.request === null ? null : row.request.slice(0, REQUEST_LENGTH).toWellFormed(),
  )
  const oldest = db.get<{ seq: number }>(OLDEST_KEPT, row.integration_id)
  if (oldest)
    db.run('DELETE FROM integration_calls WHERE integration_id = ? AND seq <= ?', row.integration_id, oldest.seq)
}

const NEWEST_CALLS = `SELECT * FROM integration_calls WHERE integration_id = ? AND at > ? ORDER BY seq DESC LIMIT ${SHOWN_CALLS}`

/** Newest first. */
export const callsOf = (db: Db, id: string, now: Micros): CallRow[] =>
  db.all<CallRow>(NEWEST_CALLS, id, now - CALL_DAYS * DAY)

export const lastCallOf = (db: Db, id: string): CallRow | undefined =>
  db.get<CallRow>('SELECT * FROM integration_calls WHERE integration_id = ? ORDER BY seq DESC LIMIT 1', id)

const OLD_CALLS = 'DELETE FROM integration_calls WHERE at <= ?'

export function pruneCalls(db: Db, now: Micros): void {
  db.run(OLD_CALLS, now - CALL_DAYS * DAY)
}

export type QueuedRow = {
  readonly seq: number
  /** Sent with every try, so that a program can tell a repeated one. */
  readonly id: string
  readonly integration_id: string
  readonly event: string
  /** JSON. */
  readonly body: string
  readonly tries: number
}

const FIRST_QUEUED = 'SELECT * FROM integration_queue WHERE integration_id = ? ORDER BY seq LIMIT 1'

export const firstQueued = (db: Db, id: string): QueuedRow | undefined => db.get<QueuedRow>(FIRST_QUEUED, id)

export const countQueued = (db: Db, id: string): number =>
  db.get<{ n: number }>('SELECT count(*) AS n FROM integration_queue WHERE integration_id = ?', id)?.n ?? 0

export function enqueue(db: Db, row: Pick<QueuedRow, 'id' | 'integration_id' | 'event' | 'body'>): void {
  db.run(
    'INSERT INTO integration_queue (id, integration_id, event, body) VALUES (?, ?, ?, ?)',
    row.id,
    row.integration_id,
    row.event,
    row.body,
  )
}

export const setTries = (db: Db, seq: number, tries: number): void =>
  void db.run('UPDATE integration_queue SET tries = ? WHERE seq = ?', tries, seq)

export const dequeue = (db: Db, seq: number): boolean => db.run('DELETE FROM integration_queue WHERE seq = ?', seq) > 0

export const dropQueue = (db: Db, id: string): void =>
  void db.run('DELETE FROM integration_queue WHERE integration_id = ?', id)

/** The second oldest: the oldest may be on its way. */
const SECOND_QUEUED = 'SELECT * FROM integration_queue WHERE integration_id = ? ORDER BY seq LIMIT 1 OFFSET 1'
export const secondQueued = (db: Db, id: string): QueuedRow | undefined => db.get<QueuedRow>(SECOND_QUEUED, id)

/** Small: the table has as many rows as there are integrations. */
const DUE = 'SELECT * FROM integrations WHERE next_at <= ? AND revoked_at IS NULL AND paused = 0'
export const dueIntegrations = (db: Db, now: Micros): IntegrationRow[] => db.all<IntegrationRow>(DUE, now)

/** After a start, whatever waits is tried at once: what was on its way when the server ended, too. */
export function hurry(db: Db, now: Micros): void {
  db.changing('integrations').run('UPDATE integrations SET next_at = ? WHERE next_at > ?', now, now)
}
