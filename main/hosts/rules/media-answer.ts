import { mediaHeaders, shownMimeType } from './headers.ts'
import { readRange, type ByteRange } from './byte-range.ts'

/** How to answer for a media file: the caller only has to stream `range` of it, or nothing. */
export type MediaAnswer = {
  readonly status: 200 | 206 | 416
  readonly headers: Record<string, string>
  readonly range: ByteRange | undefined
}

/** Type from the file's bytes, never from its name; what is not a picture, sound or film is a download. */
export function mediaAnswer(
  file: { readonly mimeType: string; readonly sizeBytes: number },
  rangeHeader: string | undefined | null,
): MediaAnswer {
  const shown = shownMimeType(file.mimeType)
  const headers = {
    ...mediaHeaders(),
    'Content-Type': shown.type,
    'Accept-Ranges': 'bytes',
    ...(shown.download ? { 'Content-Disposition': 'attachment' } : {}),
  }
  const range = readRange(rangeHeader, file.sizeBytes)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${file.sizeBytes}` }, range: undefined }
  }
  if (range === 'whole') {
    const whole = file.sizeBytes === 0 ? undefined : { start: 0, end: file.sizeBytes - 1 }
    return { status: 200, headers: { ...headers, 'Content-Length': String(file.sizeBytes) }, range: whole }
  }
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(range.end - range.start + 1),
      'Content-Range': `bytes ${range.start}-${range.end}/${file.sizeBytes}`,
    },
    range,
  }
}
