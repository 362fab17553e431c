import type { Db } from '../store/db.ts'

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
  readonly created_at: number
  readonly updated_at: number
}

export function reviewById(db: Db, id: string): ReviewRow | undefined {
  return db.get<ReviewRow>('SELECT * FROM review_items WHERE id = ?', id)
}

export function reviewOf(db: Db, entityType: string, entityId: string): ReviewRow | undefined {
  return db.get<ReviewRow>('SELECT * FROM review_items WHERE entity_type = ? AND entity_id = ?', entityType, entityId)
}

export function putReview(db: Db, row: ReviewRow): void {
  db.run(
    `INSERT INTO review_items (id, entity_type, entity_id, creator_id, status, recommended_action, severity, config_key,
       payload, flags, actions, reviewed_at, reviewed_by, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (entity_type, entity_id) DO UPDATE SET status = excluded.status,
       recommended_action = excluded.recommended_action, severity = excluded.severity,
       config_key = excluded.config_key, payload = excluded.payload, flags = excluded.flags,
       actions = excluded.actions, reviewed_at = excluded.reviewed_at, reviewed_by = excluded.reviewed_by,
       updated_at = excluded.updated_at`,
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
    row.created_at,
    row.updated_at,
  )
}
