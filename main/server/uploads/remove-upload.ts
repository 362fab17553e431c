import { deleteUploadRow, uploadFamily } from './upload-table.ts'
import type { Work } from '../work.ts'

/** An upload and every picture made of it. The rows go first: a file without a row is swept. */
export function removeUpload(work: Work, id: string): void {
  const family = uploadFamily(work.db, id)
  for (const each of family) deleteUploadRow(work.db, each)
  work.afterwards(() => {
    for (const each of family) work.blobs.remove(each).catch(() => work.log.warn('file-not-removed'))
  })
}
