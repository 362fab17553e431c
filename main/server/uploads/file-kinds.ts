const MAX_BYTES = 200
/** Only the end of a longer name is used: it has the extension. */
const MAX_GIVEN = 2_000
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Control characters, direction marks, path separators and reserved characters of file systems. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu

/**
 * A name that is safe to show and to save under, from the name that a client sent. Never empty.
 */
export function cleanFileName(given: string): string {
  const last = given.slice(-MAX_GIVEN).normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = withoutEnds(last.replaceAll(FORBIDDEN, ''))
  const short = cut(plain === '' ? 'file' : plain)
  return RESERVED.test(short) ? `_${short}` : short
}

const EDGE: ReadonlySet<string> = new Set(['.', ' ', '\u00a0', '\u3000', '\u1680', '\u202f', '\u205f'])
const isEdge = (char: string | undefined): boolean =>
  char !== undefined && (EDGE.has(char) || (char >= '\u2000' && char <= '\u200a'))

/** Removes dots and spaces at both ends. A loop, since a regular expression would backtrack from each of them. */
function withoutEnds(name: string): string {
  let from = 0
  let to = name.length
  while (from < to && isEdge(name[from])) from += 1
  while (to > from && isEdge(name[to - 1])) to -= 1
  return name.slice(from, to)
}

/** Keeps the extension when the name is too long. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  const room = MAX_BYTES - Buffer.byteLength(extension)
  let stem = ''
  let bytes = 0
  for (const char of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(char)
    if (bytes > room) break
    stem += char
  }
  return withoutEnds(stem) + extension
}

/** The `filename` parts of Content-Disposition: ASCII for old clients, exact for others. See RFC 6266. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** The type of a file by its first bytes, and the size of a picture, without decoding it. */
export type Probe = { readonly mimeType: string; readonly width?: number; readonly height?: number }

/** Enough to find the size in every format below, and past the metadata most cameras write. */
export const PROBE_BYTES = 256 * 1024
/** For a picture whose size follows more metadata than that. */
export const DEEP_PROBE_BYTES = 4 * 1024 * 1024

/** Pictures with more pixels are refused. */
export const MAX_PIXELS = 50_000_000

/** `undefined` without a known signature. */
export function probe(head: Buffer): Probe | undefined {
  return png(head) ?? gif(head) ?? webp(head) ?? jpeg(head) ?? iso(head) ?? others(head)
}

/** Whether the bytes are a picture whose size was not found so far. */
export function hidesItsSize(head: Buffer): boolean {
  const found = probe(head)
  return found !== undefined && SHOWN.has(found.mimeType) && found.mimeType.startsWith('image/') && !found.width
}

const starts = (head: Buffer, text: string, at = 0): boolean =>
  head.length >= at + text.length && head.toString('latin1', at, at + text.length) === text

