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
