import type { WireDraft } from '#shared/wire/objects.ts'
import type { Db } from '../store/db.ts'
import { toText } from '../store/time.ts'
import type { People } from '../messages/encode-messages.ts'

export type DraftRow = {
  readonly user_id: string
  readonly cid: string
  /** Empty: the draft of the channel itself. */
  readonly parent_id: string
  readonly created_at: number
  /** The validated message as JSON. */
  readonly message: string
}

export function draftOf(db: Db, userId: string, cid: string, parentId: string): DraftRow | undefined {
  return db.get<DraftRow>('SELECT * FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?', userId, cid, parentId)
}

export const THREAD_DRAFTS = `SELECT * FROM drafts
  WHERE user_id = ? AND parent_id <> '' AND parent_id IN (SELECT value FROM json_each(?))`

/** The user's drafts in the threads of these messages, by message. */
export function threadDrafts(db: Db, userId: string, parentIds: readonly string[]): Map<string, DraftRow> {
  const rows = db.all<DraftRow>(THREAD_DRAFTS, userId, JSON.stringify(parentIds))
  return new Map(rows.map((row) => [row.parent_id, row]))
}

/** The messages in whose threads a user has a draft. */
export const parentsOfDrafts = (db: Db, userId: string): Set<string> => {
  const sql = "SELECT parent_id FROM drafts WHERE user_id = ? AND parent_id <> ''"
  return new Set(db.all<{ parent_id: string }>(sql, userId).map((row) => row.parent_id))
}

/** One draft per user, channel and parent: a second one replaces the first. */
export function putDraft(db: Db, row: DraftRow): void {
  db.run(
    `INSERT INTO drafts (user_id, cid, parent_id, created_at, message) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, cid, parent_id) DO UPDATE SET created_at = excluded.created_at, message = excluded.message`,
    row.user_id,
    row.cid,
    row.parent_id,
    row.created_at,
    row.message,
  )
}

export function deleteDraftRow(db: Db, row: Pick<DraftRow, 'user_id' | 'cid' | 'parent_id'>): void {
  db.run('DELETE FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?', row.user_id, row.cid, row.parent_id)
}

/** The content of {@link DraftRow.message}. */
type Stored = {
  readonly id: string
  readonly text?: string
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
  readonly mentioned_users?: readonly string[]
  readonly custom: Readonly<Record<string, unknown>>
}

/** Without the channel and the messages it refers to. See docs/wire.md 5.11. */
export function bareDraft({ people }: { readonly people: People }, row: DraftRow): WireDraft {
  const { custom, mentioned_users, ...message } = JSON.parse(row.message) as Stored
  return {
    channel_cid: row.cid,
    created_at: toText(row.created_at),
    ...(row.parent_id === '' ? {} : { parent_id: row.parent_id }),
    message: {
      ...custom,
      ...message,
      text: message.text ?? '',
      attachments: JSON.parse(people.fresh(JSON.stringify(message.attachments ?? []))),
      mentioned_users: (mentioned_users ?? []).map(people),
    },
  }
}
