import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { deleteFile, deleteImage, deleteLooseFile, deleteLooseImage } from '#shared/wire/uploads.ts'
import type { Services, Work } from '../work.ts'
import { identifyCaller } from '../http/calls.ts'
import { refuse } from '../http/refusal.ts'
import type { Incoming, Special } from '../http/server.ts'
import type { Identity } from '../http/auth/identify.ts'
import { route, type Route } from '../http/router.ts'
import { openChannel, type Access } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { emojiOfUpload } from '../emoji/emoji.ts'
import { disposition, mayShow } from './file-kinds.ts'
import { mayOpenFile, fileIdIn, uploadById, type UploadRow, removeUpload } from './upload-files.ts'

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

/** One range only; a range that cannot be parsed gets the whole file, as the standard allows. */
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

const byUrl = v.looseObject({ url: v.string() })

export const fileRoutes: readonly Route[] = [
  ...[deleteFile, deleteImage].map((endpoint) =>
    route(endpoint, { query: byUrl }, ({ params, query, who }, work) => {
      const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
      remove(work, access, who, query.url)
      return {}
    }),
  ),
  ...[deleteLooseFile, deleteLooseImage].map((endpoint) =>
    route(endpoint, { query: byUrl }, ({ query, who }, work) => {
      remove(work, undefined, who, query.url)
      return {}
    }),
  ),
]

/** Deletes own uploads, and any for users who may delete any message. */
function remove(work: Work, access: Access | undefined, who: Identity, url: string): void {
  const id = fileIdIn(url)
  if (id === undefined) return refuse('input', 'this is no file of this server')
  const row = uploadById(work.db, id)
  // An upload without a channel is visible to its owner and administrators only.
  const isHere = row?.cid === null ? row.user_id === who.userId || isAdmin(who) : row?.cid === access?.channel.cid
  if (!row || !isHere) return refuse('doesNotExist', 'there is no such file')
  const any = row.cid === null || access?.can.has('delete-any-message') === true
  if (row.user_id !== who.userId && !any) return refuse('notAllowed', 'only own uploads may be deleted')
  if (emojiOfUpload(work.db, id) !== undefined) refuse('input', 'this picture is an emoji: delete the emoji')
  removeUpload(work, id)
}
