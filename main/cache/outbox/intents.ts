import type { IntentKind, IntentState } from '#shared/domain/intent.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { crc32 } from 'node:zlib'
import type { IntentReason, IntentRow, IntentInsert } from '../rows.ts'
import type { Bind } from '#main/lib/sqlite/sql.ts'
import { type CacheSql, fromJson, type Reader, type Tx } from '../store.ts'
import { checked, sumOf } from '../files/sums.ts'

/** Pending intents, oldest first. In `outbox.db`. */
const PAYLOAD_LIMIT = 65_536

type Stored = {
  seq: number
  id: string
  cid: string
  thread_root: string | null
  kind: string
  entity_id: string
  depends_on: string | null
  payload: string
  created_at: number
  attempts: number
  next_at: number
  state: string
  reason: string | null
  crc: number
  sum?: number | null
}

const ALL = 'SELECT * FROM intents ORDER BY seq'
const BY_ID = 'SELECT * FROM intents WHERE id = ?'
const COUNT = 'SELECT count(*) AS n FROM intents'
const INTO = `INTO intents (seq, id, cid, thread_root, kind, entity_id, depends_on, payload, created_at, attempts, next_at,
  state, reason, crc, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const ADD = `INSERT ${INTO} RETURNING *`
const RESTORE = `INSERT OR REPLACE ${INTO}`
/** Never a previously used one, even if its row was deleted. */
const NEXT_SEQ = `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'intents'), 0),
  coalesce((SELECT max(seq) FROM intents), 0)) + 1 AS seq`
/** What changes of an intent; no index contains it. */
const UPDATE = `UPDATE intents SET payload = ?, attempts = ?, next_at = ?, state = ?, reason = ?, crc = ?, sum = ?
  WHERE id = ?`
const REMOVE = 'DELETE FROM intents WHERE id = ? RETURNING *'
const INFLIGHT = `SELECT * FROM intents WHERE state = 'inflight' ORDER BY seq`

/** Oldest first. */
export const all = (reader: Reader): readonly IntentRow[] =>
  reader.db.all<Stored>(ALL).map((stored) => toRow(reader.db, stored))

export function byId(reader: Reader, id: string): IntentRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, id)
  return stored && toRow(reader.db, stored)
}

export const count = (reader: Reader): number => reader.db.get<{ n: number }>(COUNT)?.n ?? 0

/** Appends; the state is `ready` unless given. Throws `outbox/too-big` if the payload exceeds 64 KB. */
export function add(tx: Tx, intent: IntentInsert): IntentRow {
  const { nextAt = 0, state = 'ready' } = intent
  const seq = tx.db.get<{ seq: number }>(NEXT_SEQ)?.seq ?? 1
  const row = { ...intent, seq, attempts: 0, nextAt, state }
  const stored = tx.db.get<Stored>(ADD, ...columnsOf(row))
  if (!stored) throw new AppError('outbox/not-stored')
  touchIntent(tx, row)
  return toRow(tx.db, stored)
}

/** Writes the row in place; does nothing if it was deleted. Throws `outbox/too-big`. */
export function update(tx: Tx, row: IntentRow): void {
  const { place, progress } = storedOf(row)
  if (tx.db.run(UPDATE, place.payload, ...progress, row.id) > 0) touchIntent(tx, row)
}

/** Completed or discarded. */
export function remove(tx: Tx, id: string): IntentRow | undefined {
  const stored = tx.db.get<Stored>(REMOVE, id)
  if (!stored) return undefined
  const row = toRow(tx.db, stored)
  touchIntent(tx, row)
  return row
}

/** At start: in-flight intents are ready to be sent again. Returns how many. */
export function recoverInflight(tx: Tx): number {
  const found = tx.db.all<Stored>(INFLIGHT)
  for (const stored of found) update(tx, { ...toRow(tx.db, stored), state: 'ready' })
  return found.length
}

/** Writes a row with its own `seq`. Called directly only for salvage. */
export function restore(tx: Tx, row: IntentRow): void {
  tx.db.run(RESTORE, ...columnsOf(row))
  touchIntent(tx, row)
}

/** The columns of {@link INTO}. */
function columnsOf(row: IntentRow): readonly Bind[] {
  const { place, progress } = storedOf(row)
  return [...Object.values(place), ...progress]
}

/** The columns in their order; most changes are about its progress. */
function storedOf(row: IntentRow) {
  const payload = payloadOf(row.payload)
  const { seq, id, cid, kind, state, attempts } = row
  const { threadRoot: thread_root = null, entityId: entity_id, dependsOn: depends_on = null } = row
  const { createdAt: created_at, nextAt: next_at } = row
  const reason = row.reason ? JSON.stringify(row.reason) : null
  const place = { seq, id, cid, thread_root, kind, entity_id, depends_on, payload, created_at }
  const sum = sumOf('intents', { ...place, attempts, next_at, state, reason })
  const crc = checksum({ id, cid, kind, entity_id, payload })
  return { place, progress: [attempts, next_at, state, reason, crc, sum] }
}

function touchIntent(tx: Tx, row: Pick<IntentRow, 'id' | 'cid' | 'threadRoot' | 'entityId' | 'kind'>): void {
  tx.touch('outbox', row.id)
  tx.touch('messages', row.entityId)
  tx.touch('channels', row.cid)
  tx.touchWindow('outbox')
  tx.touchWindow(`timeline:${row.cid}`)
  if (row.threadRoot !== undefined) tx.touchWindow(`thread:${row.threadRoot}`)
}

function payloadOf(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  if (Buffer.byteLength(text) > PAYLOAD_LIMIT)
    throw new AppError('outbox/too-big', { params: { limit: PAYLOAD_LIMIT } })
  return text
}

/** The checksum used by versions before `sum`. */
function checksum(row: Pick<Stored, 'id' | 'cid' | 'kind' | 'entity_id' | 'payload'>): number {
  return crc32([row.id, row.cid, row.kind, row.entity_id, row.payload].join('\n'))
}

function toRow(db: CacheSql, given: Stored): IntentRow {
  const stored = checked(db, 'intents', given)
  if (stored.crc !== checksum(stored)) throw db.damaged()
  return {
    id: stored.id,
    seq: stored.seq,
    cid: asCid(stored.cid),
    threadRoot: stored.thread_root === null ? undefined : asMessageId(stored.thread_root),
    kind: stored.kind as IntentKind,
    entityId: stored.entity_id,
    dependsOn: stored.depends_on ?? undefined,
    payload: fromJson(db, stored.payload),
    createdAt: stored.created_at,
    attempts: stored.attempts,
    nextAt: stored.next_at,
    state: stored.state as IntentState,
    reason: stored.reason === null ? undefined : fromJson<IntentReason>(db, stored.reason),
  }
}
