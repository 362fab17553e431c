const MAX_BYTES = 200
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Control characters, direction marks, and what separates folders or means something to a file system. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu

/**
 * A name that is safe to show and to save under, from whatever a client called its file. Never empty.
 * Source: reliability paper 5.5 "file-name rule".
 */
export function cleanFileName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replaceAll(FORBIDDEN, '')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const short = cut(plain === '' ? 'file' : plain)
  return RESERVED.test(short) ? `_${short}` : short
}

/** Keeps the extension when the name is too long. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  let stem = name.slice(0, name.length - extension.length)
  while (Buffer.byteLength(stem + extension) > MAX_BYTES) stem = stem.replace(/.$/su, '')
  return stem.trimEnd() + extension
}

/** The `filename` parts of Content-Disposition: plain for old readers, exact for the others. Source: RFC 6266. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}