function png(head: Buffer): Probe | undefined {
  if (!starts(head, '\x89PNG\r\n\x1a\n') || head.length < 24) return undefined
  return { mimeType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

function gif(head: Buffer): Probe | undefined {
  if (!(starts(head, 'GIF87a') || starts(head, 'GIF89a')) || head.length < 10) return undefined
  return { mimeType: 'image/gif', width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

function webp(head: Buffer): Probe | undefined {
  if (!starts(head, 'RIFF') || !starts(head, 'WEBP', 8) || head.length < 30) return undefined
  const mimeType = 'image/webp'
  if (starts(head, 'VP8X', 12)) {
    return { mimeType, width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
  }
  if (starts(head, 'VP8L', 12)) {
    const bits = head.readUInt32LE(21)
    return { mimeType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  return { mimeType, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
}

/** Walks the segments to the one that starts the frame. */
function jpeg(head: Buffer): Probe | undefined {
  if (!starts(head, '\xff\xd8\xff')) return undefined
  let at = 2
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { mimeType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return { mimeType: 'image/jpeg' }
}

/** MP4 and its relatives; AVIF carries its size in an `ispe` box. */
function iso(head: Buffer): Probe | undefined {
  if (!starts(head, 'ftyp', 4)) return undefined
  const brand = head.toString('latin1', 8, 12)
  if (brand !== 'avif' && brand !== 'avis') return { mimeType: brand.startsWith('M4A') ? 'audio/mp4' : 'video/mp4' }
  return { mimeType: 'image/avif', ...largestBox(head) }
}

/** A tiled picture has a box per tile and one for the whole. */
function largestBox(head: Buffer): { width: number; height: number } | undefined {
  let largest: { width: number; height: number } | undefined
  for (let at = head.indexOf('ispe', 0, 'latin1'); at >= 0; at = head.indexOf('ispe', at + 4, 'latin1')) {
    if (head.length < at + 16) break
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)]
    if (!largest || width * height > largest.width * largest.height) largest = { width, height }
  }
  return largest
}

const SIGNATURES: readonly (readonly [signature: string, mimeType: string])[] = [
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['OggS', 'audio/ogg'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ['MZ', 'application/x-msdownload'],
  ['\x7fELF', 'application/x-executable'],
]

function others(head: Buffer): Probe | undefined {
  if (starts(head, 'RIFF') && starts(head, 'WAVE', 8)) return { mimeType: 'audio/wav' }
  const found = SIGNATURES.find(([signature]) => starts(head, signature))
  if (found) return { mimeType: found[1] }
  const text = head.toString('latin1', 0, 1_024).trimStart().toLowerCase()
  if (/^<(?:\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<?svg[\s>]/.test(text) || text.includes('<svg'))
    return { mimeType: 'image/svg+xml' }
  if (text.startsWith('<!doctype html') || text.startsWith('<html')) return { mimeType: 'text/html' }
  return undefined
}

const FAMILY: Readonly<Record<string, string>> = {
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/webm': 'video/webm',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'image/jpg': 'image/jpeg',
  'video/quicktime': 'video/mp4',
}

const bareType = (mimeType: string): string =>
  mimeType.toLowerCase().split(';', 1)[0]?.trim() || 'application/octet-stream'

/** The canonical name of a type with several. */
export function plainType(mimeType: string): string {
  const bare = bareType(mimeType)
  return FAMILY[bare] ?? bare
}

const MEDIA_BOXES: ReadonlySet<string> = new Set(['video/mp4', 'audio/mp4', 'video/webm', 'audio/ogg'])

/** Whether the declared type matches the bytes or is more specific: a document in a zip, audio in a video container. */
export function isKindOf(declared: string, found: Probe): boolean {
  const plain = plainType(declared)
  if (plain === found.mimeType) return true
  if (MEDIA_BOXES.has(found.mimeType)) return plain.startsWith('audio/') || plain.startsWith('video/')
  return found.mimeType === 'application/zip' && /^application\/(?:vnd\.|epub|java-archive|x-zip)/.test(plain)
}

/**
 * The type to store and serve. A picture must have its declared type; another file keeps it unless its bytes are of a
 * type that a browser or a system would run.
 */
export function settleType(declared: string, found: Probe | undefined): { mimeType: string } | { conflict: string } {
  const bare = bareType(declared)
  const plain = plainType(bare)
  if (SHOWN.has(plain) && plain.startsWith('image/') && found?.mimeType !== plain) {
    return { conflict: `the file is not ${bare}` }
  }
  if (found && ACTIVE.has(found.mimeType) && plain !== found.mimeType) return { mimeType: found.mimeType }
  if (bare === 'application/octet-stream' && found) return { mimeType: found.mimeType }
  return { mimeType: bare }
}

const ACTIVE: ReadonlySet<string> = new Set([
  'text/html',
  'image/svg+xml',
  'application/x-msdownload',
  'application/x-executable',
])

const SHOWN: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/ogg',
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
])

/** File names that would run when saved and opened, whatever their content is. */
const RUNNING_NAMES =
  /\.(?:x?html?|xht|mht(?:ml)?|svgz?|xml|xsl|hta|m?js|exe|com|bat|cmd|ps1|vbs|scr|sh|desktop|jar|lnk)$/i

/** What a browser may show inline; everything else is a download. */
export function mayShow(mimeType: string, name: string): boolean {
  return SHOWN.has(plainType(mimeType)) && !RUNNING_NAMES.test(name)
}
