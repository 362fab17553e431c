import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import type { UploadConfig } from '#shared/wire/app.ts'
import type { UploadReply } from '#shared/wire/uploads.ts'
import type { Identity } from '../auth/identify.ts'
import { need, openChannel, type Access } from '../rules/access.ts'
import { cleanFileName } from '../rules/file-names.ts'
import { fileUrl } from '../rules/file-url.ts'
import { uploadConfigIn } from '../routes/app.ts'
import { checkChannelId } from '../rules/channels.ts'
import { MAX_PIXELS, probe, PROBE_BYTES, settleType } from '../rules/media.ts'
import type { BlobWriter } from '../store/blobs.ts'
import { insertUpload, uploadUsage } from '../store/tables/uploads.ts'
import { transact, type Services } from '../work.ts'
import { Refusal, refuse } from './refusal.ts'
import type { Incoming } from './server.ts'

/** Source: reliability paper 5.5. */
const MAX_FILES_PER_USER = 20_000
const MAX_BYTES_PER_USER = 2 * 1024 ** 3
const MIN_FREE_BYTES = 1024 ** 3
/** Uploads one person may start per minute. Source: reliability paper 5.3. */
export const UPLOADS_PER_MINUTE = 30

const PATH = /^\/channels\/([^/]+)\/([^/]+)\/(file|image)$/

export type UploadTarget = { readonly type: string; readonly id: string; readonly kind: 'file' | 'image' }

export function uploadTarget(incoming: Incoming): UploadTarget | undefined {
  const match = incoming.request.method === 'POST' ? PATH.exec(incoming.url.pathname) : null
  if (!match) return undefined
  const [, type = '', id = '', kind] = match
  return { type: decodeURIComponent(type), id: decodeURIComponent(id), kind: kind === 'image' ? 'image' : 'file' }
}

type Received = {
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly width: number | null
  readonly height: number | null
}

/** Takes one file: checks while it streams, keeps it only whole and on disk, then writes its row. */
export async function receiveUpload(
  incoming: Incoming,
  target: UploadTarget,
  who: Identity,
  services: Services,
): Promise<UploadReply> {
  const access = checkUpload(target, who, services)
  const free = await services.blobs.free()
  if (free.bytes < MIN_FREE_BYTES) refuse('payloadTooBig', 'the disk of the server is nearly full')
  const id = randomBytes(16).toString('hex')
  const received = await receive(incoming, id, services, uploadConfigIn(services, target.kind))
  transact(services, (work) =>
    insertUpload(work.db, {
      id,
      name: received.name,
      mime_type: received.mimeType,
      size_bytes: received.sizeBytes,
      user_id: who.userId,
      cid: access.channel.cid,
      width: received.width,
      height: received.height,
      created_at: work.now,
    }),
  )
  return { file: fileUrl(services.baseUrl(), id, received.name) }
}

function checkUpload(target: UploadTarget, who: Identity, services: Services): Access {
  const access = openChannel(services.db, checkChannelId(target.type, target.id), who)
  if (!access.flags.uploads) refuse('featureNotSupported', 'uploads are switched off in this channel')
  need(access, who, 'upload-file', 'UploadAttachment')
  if (!services.uploadBudget.take(who.userId)) refuse('rateLimit', 'too many uploads: wait a minute')
  const usage = uploadUsage(services.db, who.userId)
  if (usage.files >= MAX_FILES_PER_USER || usage.bytes >= MAX_BYTES_PER_USER) {
    refuse('payloadTooBig', 'your space for uploads is full')
  }
  return access
}

