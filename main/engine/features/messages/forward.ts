import type { ForwardedFile } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { FileRef } from '#shared/rules/messages/forward.ts'
import type { AttachmentRow, Custom } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Core } from '../../core.ts'

/** Attachment fields that are copied. Others (buttons, fields of other clients) belong to the original message. */
const COPIED: ReadonlySet<string> = new Set([
  'type',
  'title',
  'fallback',
  'image_url',
  'asset_url',
  'thumb_url',
  'mime_type',
  'file_size',
  'original_width',
  'original_height',
  'duration',
  'waveform_data',
])
/** More bars than are drawn; an intent is limited to 64 KB. */
const BARS = 100

/**
 * Attachments of other messages, to be sent under a new message with the same address. They are copied now, so that the
 * intent does not depend on the original message. Throws `message/gone` if one is not cached.
 */
export const forwardedFiles = (core: Core, refs: readonly FileRef[]): readonly ForwardedFile[] =>
  refs.map(({ messageId, index }) => {
    const row = messages.byId(core.cache.reader, messageId)?.attachments[index]
    if (row === undefined) throw new AppError('message/gone')
    return {
      kind: row.kind,
      name: row.title ?? '',
      sizeBytes: row.sizeBytes ?? 0,
      mimeType: row.mimeType ?? '',
      raw: rawOf(row),
    }
  })

function rawOf({ raw, waveform }: AttachmentRow): Custom {
  const copied = Object.entries(raw).filter(([key]) => COPIED.has(key) && key !== 'waveform_data')
  return { ...Object.fromEntries(copied), ...(waveform === undefined ? {} : { waveform_data: thinned(waveform) }) }
}

function thinned(levels: readonly number[]): readonly number[] {
  const step = Math.max(1, levels.length / BARS)
  return Array.from({ length: Math.min(BARS, levels.length) }, (_, bar) => levels[Math.floor(bar * step)] ?? 0)
}
