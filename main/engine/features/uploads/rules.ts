import type { UploadRules } from '#shared/rules/uploads/uploads.ts'
import { asList, asWire, countOf } from '../../decode/read.ts'
import { fromJson } from '#main/cache/sql.ts'
import * as meta from '#main/cache/meta.ts'
import type { Memory } from '../../changes/memory.ts'
import type { Core } from '../../core.ts'

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
