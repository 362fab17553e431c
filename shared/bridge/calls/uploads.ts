import * as v from 'valibot'
import { WAVEFORM_STEPS } from '#shared/constants.ts'
import { call } from '#shared/lib/contract.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import { cid, key, line, messageId, shortText } from '../schemas.ts'

/**
 * Uploads. The renderer never names a path: it streams the bytes of a drop, a paste or a file field, and main copies
 * them to the staging folder before it resolves.
 */
export const uploads = {
  /** Announces a file; returns the upload with its rejection reason, if any, before any byte is sent. */
  begin: call<Upload>()(
    v.object({
      cid,
      /** The thread of the composer; absent: the channel itself. */
      parentId: v.optional(messageId),
      name: v.pipe(shortText, v.minLength(1)),
      sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      mimeType: shortText,
      width: v.optional(v.number()),
      height: v.optional(v.number()),
      /** A voice recording: seconds, and its loudness 0..1. */
      voice: v.optional(
        v.object({
          duration: v.pipe(v.number(), v.finite(), v.minValue(0)),
          waveform: v.pipe(v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), v.maxLength(WAVEFORM_STEPS)),
        }),
      ),
      /** Sends an image as a plain file, without a preview. */
      asFile: v.optional(v.boolean()),
      /** Alternative text of an image. */
      alt: v.optional(shortText),
    }),
  ),
  /** Appends a base64 chunk (at most 512 KiB of bytes). Rejects with `upload/unknown` or `disk/full`. */
  chunk: call<void>()(v.object({ id: key, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** All chunks were sent: the staged file is complete and the upload starts when connected. */
  finish: call<Upload>()(v.object({ id: key })),
  retry: call<void>()(v.object({ id: key })),
  /**
   * Changes the file name and the alternative text; empty values remove them. Rejects with `upload/unknown` after it
   * was sent, and with `upload/name-refused` if the server does not accept that name.
   */
  describe: call<void>()(v.object({ id: key, alt: v.optional(shortText), name: v.optional(line) })),
  cancel: call<void>()(v.object({ id: key })),
}
