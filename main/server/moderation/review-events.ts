import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import type { Db } from '../store/db.ts'

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
