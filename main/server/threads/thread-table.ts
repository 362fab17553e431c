import type { Db } from '../store/db.ts'
import type { MessageRow } from '../messages/message-table.ts'
import type { ParticipantRow } from './participant-table.ts'

type ThreadDetails = {
  readonly parent_id: string
  readonly title: string | null
  readonly custom: string
  readonly updated_at: number
}

export function threadDetails(db: Db, parentId: string): ThreadDetails | undefined {
  return db.get<ThreadDetails>('SELECT * FROM thread_details WHERE parent_id = ?', parentId)
}

export function putThreadDetails(db: Db, row: ThreadDetails): void {
  db.run(
    `INSERT INTO thread_details (parent_id, title, custom, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (parent_id) DO UPDATE SET title = excluded.title, custom = excluded.custom,
       updated_at = excluded.updated_at`,
    row.parent_id,
    row.title,
    row.custom,
    row.updated_at,
  )
}

const REPLY = `SELECT * FROM messages WHERE parent_id = ? AND deleted_at IS NULL AND audience IS NULL`
export const FIRST_REPLY = `${REPLY} ORDER BY created_at, id LIMIT 1`
export const LAST_REPLY = `${REPLY} ORDER BY created_at DESC, id DESC LIMIT 1`

/** The first and the last reply of a thread. */
export function endsOfThread(
  db: Db,
  parentId: string,
): { readonly first: MessageRow; readonly last: MessageRow } | undefined {
  const first = db.get<MessageRow>(FIRST_REPLY, parentId)
  const last = db.get<MessageRow>(LAST_REPLY, parentId)
  return first && last ? { first, last } : undefined
}

export type Participation = ParticipantRow & {
  /** Null: no longer a member of the channel. */
  readonly member: string | null
  readonly last_message_at: number | null
}

export const PARTICIPATIONS = `SELECT p.*, me.user_id AS member,
    (SELECT max(r.created_at) FROM messages r WHERE r.parent_id = p.parent_id AND r.user_id = p.user_id) AS last_message_at
  FROM thread_participants p LEFT JOIN members me ON me.cid = p.cid AND me.user_id = p.user_id
  WHERE p.parent_id = ? ORDER BY p.created_at, p.user_id LIMIT ?`

/** In the order in which they joined. */
export function participationsIn(db: Db, parentId: string, limit: number): Participation[] {
  return db.all<Participation>(PARTICIPATIONS, parentId, limit)
}

/** All participants ever, and those who are still members. */
export function countParticipants(db: Db, parentId: string): { readonly all: number; readonly active: number } {
  return (
    db.get<{ all: number; active: number }>(
      `SELECT count(*) AS "all", count(me.user_id) AS active FROM thread_participants p
       LEFT JOIN members me ON me.cid = p.cid AND me.user_id = p.user_id WHERE p.parent_id = ?`,
      parentId,
    ) ?? { all: 0, active: 0 }
  )
}
