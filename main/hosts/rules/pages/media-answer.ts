import { mediaHeaders, shownMimeType } from './headers.ts'

type ByteRange = { readonly start: number; readonly end: number }

/** The response for a media file: the caller only has to stream `range` of it, or nothing. */
type MediaAnswer = {
  readonly status: 200 | 204 | 206 | 416
  readonly headers: Record<string, string>
  readonly range: ByteRange | undefined
}

/**
 * The type comes from the file's bytes, never from its name; anything but pictures, audio and video is a download. A
 * permitted file without bytes (not fetched, just removed, its account just closed) gets an empty response: the image
 * fires `error` and its placeholder stays.
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

/**
 * The one range a `Range` header asks for, both ends included; `whole` when there is none or it is not understood;
 * `unsatisfiable` when it starts after the end. Players request ranges to seek.
 */
export function readRange(header: string | undefined | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [, from = '', to = ''] = match
  if (from === '')
    return to === '0' || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(to)), end: size - 1 }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? 'whole' : { start, end }
}
