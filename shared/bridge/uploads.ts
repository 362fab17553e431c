import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { Upload } from './types.ts'
import { cid, key, shortText } from './schemas.ts'

/**
 * Files on their way. The renderer never names a path: it streams bytes it was given by a drop, a paste or a file field,
 * and main copies them to the staging folder before it answers.
 */
export const uploads = {
  /** Announces a file; answers the upload with its rejection reason, if any, before any byte is sent. */
  begin: call<Upload>()(
    v.object({
      cid,
      name: v.pipe(shortText, v.minLength(1)),
      sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      mimeType: shortText,
      width: v.optional(v.number()),
      height: v.optional(v.number()),
    }),
  ),
  /** Appends a base64 chunk (at most 512 KiB of bytes). Rejects with `upload/unknown` or `disk/full`. */
  chunk: call<void>()(v.object({ id: key, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** The last chunk is there: the staged file is complete and the upload starts when a connection allows. */
  finish: call<Upload>()(v.object({ id: key })),
  retry: call<void>()(v.object({ id: key })),
  cancel: call<void>()(v.object({ id: key })),
}
