import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import type { MediaFile } from '../host.ts'
import { mimeTypeOf, resolvePath, type Manifest } from '../rules/pages/app-url.ts'
import { commonHeaders, pageHeaders, mediaAnswer } from '../rules/pages/headers.ts'
import { MEDIA_PATH } from './access.ts'

type HttpOptions = {
  readonly port: number
  readonly rendererFolder: string
  readonly manifest: Manifest
  /**
   * The file behind a capability path, `undefined` when the file does not exist; `refused`: an invalid or expired link.
   */
  readonly findMedia: (path: string) => Promise<MediaFile | undefined | 'refused'>
}

/** Built pages and media, nothing else. Every response has the security headers. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<void> {
  const refusal = requestRefusal(headOf(request), options.port)
  if (refusal !== undefined) return endEmpty(response, refusal)
  const path = request.url ?? '/'
  // No path here takes a body.
  if (request.method === 'POST') return endEmpty(response, 404)
  if (path.startsWith(MEDIA_PATH)) return sendMedia(request, response, await options.findMedia(path))
  return sendBuiltFile(request, response, options)
}

export function headOf(request: IncomingMessage): RequestHead {
  const header = (name: string): string | undefined => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: request.method ?? '',
    host: soleHost(request),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    fetchMode: header('sec-fetch-mode'),
    fetchDest: header('sec-fetch-dest'),
    names: Object.keys(request.headers),
  }
}

/** Two Host headers count as none: Node uses the first, other software might use the last. */
function soleHost(request: IncomingMessage): string | undefined {
  return request.headersDistinct['host']?.length === 1 ? request.headers.host : undefined
}

async function sendBuiltFile(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const found = resolvePath(request.url ?? '/', options.manifest)
  if ('status' in found) return endEmpty(response, found.status)
  const bytes = await readFile(join(options.rendererFolder, found.file))
  response.writeHead(200, {
    ...pageHeaders({ host: 'browser', port: options.port }, found.file.endsWith('.html')),
    'Content-Type': mimeTypeOf(found.file),
    'Content-Length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function sendMedia(request: IncomingMessage, response: ServerResponse, file: MediaFile | undefined | 'refused'): void {
  if (file === 'refused') return endEmpty(response, 404)
  const answer = mediaAnswer(file, request.headers.range)
  response.writeHead(answer.status, answer.headers)
  if (!file || !answer.range || request.method === 'HEAD') return void response.end()
  // A page that stops reading half-way is normal; the pipeline closes the file either way.
  pipeline(createReadStream(file.path, answer.range), response, () => undefined)
}

export function endEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...commonHeaders(), 'Cache-Control': 'no-store', 'Content-Length': 0 })
  response.end()
}

/** The parts of a request that show its origin. */
type RequestHead = {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly fetchDest: string | undefined
  /** Names of all headers, lower case. */
  readonly names: readonly string[]
}

/** `undefined` allows the request; a number is the status that refuses it. */
type Refusal = 400 | 401 | 403 | 405 | 421 | undefined

const METHODS = new Set(['GET', 'HEAD', 'POST'])

/** Every request except the upgrade. */
function requestRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method === 'OPTIONS' || head.names.includes('access-control-request-method')) return 403
  if (!METHODS.has(head.method)) return 405
  if (head.origin !== undefined && !ownOrigins(port).includes(head.origin)) return 403
  if (isFromElsewhere(head) && !isTopLevelVisit(head)) return 403
  return undefined
}

/** The upgrade to a WebSocket: the exact origin is required, so that no other page can connect. */
export function upgradeRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method !== 'GET') return 405
  if (head.origin === undefined || head.origin !== `http://${head.host}`) return 403
  if (head.fetchSite !== undefined && head.fetchSite !== 'same-origin') return 403
  return undefined
}

/** A rebound name would have its own Host. The policy allows 127.0.0.1 only, and every URL we create uses it. */
function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

const ownOrigins = (port: number): string[] => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

function isFromElsewhere(head: RequestHead): boolean {
  return head.fetchSite !== undefined && head.fetchSite !== 'same-origin' && head.fetchSite !== 'none'
}

/** The redirect file is of another origin and opens this page: a plain visit shows the page, without any rights. */
function isTopLevelVisit(head: RequestHead): boolean {
  return head.method === 'GET' && head.fetchMode === 'navigate' && head.fetchDest === 'document'
}
