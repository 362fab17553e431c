import type { IntentKind, IntentState } from '#shared/domain/outbox.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { crc32 } from '../crc.ts'
import type { IntentReason, IntentRow, NewIntent } from '../rows.ts'
import { bind } from '../sql.ts'
import type { Reader, Tx } from '../tx.ts'
import { fromJson } from './json.ts'

/** What waits to be sent, oldest first. Lives in `outbox.db`. Source: reliability paper 3.2. */
export const PAYLOAD_LIMIT = 65_536

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
}

const ALL = 'SELECT * FROM intents ORDER BY seq'
const BY_ID = 'SELECT * FROM intents WHERE id = ?'
const OF_CHANNEL = 'SELECT * FROM intents WHERE cid = ? ORDER BY seq'
const COUNT = 'SELECT count(*) AS n FROM intents'
const ADD = `INSERT INTO intents (id, cid, thread_root, kind, entity_id, depends_on, payload, created_at, attempts, next_at,
  state, reason, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, NULL, ?)`
const RESTORE = `INSERT OR REPLACE INTO intents (seq, id, cid, thread_root, kind, entity_id, depends_on, payload, created_at,
  attempts, next_at, state, reason, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const REMOVE = 'DELETE FROM intents WHERE id = ?'
const INFLIGHT = `SELECT * FROM intents WHERE state = 'inflight' ORDER BY seq`

/** Oldest first. */
export const all = (reader: Reader): readonly IntentRow[] => reader.db.all<Stored>(ALL).map(toRow)

export function byId(reader: Reader, id: string): IntentRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, id)
  return stored && toRow(stored)
}

/** Oldest first. */
export const ofChannel = (reader: Reader, cid: string): readonly IntentRow[] =>
  reader.db.all<Stored>(OF_CHANNEL, cid).map(toRow)

export const count = (reader: Reader): number => reader.db.get<{ n: number }>(COUNT)?.n ?? 0

/** Appends; the state is `ready` unless given. Throws `outbox/too-big` when the payload is over 64 KB. */
export function add(tx: Tx, intent: NewIntent): IntentRow {
  const { id, cid, threadRoot, kind, entityId, dependsOn, createdAt, nextAt = 0, state = 'ready' } = intent
  const payload = payloadOf(intent.payload)
  const crc = checksum({ id, cid, kind, entityId, payload })
  tx.db.run(ADD, id, cid, bind(threadRoot), kind, entityId, bind(dependsOn), payload, createdAt, nextAt, state, crc)
  touchIntent(tx, intent)
  const row = byId(tx, id)
  if (!row) throw new AppError('outbox/not-stored')
  return row
}

/** Writes the row as it is given, in its place; nothing happens when it is gone. Throws `outbox/too-big`. */
export function update(tx: Tx, row: IntentRow): void {
  if (byId(tx, row.id)) restore(tx, row)
}

/** Done or given up. */
export function remove(tx: Tx, id: string): IntentRow | undefined {
  const row = byId(tx, id)
  if (!row) return undefined
  tx.db.run(REMOVE, id)
  touchIntent(tx, row)
  return row
}

/** At start: what was on its way is ready to be sent again. Answers how many. */
export function recoverInflight(tx: Tx): number {
  const found = tx.db.all<Stored>(INFLIGHT)
  for (const stored of found) update(tx, { ...toRow(stored), state: 'ready' })
  return found.length
}

/** Puts a row back as it was, with its place. Directly only for salvage. */
export function restore(tx: Tx, row: IntentRow): void {
  const payload = payloadOf(row.payload)
  const { seq, id, cid, threadRoot, kind, entityId, dependsOn, createdAt, attempts, nextAt, state, reason } = row
  tx.db.run(
    RESTORE,
    seq,
    id,
    cid,
    bind(threadRoot),
    kind,
    entityId,
    bind(dependsOn),
    payload,
    createdAt,
    attempts,
    nextAt,
    state,
    reason ? JSON.stringify(reason) : null,
    checksum({ id, cid, kind, entityId, payload }),
  )
  touchIntent(tx, row)
}

/** True when the row's guarded columns are what was written. */
export function isIntact(reader: Reader, row: IntentRow): boolean {
  const stored = reader.db.get<Stored>(BY_ID, row.id)
  if (!stored) return false
  const { id, cid, kind, entity_id, payload } = stored
  return stored.crc === checksum({ id, cid, kind, entityId: entity_id, payload })
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

function checksum(row: { id: string; cid: string; kind: string; entityId: string; payload: string }): number {
  return crc32([row.id, row.cid, row.kind, row.entityId, row.payload].join('\n'))
}

function toRow(stored: Stored): IntentRow {
  return {
    id: stored.id,
    seq: stored.seq,
    cid: asCid(stored.cid),
    threadRoot: stored.thread_root === null ? undefined : asMessageId(stored.thread_root),
    kind: stored.kind as IntentKind,
    entityId: stored.entity_id,
    dependsOn: stored.depends_on ?? undefined,
    payload: fromJson(stored.payload),
    createdAt: stored.created_at,
    attempts: stored.attempts,
    nextAt: stored.next_at,
    state: stored.state as IntentState,
    reason: stored.reason === null ? undefined : fromJson<IntentReason>(stored.reason),
  }
}
