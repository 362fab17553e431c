/** The one origin of our pages in Electron. */
export const APP_ORIGIN = 'app://main'
export const APP_PAGE = 'app://main/index.html'

/** Replaces the page when it crashes repeatedly. */
export const SAFE_PAGE = 'app://main/safe.html'

/** Paths of the built renderer, each with a leading slash, as the build listed them. Never a folder listing. */
export type Manifest = ReadonlySet<string>

/** Characters that are special to a file system or a decoder and never occur in names of built files. */
const ODD_PATH = /[^\w./@-]|\.\.|\/\/|\/\.|[. ](\/|$)/

/**
 * The built file an address names, or why there is none. Works on the raw text too, because a URL parser resolves
 * `..` and backslashes.
 */
export function resolveAppUrl(
  method: string,
  url: string,
  manifest: Manifest,
): { file: string } | { status: 404 | 405 } {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 }
  if (!url.startsWith(`${APP_ORIGIN}/`)) return { status: 404 }
  return resolvePath(url.slice(APP_ORIGIN.length), manifest)
}

/** The same for a raw request path; query and fragment are dropped, percent signs are decoded once. */
export function resolvePath(rawPath: string, manifest: Manifest): { file: string } | { status: 404 } {
  const path = decodeOnce(rawPath.split(/[?#]/, 1)[0] ?? '')
  if (path === undefined) return { status: 404 }
  const file = path === '/' ? '/index.html' : path
  if (!file.startsWith('/') || ODD_PATH.test(file) || !manifest.has(file)) return { status: 404 }
  return { file }
}

function decodeOnce(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    // Invalid percent-encoding: no such file.
    return undefined
  }
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
}

export function mimeTypeOf(file: string): string {
  return MIME_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

/** The id of Parlor: for shortcuts and notifications on Windows, the bundle on macOS. */
export const APP_ID = 'chat.parlor.desktop'

/** How a page is served: the policies differ only in the sources of media and calls. */
type CspFor =
  | { readonly host: 'electron' }
  | { readonly host: 'browser'; readonly port: number }
  /** The copy inside the built page, valid under both hosts; the header of the host narrows it. */
  | { readonly host: 'page' }

/** Content security policy. No `unsafe-*`, no wildcard host, Trusted Types with no policy allowed. */
export function csp(target: CspFor): string {
  const sources = sourcesOf(target)
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${sources.media}`,
    `media-src ${sources.media}`,
    "font-src 'self'",
    `connect-src ${sources.connect}`,
    "worker-src 'self'",
    "frame-src 'none'",
    "child-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "manifest-src 'none'",
    // Browsers ignore this one in a <meta> policy and warn about it.
    ...(target.host === 'page' ? [] : ["frame-ancestors 'none'"]),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return directives.join('; ')
}

function sourcesOf(target: CspFor): { media: string; connect: string } {
  switch (target.host) {
    case 'electron':
      return { media: "'self' media: blob:", connect: "'none'" }
    case 'browser':
      return { media: "'self' blob:", connect: `ws://127.0.0.1:${target.port}` }
    case 'page':
      return { media: "'self' media: blob:", connect: 'ws://127.0.0.1:*' }
  }
}

const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
const OWN_FEATURES = ['clipboard-write', 'fullscreen', 'geolocation', 'microphone']

const permissionsPolicy = [
  ...UNUSED_FEATURES.map((name) => `${name}=()`),
  ...OWN_FEATURES.map((name) => `${name}=(self)`),
].join(', ')

/** On every response of both hosts. */
export function commonHeaders(): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
  }
}

/**
 * On pages, scripts and styles: the common ones and the policy. HTML is never stored; the others carry a hash of what
 * is in them in their names, so they are cached, with their compiled code.
 */
export function pageHeaders(target: CspFor, isHtml: boolean): Record<string, string> {
  return {
    ...commonHeaders(),
    'Content-Security-Policy': csp(target),
    'Cache-Control': isHtml ? 'no-store' : 'private, max-age=31536000, immutable',
  }
}

/** On attachments and portraits: they must never run as a page. */
function mediaHeaders(): Record<string, string> {
  return {
    ...commonHeaders(),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, max-age=300',
  }
}

/**
 * Types shown in place; every other type is only ever offered as a download. SVG is active content and not among them.
 */
const SHOWN_TYPES = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+)$/

export function shownMimeType(sniffed: string): { type: string; download: boolean } {
  return SHOWN_TYPES.test(sniffed)
    ? { type: sniffed, download: false }
    : { type: 'application/octet-stream', download: true }
}

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
