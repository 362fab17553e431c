import type { Db } from '../store/db.ts'
import type { Work } from '../work.ts'

export type UploadRow = {
  readonly id: string
  readonly name: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly user_id: string
  readonly cid: string | null
  readonly width: number | null
  readonly height: number | null
  readonly created_at: number
  /** The upload of which this is a smaller size. */
  readonly original?: string | null
}

export function uploadById(db: Db, id: string): UploadRow | undefined {
  return db.get<UploadRow>('SELECT * FROM uploads WHERE id = ?', id)
}

export function insertUpload(db: Db, row: UploadRow): void {
  db.run(
    `INSERT INTO uploads (id, name, mime_type, size_bytes, user_id, cid, width, height, created_at, original)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.name,
    row.mime_type,
    row.size_bytes,
    row.user_id,
    row.cid,
    row.width,
    row.height,
    row.created_at,
    row.original ?? null,
  )
}

/** The upload and its resized pictures. */
function uploadFamily(db: Db, id: string): string[] {
  return [id, ...db.all<{ id: string }>('SELECT id FROM uploads WHERE original = ?', id).map((row) => row.id)]
}

function deleteUploadRow(db: Db, id: string): void {
  db.run('DELETE FROM uploads WHERE id = ?', id)
}

export function uploadUsage(db: Db, userId: string): { bytes: number; files: number } {
  return (
    db.get<{ bytes: number; files: number }>(
      'SELECT coalesce(sum(size_bytes), 0) AS bytes, count(*) AS files FROM uploads WHERE user_id = ?',
      userId,
    ) ?? { bytes: 0, files: 0 }
  )
}

/** Bytes of the uploads of all people, resized pictures included. */
export function allUploadBytes(db: Db): number {
  return db.get<{ bytes: number }>('SELECT coalesce(sum(size_bytes), 0) AS bytes FROM uploads')?.bytes ?? 0
}

export function allUploadIds(db: Db): Set<string> {
  return new Set(db.all<{ id: string }>('SELECT id FROM uploads').map((row) => row.id))
}

/** Deletes an upload and its resized pictures. The rows first: a file without a row is swept later. */
export function removeUpload(work: Work, id: string): void {
  const family = uploadFamily(work.db, id)
  for (const each of family) deleteUploadRow(work.db, each)
  work.afterwards(() => {
    for (const each of family) work.blobs.remove(each).catch(() => work.log.warn('file-not-removed'))
  })
}
