import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { openMessage } from '../messages/message-checks.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { need } from '../channels/access.ts'
import { requireUser } from '../users/users.ts'
import type { Db } from '../store/db.ts'
import { messageById } from '../messages/message-table.ts'

/** Entity types of moderation v2. See docs/wire.md 3.14. */
export const MESSAGE_ENTITY = 'stream:chat:v1:message'
export const USER_ENTITY = 'stream:user'

export type FlagRequest = {
  readonly kind: FlagRow['kind']
  readonly targetId: string
  readonly reason?: string
  readonly custom?: Json
}

/** `payload`: what is reported, as it is now. Of a message that is read when the queue is. */
type FlagTarget = { readonly cid: string | null; readonly creatorId: string; readonly payload?: Json }

function targetOf(work: Work, who: Identity, request: FlagRequest): FlagTarget {
  if (request.kind === 'user') {
    if (request.targetId === who.userId) return refuse('input', 'you cannot flag yourself')
    const { id, name, image } = requireUser(work.db, request.targetId)
    return { cid: null, creatorId: id, payload: { texts: [name ?? id], images: image === null ? [] : [image] } }
  }
  const { row, access } = openMessage(work, request.targetId, who)
  need(access, who, 'flag-message', 'FlagMessage')
  const reasons = access.flags.allowed_flag_reasons ?? []
  if (request.reason && reasons.length > 0 && !reasons.includes(request.reason)) {
    refuse('input', `reason must be one of ${reasons.join(', ')}`, { reason: 'not allowed' })
  }
  return { cid: row.cid, creatorId: row.user_id }
}

/**
 * Reports a message or a user to moderators: a flag, and an item in the review queue. The same flag twice is
 * refused with code 4, an invisible target with 16. See docs/wire.md 8.14 "flag".
 */
export function flag(work: Work, who: Identity, request: FlagRequest): { flag: FlagRow; item: ReviewRow } {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (who.role === 'anonymous') refuse('notAllowed', 'anonymous people cannot flag')
  const target = targetOf(work, who, request)
  if (flagOf(work.db, request.kind, request.targetId, who.userId)) refuse('input', 'flag already exists')
  const row: FlagRow = {
    id: work.ids.uuid(),
    user_id: who.userId,
    kind: request.kind,
    target_id: request.targetId,
    cid: target.cid,
    reason: request.reason ?? null,
    custom: JSON.stringify(request.custom ?? {}),
    created_at: work.now,
    updated_at: work.now,
    reviewed_at: null,
    reviewed_by: null,
    review_result: null,
  }
  insertFlag(work.db, row)
  const item = queueForReview(work, {
    entityType: request.kind === 'message' ? MESSAGE_ENTITY : USER_ENTITY,
    entityId: request.targetId,
    creatorId: target.creatorId,
    payload: target.payload,
    flag: { type: 'user_report', reason: row.reason ?? '', user_id: row.user_id, created_at: toText(work.now) },
  })
  return { flag: row, item }
}

/** Withdraws the user's own flag; refuses with code 16 when there is none. */
export function unflag(work: Work, who: Identity, request: Pick<FlagRequest, 'kind' | 'targetId'>): FlagRow {
  const row = flagOf(work.db, request.kind, request.targetId, who.userId)
  if (!row) return refuse('doesNotExist', 'flag does not exist')
  deleteFlag(work.db, row.id)
  const entityType = request.kind === 'message' ? MESSAGE_ENTITY : USER_ENTITY
  const item = reviewOf(work.db, entityType, request.targetId)
  if (item) withdraw(work, item, who.userId)
  return row
}

/** Removes one flag; an unreviewed item without flags is deleted. */
function withdraw(work: Work, item: ReviewRow, userId: string): void {
  const left = (JSON.parse(item.flags) as Json[]).filter((each) => each['user_id'] !== userId)
  if (left.length > 0 || item.status === 'reviewed') {
    const next = { ...item, flags: JSON.stringify(left), updated_at: work.now }
    putReview(work.db, next)
    return announceReview(work, 'review_queue_item.updated', next)
  }
  work.db.run('DELETE FROM review_items WHERE id = ?', item.id)
  announceReview(work, 'review_queue_item.updated', { ...item, status: 'withdrawn', flags: '[]' })
}

type QueueEntry = {
  readonly entityType: string
  readonly entityId: string
  readonly creatorId: string | null
  readonly flag: Json
  readonly recommended?: string
  readonly configKey?: string
  readonly payload?: Json
}

const MAX_ITEM_FLAGS = 100

