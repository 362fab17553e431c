import * as v from 'valibot'
import { WAVEFORM_STEPS } from '#shared/constants.ts'
import { call } from '#shared/lib/contract.ts'
import type { Upload } from '../types.ts'
import { cid, key, line, messageId, shortText } from '../schemas.ts'

/**
 * Files on their way. The renderer never names a path: it streams bytes it was given by a drop, a paste or a file field,
 * and main copies them to the staging folder before it answers.
 */
export const uploads = {
  /** Announces a file; answers the upload with its rejection reason, if any, before any byte is sent. */
  begin: call<Upload>()(
    v.object({
      cid,
      /** The thread whose composer takes it; absent: the channel's own. */
      parentId: v.optional(messageId),
      name: v.pipe(shortText, v.minLength(1)),
      sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      mimeType: shortText,
      width: v.optional(v.number()),
      height: v.optional(v.number()),
      /** A recording made here: seconds, and its loudness 0..1. */
      voice: v.optional(
        v.object({
          duration: v.pipe(v.number(), v.finite(), v.minValue(0)),
          waveform: v.pipe(v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), v.maxLength(WAVEFORM_STEPS)),
        }),
      ),
      /** A picture that is to be sent as a file, without being shown. */
      asFile: v.optional(v.boolean()),
      /** What a picture shows, for those who do not see it. */
      alt: v.optional(shortText),
    }),
  ),
  /** Appends a base64 chunk (at most 512 KiB of bytes). Rejects with `upload/unknown` or `disk/full`. */
  chunk: call<void>()(v.object({ id: key, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** The last chunk is there: the staged file is complete and the upload starts when a connection allows. */
  finish: call<Upload>()(v.object({ id: key })),
  retry: call<void>()(v.object({ id: key })),
  /**
   * What it is called, and what a picture shows; empty words take those away. Rejects with `upload/unknown` once it is
   * sent, and with `upload/name-refused` where the server takes no file of that name.
   */
  describe: call<void>()(v.object({ id: key, alt: v.optional(shortText), name: v.optional(line) })),
  cancel: call<void>()(v.object({ id: key })),
}
