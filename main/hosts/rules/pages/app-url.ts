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
