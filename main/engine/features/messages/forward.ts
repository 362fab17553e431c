import type { ForwardedFile } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { FileRef } from '#shared/rules/messages/forward.ts'
import type { AttachmentRow, Custom } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Core } from '../../core.ts'

/** What another message may say of the file. The rest (buttons, keys of other clients) belongs to the first one. */
const KEPT: ReadonlySet<string> = new Set([
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
/** As many bars as are drawn, with some to spare: an intent is at most 64 KB. */
const BARS = 100

/**
 * Files of other messages, as they are sent along: the same address under a new message. They are taken now, so that the
 * intent can be sent whatever becomes of the first message. Throws `message/gone` when one is not held.
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
  const kept = Object.entries(raw).filter(([key]) => KEPT.has(key) && key !== 'waveform_data')
  return { ...Object.fromEntries(kept), ...(waveform === undefined ? {} : { waveform_data: thinned(waveform) }) }
}

function thinned(levels: readonly number[]): readonly number[] {
  const step = Math.max(1, levels.length / BARS)
  return Array.from({ length: Math.min(BARS, levels.length) }, (_, bar) => levels[Math.floor(bar * step)] ?? 0)
}
