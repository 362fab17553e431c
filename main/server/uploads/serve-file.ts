import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { disposition } from './file-names.ts'
import { mayOpenFile } from './file-access.ts'
import { mayShow } from './file-kinds.ts'
import { uploadById, type UploadRow } from './upload-table.ts'
import type { Services } from '../work.ts'
import { identifyCaller } from '../http/calls.ts'
import { refuse } from '../http/refusal.ts'
import type { Incoming, Special } from '../http/server.ts'

const PATH = /^\/files\/([a-f0-9]{32})(?:\/[^/]*)?$/

/**
 * Serves an upload to a request with a signed address that has not expired, or with the token of a user who
 * may open it now. Others do not learn whether it exists. The headers keep its content from running.
 */
export function serveFile(incoming: Incoming, services: Services): ReturnType<Special> {
  const { request, url } = incoming
  if (!url.pathname.startsWith('/files/') || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
  return { operation: 'GetFile', run: () => send(incoming, services) }
}

async function send(incoming: Incoming, services: Services): Promise<void> {
  const { request, response } = incoming
  const row = fileFor(incoming, services)
  if (!row) return refuse('doesNotExist', 'there is no such file')
  const path = services.blobs.pathOf(row.id)
  const size = await stat(path).then(
    (found) => found.size,
    () => refuse('doesNotExist', 'there is no such file'),
  )
  const range = readRange(request.headers.range, size)
  response.setHeader('Content-Type', row.mime_type)
  response.setHeader(
    'Content-Disposition',
    disposition(mayShow(row.mime_type, row.name) ? 'inline' : 'attachment', row.name),
  )
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox")
  response.setHeader('Cross-Origin-Resource-Policy', 'same-site')
  response.setHeader('Cache-Control', 'private, max-age=31536000, immutable')
  response.setHeader('Accept-Ranges', 'bytes')
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end()
    return
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  if (range) response.setHeader('Content-Range', `bytes ${from}-${to}/${size}`)
  response.writeHead(range ? 206 : 200, { 'Content-Length': to - from + 1 })
  if (request.method === 'HEAD') response.end()
  else await pipeline(createReadStream(path, { start: from, end: to }), response).catch(() => response.destroy())
}

/** The upload that the address names, if this request may read it. */
function fileFor({ request, url, query }: Incoming, services: Services): UploadRow | undefined {
  const id = PATH.exec(url.pathname)?.[1]
  if (id === undefined) return undefined
  const row = uploadById(services.db, id)
  if (services.fileUrls.holds(id, url.searchParams)) return row
  const { headers } = request
  if (headers.authorization === undefined && query['authorization'] === undefined) return undefined
  const caller = { query: { ...query, api_key: query['api_key'] ?? services.apiKey }, headers }
  const who = identifyCaller(caller, services, { operation: 'GetFile' })
  return row && mayOpenFile(services.db, row, who) ? row : undefined
}

/** One range only; a range that cannot be parsed is answered with the whole file, as the standard allows. */
export function readRange(
  header: string | undefined,
  size: number,
): { from: number; to: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from >= size || from > to || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { from, to }
}