const cidOf = (db: Db, { entityType, entityId }: QueueEntry): string | null =>
  entityType === MESSAGE_ENTITY ? (messageById(db, entityId)?.cid ?? null) : null

/** Of a profile that waits already, what was reported first: moderators compare it with what it is now. */
const payloadOf = ({ entityType, payload }: QueueEntry, known: ReviewRow | undefined): string =>
  payload === undefined || (entityType === USER_ENTITY && known?.status === 'needs_review' && known.payload !== '{}')
    ? (known?.payload ?? '{}')
    : JSON.stringify(payload)

/** Adds an item to the review queue, or a flag to an item that is already in it. */
export function queueForReview(work: Work, entry: QueueEntry): ReviewRow {
  const known = reviewOf(work.db, entry.entityType, entry.entityId)
  const flags = known ? (JSON.parse(known.flags) as Json[]) : []
  const row: ReviewRow = {
    id: known?.id ?? work.ids.uuid(),
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    creator_id: entry.creatorId,
    status: 'needs_review',
    recommended_action: entry.recommended ?? known?.recommended_action ?? 'flag',
    severity: Math.min(100, (known?.severity ?? 0) + 10),
    config_key: entry.configKey ?? known?.config_key ?? null,
    payload: payloadOf(entry, known),
    flags: JSON.stringify([...flags, entry.flag].slice(-MAX_ITEM_FLAGS)),
    actions: known?.actions ?? '[]',
    reviewed_at: null,
    reviewed_by: null,
    cid: known?.cid ?? cidOf(work.db, entry),
    // One that is reported again after a decision is new to the moderators.
    created_at: known?.status === 'needs_review' ? known.created_at : work.now,
    updated_at: work.now,
  }
  putReview(work.db, row)
  announceReview(work, known ? 'review_queue_item.updated' : 'review_queue_item.new', row)
  return row
}

export type FlagRow = {
  readonly id: string
  readonly user_id: string
  readonly kind: 'message' | 'user'
  readonly target_id: string
  readonly cid: string | null
  readonly reason: string | null
  readonly custom: string
  readonly created_at: number
  readonly updated_at: number
  readonly reviewed_at: number | null
  readonly reviewed_by: string | null
  readonly review_result: string | null
}

function flagOf(db: Db, kind: FlagRow['kind'], targetId: string, userId: string): FlagRow | undefined {
  return db.get<FlagRow>('SELECT * FROM flags WHERE kind = ? AND target_id = ? AND user_id = ?', kind, targetId, userId)
}

export function flagById(db: Db, id: string): FlagRow | undefined {
  return db.get<FlagRow>('SELECT * FROM flags WHERE id = ?', id)
}

