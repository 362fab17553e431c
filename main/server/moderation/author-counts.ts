import type { Db } from '../store/db.ts'

/** What a moderator weighs about a person. See docs/wire.md 3.14 `/user_report`. */
type AuthorCounts = {
  readonly messages: number
  readonly deleted_messages: number
  readonly flags: number
  readonly flagged_by: number
  readonly muted_by: number
}

export const MESSAGE_COUNTS = `SELECT count(*) AS messages, count(deleted_at) AS deleted_messages FROM messages
  WHERE cid IN (SELECT cid FROM channels) AND user_id = ?`

/** Flags of a person's messages and of the person, by the items that they led to. */
export const FLAG_COUNTS = `SELECT count(*) AS flags, count(DISTINCT f.user_id) AS flagged_by
  FROM review_items r JOIN flags f ON f.kind IN ('message', 'user') AND f.target_id = r.entity_id
  WHERE r.creator_id = ?`

export const MUTE_COUNT = `SELECT count(*) AS muted_by FROM user_mutes
  WHERE target_id = ? AND (expires_at IS NULL OR expires_at > ?)`

export function authorCounts(db: Db, userId: string, now: number): AuthorCounts {
  return {
    messages: 0,
    deleted_messages: 0,
    flags: 0,
    flagged_by: 0,
    muted_by: 0,
    ...db.get<Pick<AuthorCounts, 'messages' | 'deleted_messages'>>(MESSAGE_COUNTS, userId),
    ...db.get<Pick<AuthorCounts, 'flags' | 'flagged_by'>>(FLAG_COUNTS, userId),
    ...db.get<Pick<AuthorCounts, 'muted_by'>>(MUTE_COUNT, userId, now),
  }
}
