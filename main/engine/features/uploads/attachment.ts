import type { WireAttachment } from '#shared/wire/objects.ts'
import type { UploadRow } from '#main/cache/rows.ts'

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
