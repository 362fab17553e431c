import type { Db } from '../store/db.ts'

export type EmojiRow = {
  readonly name: string
  /** A list as JSON. */
  readonly aliases: string
  readonly upload_id: string
  readonly created_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** An emoji with the file details of its picture. */
export type ShownEmoji = EmojiRow & {
  readonly file_name: string
  readonly mime_type: string
  readonly width: number
  readonly height: number
}

const SHOWN = `SELECT e.*, u.name AS file_name, u.mime_type, u.width, u.height
  FROM custom_emoji e JOIN uploads u ON u.id = e.upload_id`

export const EMOJI_LIST = `${SHOWN} ORDER BY e.name`
export const EMOJI_OF_UPLOAD = 'SELECT name FROM custom_emoji WHERE upload_id = ?'

/** All of them by name: there are few. */
export const allEmoji = (db: Db): ShownEmoji[] => db.all<ShownEmoji>(EMOJI_LIST)

export const emojiByName = (db: Db, name: string): ShownEmoji | undefined =>
  db.get<ShownEmoji>(`${SHOWN} WHERE e.name = ?`, name)

export const emojiOfUpload = (db: Db, uploadId: string): string | undefined =>
  db.get<{ name: string }>(EMOJI_OF_UPLOAD, uploadId)?.name

/** The number of emoji, and the time of the last change. */
export const emojiState = (db: Db): { readonly count: number; readonly newest: number } =>
  db.get<{ count: number; newest: number }>(
    'SELECT count(*) AS count, coalesce(max(updated_at), 0) AS newest FROM custom_emoji',
  ) ?? { count: 0, newest: 0 }

export function insertEmoji(db: Db, row: EmojiRow): void {
  db.run(
    `INSERT INTO custom_emoji (name, aliases, upload_id, created_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
    row.name,
    row.aliases,
    row.upload_id,
    row.created_by,
    row.created_at,
    row.updated_at,
  )
}

export function changeEmoji(db: Db, before: string, row: Pick<EmojiRow, 'name' | 'aliases' | 'updated_at'>): void {
  db.run(
    'UPDATE custom_emoji SET name = ?, aliases = ?, updated_at = ? WHERE name = ?',
    row.name,
    row.aliases,
    row.updated_at,
    before,
  )
}

export function deleteEmojiRow(db: Db, name: string): void {
  db.run('DELETE FROM custom_emoji WHERE name = ?', name)
}
