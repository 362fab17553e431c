import type { Intent } from '#shared/domain/intent.ts'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import * as table from '#main/cache/outbox/uploads.ts'
import type { Core } from '../../core.ts'

/** Path of a staged file. Names in the folder are upload ids, so no name given by a page ever reaches the disk. */
export const stagedPath = (core: Pick<Core, 'stagingFolder'>, stagedName: string): string =>
  join(core.stagingFolder, stagedName)

/** A composition names a file that is not (any more) among those of this computer. */
export function throwUnknownUpload(core: Core): never {
  core.notify(NOTICES.idMissing)
  throw new AppError('upload/unknown')
}

/** Drops files no one needs any more: rows at once, bytes in the background. */
export function forgetUploads(core: Core, ids: readonly string[]): void {
  if (ids.length === 0) return
  const rows = core.stores.outbox.transaction((tx) => ids.map((id) => table.remove(tx, id)))
  const uploadIntents = core.outbox
    .all()
    .filter((intent) => intent.kind === 'upload' && ids.includes(intent.payload.uploadId))
    .map((intent) => intent.id)
  core.background('forget-upload', async () => {
    await Promise.all(uploadIntents.map((id) => core.runner.cancel(id)))
    if (uploadIntents.length > 0) core.outbox.remove(uploadIntents)
    for (const row of rows) if (row) await core.ports.files.remove(stagedPath(core, row.stagedName))
  })
  for (const id of ids) core.memory.progress.delete(id)
}

/** Files of messages that were dropped before they were sent. */
export const unsentUploads = (dropped: readonly Intent[]): readonly string[] =>
  dropped.flatMap((intent) => (intent.kind === 'send-message' ? intent.payload.uploadIds : []))

/**
 * At start: files without a row are leftovers of a crash; files that belong to no draft and no unsent message are not
 * wanted any more. An upload that was under way begins again.
 */
export function tidyStaging(core: Core, draftUploadIds: ReadonlySet<string>): void {
  const rows = table.all(core.stores.outbox.reader)
  const waiting = new Set(
    core.outbox.all().flatMap((intent) => (intent.kind === 'send-message' ? intent.payload.uploadIds : [])),
  )
  const unwanted = rows.filter((row) => !waiting.has(row.id) && !draftUploadIds.has(row.id)).map((row) => row.id)
  forgetUploads(core, unwanted)
  core.stores.outbox.transaction((tx) => {
    for (const row of rows) if (row.state === 'uploading') table.change(tx, row.id, { state: 'pending' })
  })
  core.background('tidy-staging', async () => {
    const known = new Set(rows.map((row) => row.stagedName))
    for (const name of await core.ports.files.list(core.stagingFolder)) {
      if (!known.has(name)) await core.ports.files.remove(stagedPath(core, name))
    }
  })
}