/** Reads the multipart body to its part `file`. Whatever fails, nothing of it stays. */
function receive(incoming: Incoming, id: string, services: Services, config: UploadConfig): Promise<Received> {
  const { request } = incoming
  const limit = config.size_limit
  return new Promise((resolve, reject) => {
    let started: Promise<Received> | undefined
    const parser = makeParser(incoming, limit, reject)
    if (!parser) return
    parser.on('file', (field, stream, info) => {
      if (field !== 'file' || started) return void stream.resume()
      started = keepFile(stream, id, { name: info.filename ?? 'file', mimeType: info.mimeType }, services, config)
      started.catch((error: unknown) => {
        stream.resume()
        reject(error)
      })
    })
    parser.on('error', () => reject(new Refusal('input', 'the multipart body is broken')))
    parser.on('close', () => {
      if (started) started.then(resolve, reject)
      else reject(new Refusal('input', 'the part "file" is missing', { fields: { file: 'required' } }))
    })
    request.on('aborted', () => parser.destroy(new Error('aborted')))
    request.pipe(parser)
  })
}

function makeParser(incoming: Incoming, limit: number, reject: (error: Error) => void): busboy.Busboy | undefined {
  const { request } = incoming
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    reject(new Refusal('input', 'the body must be multipart/form-data'))
    return undefined
  }
  if (Number(request.headers['content-length'] ?? 0) > limit + 64 * 1024) {
    reject(tooBig(limit))
    return undefined
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fileSize: limit + 1, files: 4, fields: 10, fieldSize: 10_000, parts: 14, headerPairs: 50 },
    })
  } catch {
    reject(new Refusal('input', 'the multipart body is broken'))
    return undefined
  }
}

const tooBig = (limit: number) => new Refusal('payloadTooBig', `the file is larger than ${limit} bytes`)

async function keepFile(
  stream: Readable,
  id: string,
  declared: { name: string; mimeType: string },
  services: Services,
  config: UploadConfig,
): Promise<Received> {
  const name = cleanFileName(declared.name)
  checkLists(name, declared.mimeType, config)
  const writer = await services.blobs.begin(id)
  try {
    const { sizeBytes, head } = await copy(stream, writer, config.size_limit)
    const found = probe(head)
    const settled = settleType(declared.mimeType, found)
    if ('conflict' in settled) throw new Refusal('input', settled.conflict)
    checkLists(name, settled.mimeType, config)
    if ((found?.width ?? 0) * (found?.height ?? 0) > MAX_PIXELS)
      throw new Refusal('input', 'the picture has too many pixels')
    await writer.keep()
    return { name, mimeType: settled.mimeType, sizeBytes, width: found?.width ?? null, height: found?.height ?? null }
  } catch (error) {
    await writer.drop()
    throw error
  }
}

async function copy(stream: Readable, writer: BlobWriter, limit: number): Promise<{ sizeBytes: number; head: Buffer }> {
  let sizeBytes = 0
  let head = Buffer.alloc(0)
  for await (const part of stream as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > limit) throw tooBig(limit)
    if (head.length < PROBE_BYTES) head = Buffer.concat([head, part.subarray(0, PROBE_BYTES - head.length)])
    await writer.write(part)
  }
  if ((stream as Readable & { truncated?: boolean }).truncated) throw tooBig(limit)
  if (sizeBytes === 0) throw new Refusal('input', 'the file is empty')
  return { sizeBytes, head }
}

/** The order of the contract: extensions, then types. An empty list is no rule. Source: behaviour spec 5 "Uploads". */
function checkLists(name: string, mimeType: string, config: UploadConfig): void {
  const lower = name.toLowerCase()
  const endsIn = (list: readonly string[]) => list.some((extension) => lower.endsWith(extension.toLowerCase()))
  const isOne = (list: readonly string[]) => list.some((each) => each.toLowerCase() === mimeType.toLowerCase())
  if (config.allowed_file_extensions.length > 0 && !endsIn(config.allowed_file_extensions)) {
    refuse('input', 'this file extension is not allowed')
  }
  if (endsIn(config.blocked_file_extensions)) refuse('input', 'this file extension is blocked')
  if (config.allowed_mime_types.length > 0 && !isOne(config.allowed_mime_types)) {
    refuse('input', 'this file type is not allowed')
  }
  if (isOne(config.blocked_mime_types)) refuse('input', 'this file type is blocked')
}