function insertFlag(db: Db, row: FlagRow): void {
  db.run(
    `INSERT INTO flags (id, user_id, kind, target_id, cid, reason, custom, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.user_id,
    row.kind,
    row.target_id,
    row.cid,
    row.reason,
    row.custom,
    row.created_at,
    row.updated_at,
  )
}

function deleteFlag(db: Db, id: string): void {
  db.run('DELETE FROM flags WHERE id = ?', id)
}

/** Reviews every flag of a message or user, and returns them. */
export function reviewFlags(
  db: Db,
  kind: FlagRow['kind'],
  targetId: string,
  review: { at: number; by: string; result: string },
): FlagRow[] {
  return db.all<FlagRow>(
    `UPDATE flags SET reviewed_at = ?, reviewed_by = ?, review_result = ?, updated_at = ?
     WHERE kind = ? AND target_id = ? RETURNING *`,
    review.at,
    review.by,
    review.result,
    review.at,
    kind,
    targetId,
  )
}

/** The item is undecided again, and so are the flags that led to it. */
export function reopenFlags(db: Db, kind: FlagRow['kind'], targetId: string, at: number): void {
  db.run(
    `UPDATE flags SET reviewed_at = NULL, reviewed_by = NULL, review_result = NULL, updated_at = ?
     WHERE kind = ? AND target_id = ?`,
    at,
    kind,
    targetId,
  )
}

/** Erases what was recorded about a person: the profile, or also the texts of messages. */
export function forgetReviewed(db: Db, personId: string, what: 'profile' | 'everything'): void {
  db.run(
    `UPDATE review_items SET payload = '{}' WHERE creator_id = ? AND (? = 'everything' OR entity_type <> ?)`,
    personId,
    what,
    MESSAGE_ENTITY,
  )
}

export type ReviewRow = {
  readonly id: string
  readonly entity_type: string
  readonly entity_id: string
  readonly creator_id: string | null
  readonly status: 'needs_review' | 'reviewed'
  readonly recommended_action: string
  readonly severity: number
  readonly config_key: string | null
  readonly payload: string
  readonly flags: string
  readonly actions: string
  readonly reviewed_at: number | null
  readonly reviewed_by: string | null
  /** Of a message. */
  readonly cid: string | null
  readonly created_at: number
  readonly updated_at: number
}

export function reviewById(db: Db, id: string): ReviewRow | undefined {
  return db.get<ReviewRow>('SELECT * FROM review_items WHERE id = ?', id)
}

function reviewOf(db: Db, entityType: string, entityId: string): ReviewRow | undefined {
  return db.get<ReviewRow>('SELECT * FROM review_items WHERE entity_type = ? AND entity_id = ?', entityType, entityId)
}

export function putReview(db: Db, row: ReviewRow): void {
  db.run(
    `INSERT INTO review_items (id, entity_type, entity_id, creator_id, status, recommended_action, severity, config_key,
       payload, flags, actions, reviewed_at, reviewed_by, cid, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (entity_type, entity_id) DO UPDATE SET status = excluded.status,
       recommended_action = excluded.recommended_action, severity = excluded.severity,
       config_key = excluded.config_key, payload = excluded.payload, flags = excluded.flags,
       actions = excluded.actions, reviewed_at = excluded.reviewed_at, reviewed_by = excluded.reviewed_by,
       cid = excluded.cid, created_at = excluded.created_at, updated_at = excluded.updated_at`,
    row.id,
    row.entity_type,
    row.entity_id,
    row.creator_id,
    row.status,
    row.recommended_action,
    row.severity,
    row.config_key,
    row.payload,
    row.flags,
    row.actions,
    row.reviewed_at,
    row.reviewed_by,
    row.cid,
    row.created_at,
    row.updated_at,
  )
}

/** What moderators are notified of: the rest of an item is read with `/review_queue`, which checks the right again. */
type Head = {
  readonly id: string
  readonly entity_type: string
  readonly entity_id: string
  readonly status: string
  readonly flags: string
  readonly actions: string
  readonly reviewed_at: number | null
  readonly reviewed_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

export const WAITING = `SELECT count(*) AS waiting FROM review_items WHERE status = 'needs_review'`

/** How many items nobody has decided yet. */
export const waitingItems = (db: Db): number => db.get<{ waiting: number }>(WAITING)?.waiting ?? 0

/** Who moderates the whole app, of the users named in a JSON list. */
export const MODERATORS_OF = `SELECT id FROM users
  WHERE id IN (SELECT value FROM json_each(?)) AND role IN ('admin', 'moderator')`

/** Who administers the app, of the users named in a JSON list. */
export const ADMINS_OF = `SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?)) AND role = 'admin'`

const connectedOf = ({ db, hub }: Work, sql: string): readonly string[] =>
  db.all<{ id: string }>(sql, JSON.stringify([...hub.users()])).map(({ id }) => id)

/**
 * Notifies the connected administrators, and no one else, that block lists, rules or configurations have changed. They read
 * them again: the event contains none of them. See docs/wire.md 4.10.
 */
export function announceModeration(work: Work, kind: 'blocklist' | 'moderation_config' | 'moderation_rule'): void {
  const ids = connectedOf(work, ADMINS_OF)
  if (ids.length === 0) return
  work.emit({ event: { type: 'moderation.updated', created_at: toText(work.now), kind }, to: { kind: 'users', ids } })
}

/** Notifies the connected moderators and administrators of the app, and no one else. See docs/wire.md 4.10. */
export function announceReview(
  work: Work,
  type: 'review_queue_item.new' | 'review_queue_item.updated',
  item: Head,
): void {
  const ids = connectedOf(work, MODERATORS_OF)
  if (ids.length === 0) return
  const actions = JSON.parse(item.actions) as { type: string }[]
  const event = {
    type,
    created_at: toText(work.now),
    review_queue_item: {
      id: item.id,
      entity_type: item.entity_type,
      entity_id: item.entity_id,
      status: item.status,
      flags_count: (JSON.parse(item.flags) as unknown[]).length,
      latest_moderator_action: actions.at(-1)?.type ?? '',
      ...(item.reviewed_at === null ? {} : { reviewed_at: toText(item.reviewed_at) }),
      ...(item.reviewed_by === null ? {} : { reviewed_by: item.reviewed_by }),
      created_at: toText(item.created_at),
      updated_at: toText(item.updated_at),
    },
    stats: { needs_review: waitingItems(work.db) },
  }
  work.emit({ event, to: { kind: 'users', ids } })
}
