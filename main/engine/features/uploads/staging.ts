import { join } from 'node:path'
import type { Intent } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import type { WireAttachment } from '#shared/wire/objects.ts'
import type { UploadRules } from '#shared/rules/uploads/uploads.ts'
import * as table from '#main/cache/outbox/uploads.ts'
import type { UploadRow } from '#main/cache/rows.ts'
import { fromJson } from '#main/cache/store.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../core.ts'
import { asList, asWire, countOf } from '../../decode/read.ts'
import type { Memory } from '../../changes/memory.ts'

/** Path of a staged file. File names are upload ids, so that no name from a window is used as a path. */
export const stagedPath = (core: Pick<Core, 'stagingFolder'>, stagedName: string): string =>
  join(core.stagingFolder, stagedName)

/** For a composition with a file that is not staged (anymore). */
export function throwUnknownUpload(core: Pick<Core, 'notify'>): never {
  core.notify(NOTICES.idMissing)
  throw new AppError('upload/unknown')
}

type Parts = Pick<Core, 'background' | 'memory' | 'outbox' | 'ports' | 'runner' | 'stagingFolder' | 'stores'>

/** Drops files that are no longer needed: rows at once, bytes in the background. */
export function forgetUploads(core: Parts, ids: readonly string[]): void {
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
 * At start: removes files without a row (left by a crash) and files that belong to no draft and no unsent message. Running
 * uploads start again.
 */
export function tidyStaging(core: Parts, draftUploadIds: ReadonlySet<string>): void {
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

type Picture = { readonly base64: string; readonly mimeType: string }
type File = {
  readonly path: string
  readonly fileName: string
  readonly mimeType: string
  readonly onProgress: () => void
}

/** Sends a small picture, which is staged only for the duration of the upload. */
export async function sendSmall<T>(
  core: Pick<Core, 'ports' | 'stagingFolder'>,
  name: string,
  { base64, mimeType }: Picture,
  send: (file: File) => Promise<T>,
): Promise<T> {
  const path = stagedPath(core, core.ports.ids.uuid())
  try {
    await core.ports.files.append(path, Buffer.from(base64, 'base64'))
    const fileName = `${name}.${mimeType.slice('image/'.length)}`
    return await send({ path, fileName, mimeType, onProgress: () => undefined })
  } finally {
    await core.ports.files.remove(path)
  }
}

type Facts = 'kind' | 'name' | 'mimeType' | 'sizeBytes' | 'width' | 'height' | 'duration' | 'waveform' | 'alt'
type Uploaded = Pick<UploadRow, Facts | 'url' | 'thumbUrl'>

/** What a message carries for a file that was uploaded. */
export function attachmentOf(file: Uploaded): WireAttachment {
  const common = { title: file.name, mime_type: file.mimeType, file_size: file.sizeBytes }
  if (file.kind !== 'image') {
    return {
      ...common,
      type: file.kind,
      ...(file.url === undefined ? {} : { asset_url: file.url }),
      ...(file.thumbUrl === undefined ? {} : { thumb_url: file.thumbUrl }),
      ...(file.duration === undefined ? {} : { duration: file.duration }),
      ...(file.waveform === undefined ? {} : { waveform_data: file.waveform }),
    }
  }
  return {
    ...common,
    type: 'image',
    fallback: file.alt ?? file.name,
    ...(file.url === undefined ? {} : { image_url: file.url }),
    ...(file.thumbUrl === undefined ? {} : { thumb_url: file.thumbUrl }),
    ...(file.width === undefined ? {} : { original_width: file.width }),
    ...(file.height === undefined ? {} : { original_height: file.height }),
  }
}

type AppSettings = { readonly image_upload_config?: unknown; readonly file_upload_config?: unknown }

/** Upload limits from the server's settings. See docs/wire.md 3.1 and 4.10 `app.updated`. */
export const uploadRulesOf = (app: AppSettings | null | undefined): Memory['uploadRules'] => ({
  image: rulesOf(app?.image_upload_config),
  file: rulesOf(app?.file_upload_config),
})

const KEY = 'upload-rules'

/** Applies the current limits and stores them, so that files are checked the same way without a connection. */
export function storeUploadRules(core: Pick<Core, 'memory' | 'write'>, app: AppSettings | null | undefined): void {
  core.memory.uploadRules = uploadRulesOf(app)
  const { image_upload_config, file_upload_config } = app ?? {}
  core.write((tx) => meta.set(tx, KEY, JSON.stringify({ image_upload_config, file_upload_config })))
}

/** Loads the limits stored last; before the first, everything but the size is allowed. */
export function loadUploadRules({ memory, cache }: Pick<Core, 'memory' | 'cache'>): void {
  const stored = meta.get(cache.reader, KEY)
  if (stored !== undefined) memory.uploadRules = uploadRulesOf(fromJson<AppSettings>(cache.reader.db, stored))
}

/** Lenient like all decoding: a missing or malformed list means no limit. */
function rulesOf(value: unknown): UploadRules {
  const wire = asWire(value) ?? {}
  const list = (key: string) => asList(wire[key]).filter((item) => typeof item === 'string')
  return {
    allowed_file_extensions: list('allowed_file_extensions'),
    blocked_file_extensions: list('blocked_file_extensions'),
    allowed_mime_types: list('allowed_mime_types'),
    blocked_mime_types: list('blocked_mime_types'),
    size_limit: countOf(wire['size_limit']) ?? 0,
  }
}
