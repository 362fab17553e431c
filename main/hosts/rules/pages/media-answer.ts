import { mediaHeaders, shownMimeType } from './headers.ts'
import { readRange, type ByteRange } from './byte-range.ts'

/** How to answer for a media file: the caller only has to stream `range` of it, or nothing. */
type MediaAnswer = {
  readonly status: 200 | 204 | 206 | 416
  readonly headers: Record<string, string>
  readonly range: ByteRange | undefined
}

/**
 * Type from the file's bytes, never from its name; what is not a picture, sound or film is a download. A thing that was
 * rightly asked for and has no bytes (not fetched, just removed, its account just closed) is no fault of the page: an
 * empty answer, at which an image says `error` and its placeholder stays.
 */
export function mediaAnswer(
  file: { readonly mimeType: string; readonly sizeBytes: number } | undefined,
  rangeHeader: string | undefined | null,
): MediaAnswer {
  if (!file) return { status: 204, headers: mediaHeaders(), range: undefined }
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
