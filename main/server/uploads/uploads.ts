import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import type { UploadConfig } from '#shared/wire/app.ts'
import {
  uploadFile,
  uploadImage,
  uploadLooseFile,
  uploadLooseImage,
  type UploadReply,
  type WireUploadSize,
} from '#shared/wire/uploads.ts'
import { every, type Stop } from '#main/lib/clock.ts'
import type { Identity } from '../http/auth/identify.ts'
import { need, openChannel } from '../channels/access.ts'
import {
  cleanFileName,
  DEEP_PROBE_BYTES,
  hidesItsSize,
  isKindOf,
  MAX_PIXELS,
  plainType,
  probe,
  PROBE_BYTES,
  settleType,
  type Probe,
} from './file-kinds.ts'
import { uploadConfigIn } from '../admin/app.ts'
import { checkChannelId } from '../channels/channels.ts'
import { ensureUser } from '../users/users.ts'
import { isLow, type BlobWriter } from '../store/blobs.ts'
import { allUploadBytes, insertUpload, uploadUsage, uploadById, type UploadRow } from './upload-files.ts'
import { userById } from '../users/user-tables.ts'
import { transact, type Services } from '../work.ts'
import { parseBody, parseQuery } from '../http/json.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import type { Incoming } from '../http/server.ts'
import * as v from 'valibot'
import { type MadePicture, type Size, MAX_RESIZED_PIXELS, RESIZABLE } from './pictures.ts'
import { read } from '../http/shapes.ts'

const MAX_FILES_PER_USER = 20_000
const MAX_BYTES_PER_USER = 2 * 1024 ** 3
/** An upload with fewer bytes than this in half a minute is cut off: 8 KB/s. */
const MIN_WINDOW_BYTES = 8 * 1024 * 30
const CHECK_MS = 5_000
const CHECKS_PER_WINDOW = 6

const PATH = /^\/(?:channels\/([^/]+)\/([^/]+)|uploads)\/(file|image)$/

export type UploadTarget = {
  /** The channel of the upload, if any. */
  readonly place: { readonly type: string; readonly id: string } | undefined
  readonly kind: 'file' | 'image'
  readonly operation: string
}

export function uploadTarget(incoming: Incoming): UploadTarget | undefined {
  const match = incoming.request.method === 'POST' ? PATH.exec(incoming.url.pathname) : null
  if (!match) return undefined
  const [, type, id = ''] = match
  const kind = match[3] === 'image' ? 'image' : 'file'
  const place = type === undefined ? undefined : { type: decoded(type), id: decoded(id) }
  return { place, kind, operation: OPERATIONS[place ? 'channel' : 'loose'][kind].operation }
}

const OPERATIONS = {
  channel: { file: uploadFile, image: uploadImage },
  loose: { file: uploadLooseFile, image: uploadLooseImage },
} as const

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse('input', 'the address is not valid')
  }
}

type StoredFile = {
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly width: number | null
  readonly height: number | null
}

/** With the user that a server token uploads for; empty for none. */
type Received = StoredFile & { readonly sentFor: string; readonly sizes: readonly Size[] }

/** Receives one file: checks it while it streams, commits it only whole and on disk, then writes its row. */
export async function receiveUpload(
  incoming: Incoming,
  target: UploadTarget,
  who: Identity,
  services: Services,
): Promise<UploadReply> {
  const cid = checkUpload(target, who, services)
  const free = await services.blobs.free()
  if (isLow(free)) refuse('payloadTooBig', 'the disk of the server is nearly full')
  const id = randomBytes(16).toString('hex')
  const received = await receive(incoming, id, services, uploadConfigIn(services, target.kind))
  try {
    insertRow(id, received, cid, { ...who, userId: who.userId || received.sentFor }, services)
  } catch (error) {
    await services.blobs.remove(id)
    throw error
  }
  const sizes = await addSizes(id, target.kind === 'image' ? received.sizes : [], services)
  return { file: services.fileUrls.signed(id, received.name), ...sizes }
}

/** Uploads of one user may run concurrently: only here their total is known. */
function insertRow(id: string, file: Received, cid: string | null, who: Identity, services: Services): void {
  const { userId } = who
  transact(services, ({ db, now }) => {
    if (who.server && userId !== '') ensureUser(db, userId, now)
    if (!userById(db, userId)) refuse('input', 'a server token must name the user', { user_id: 'required' })
    checkSpace(services, userId, file.sizeBytes)
    insertUpload(db, {
      id,
      name: file.name,
      mime_type: file.mimeType,
      size_bytes: file.sizeBytes,
      user_id: userId,
      cid,
      width: file.width,
      height: file.height,
      created_at: now,
    })
  })
}

/** Returns the cid of the upload. An upload without a channel needs a user who is neither a guest nor banned. */
function checkUpload({ place }: UploadTarget, who: Identity, services: Services): string | null {
  if (!place) {
    if (who.role === 'guest' || who.banned) refuse('notAllowed', `User '${who.userId}' may not upload files`)
    checkSpace(services, who.userId, 1)
    return null
  }
  const access = openChannel(services.db, checkChannelId(place.type, place.id), who)
  if (!access.flags.uploads) refuse('featureNotSupported', 'uploads are switched off in this channel')
  need(access, who, 'upload-file', 'UploadAttachment')
  checkSpace(services, who.userId, 1)
  return access.channel.cid
}

function checkSpace(services: Services, userId: string, more: number): void {
  const usage = uploadUsage(services.db, userId)
  if (usage.files >= MAX_FILES_PER_USER || usage.bytes + more > MAX_BYTES_PER_USER) {
    refuse('payloadTooBig', 'your space for uploads is full')
  }
  const most = services.mostUploadBytes
  if (most !== undefined && allUploadBytes(services.db) + more > most) {
    refuse('payloadTooBig', 'the space of the server for uploads is full')
  }
}

/** Reads the multipart body to its part `file`. On any error nothing of it stays. */
function receive(incoming: Incoming, id: string, services: Services, config: UploadConfig): Promise<Received> {
  const { request } = incoming
  const parser = createParser(incoming, config.size_limit)
  const stopMeter = cutWhenSlow(request, services)
  let sentFor = ''
  let sizes: readonly Size[] = []
  let failure: unknown
  return new Promise<Received>((resolve, reject) => {
    let started: Promise<StoredFile> | undefined
    parser.on('field', (field, text) => {
      try {
        if (field === 'user') sentFor = userIn(text)
        if (field === 'upload_sizes') sizes = readSizes(text)
      } catch (error) {
        failure ??= error
      }
    })
    parser.on('file', (field, stream, info) => {
      // A body cut in the middle of a file also errors this stream, which no one may be reading anymore. The parser or
      // the reader decides the outcome.
      stream.on('error', () => services.log.debug('upload-cut'))
      if (field !== 'file' || started) return void stream.resume()
      started = storeFile(stream, id, { name: info.filename ?? 'file', mimeType: info.mimeType }, services, config)
      started.catch(reject)
    })
    parser.on('error', () => reject(new Refusal('input', 'the multipart body is broken')))
    parser.on('close', () => {
      if (failure) void dropped(started, id, services).finally(() => reject(failure))
      else if (started) started.then((file) => resolve({ ...file, sentFor, sizes }), reject)
      else reject(new Refusal('input', 'the part "file" is missing', { fields: { file: 'required' } }))
    })
    request.on('aborted', () => parser.destroy(new Error('aborted')))
    request.pipe(parser)
  }).finally(stopMeter)
}

/** Removes the stored file of a body with an invalid part. */
const dropped = (started: Promise<StoredFile> | undefined, id: string, services: Services): Promise<void> =>
  Promise.resolve(started).then(
    () => services.blobs.remove(id),
    () => undefined,
  )

/** The part `user` of a server-side client: `{"id":"…"}`. */
function userIn(text: string): string {
  const { id } = parseBody(text)
  return typeof id === 'string' ? id : ''
}

function cutWhenSlow(request: IncomingMessage, services: Services): Stop {
  const seen = [request.socket.bytesRead]
  return every(services.clock, CHECK_MS, () => {
    seen.push(request.socket.bytesRead)
    if (seen.length <= CHECKS_PER_WINDOW) return
    const received = (seen.at(-1) ?? 0) - (seen.shift() ?? 0)
    if (received < MIN_WINDOW_BYTES) request.destroy()
  })
}

function createParser({ request }: Incoming, limit: number): busboy.Busboy {
  if (!/^multipart\/form-data[ \t]*;/i.test(request.headers['content-type'] ?? '')) {
    return refuse('input', 'the body must be multipart/form-data')
  }
  if (Number(request.headers['content-length'] ?? 0) > limit + 64 * 1024) throw tooBig(limit)
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fileSize: limit + 1, files: 4, fields: 10, fieldSize: 10_000, parts: 14, headerPairs: 50 },
    })
  } catch {
    return refuse('input', 'the multipart body is broken')
  }
}

const tooBig = (limit: number) =>
  new Refusal('payloadTooBig', `the file is larger than ${limit} bytes`, { fields: { file: 'size_limit' } })

async function storeFile(
  stream: Readable,
  id: string,
  declared: { name: string; mimeType: string },
  services: Services,
  config: UploadConfig,
): Promise<StoredFile> {
  const name = cleanFileName(declared.name)
  checkExtension(name, config)
  checkType(declared.mimeType, config)
  const writer = await services.blobs.begin(id)
  try {
    const { sizeBytes, head } = await copy(stream, writer, config.size_limit)
    const found = probe(head)
    const settled = settleType(declared.mimeType, found)
    if ('conflict' in settled) throw new Refusal('input', settled.conflict)
    checkType(settled.mimeType, config)
    if (found && !isKindOf(declared.mimeType, found)) checkType(found.mimeType, config)
    checkPixels(found)
    await writer.commit()
    return { name, mimeType: settled.mimeType, sizeBytes, width: found?.width ?? null, height: found?.height ?? null }
  } catch (error) {
    await writer.drop()
    throw error
  }
}

function checkPixels(found: Probe | undefined): void {
  if (!found?.mimeType.startsWith('image/') || found.mimeType === 'image/svg+xml') return
  if (!found.width || !found.height) refuse('input', 'the picture does not say its size')
  else if (found.width * found.height > MAX_PIXELS) refuse('input', 'the picture has too many pixels')
}

async function copy(stream: Readable, writer: BlobWriter, limit: number): Promise<{ sizeBytes: number; head: Buffer }> {
  let sizeBytes = 0
  let head: Buffer = Buffer.alloc(0)
  for await (const part of stream as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > limit) throw tooBig(limit)
    if (head.length < PROBE_BYTES || (head.length < DEEP_PROBE_BYTES && hidesItsSize(head))) {
      head = Buffer.concat([head, part])
    }
    await writer.write(part)
  }
  if ((stream as Readable & { truncated?: boolean }).truncated) throw tooBig(limit)
  if (sizeBytes === 0) throw new Refusal('input', 'the file is empty')
  return { sizeBytes, head }
}

/** The order of the contract: extensions, then types. An empty list means no rule. */
function checkExtension(name: string, config: UploadConfig): void {
  const lower = name.toLowerCase()
  const endsIn = (list: readonly string[]) => list.some((extension) => lower.endsWith(extension.toLowerCase()))
  if (config.allowed_file_extensions.length > 0 && !endsIn(config.allowed_file_extensions)) {
    refuse('input', 'this file extension is not allowed', { file: 'allowed_file_extensions' })
  }
  if (endsIn(config.blocked_file_extensions)) {
    refuse('input', 'this file extension is blocked', { file: 'blocked_file_extensions' })
  }
}

function checkType(mimeType: string, config: UploadConfig): void {
  const isOne = (list: readonly string[]) => list.some((each) => plainType(each) === plainType(mimeType))
  if (config.allowed_mime_types.length > 0 && !isOne(config.allowed_mime_types)) {
    refuse('input', 'this file type is not allowed', { file: 'allowed_mime_types' })
  }
  if (isOne(config.blocked_mime_types)) {
    refuse('input', 'this file type is blocked', { file: 'blocked_mime_types' })
  }
}

/** Pixels per side. See docs/wire.md 8.16 "images". */
const THUMBNAIL = 600
const MAX_SIDE = 2_000
const MAX_SIZES = 5

const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SIDE))
const sizeShape = v.looseObject({
  width: side,
  height: side,
  resize: v.optional(v.picklist(['clip', 'crop', 'scale', 'fill', '']), 'clip'),
  crop: v.optional(v.picklist(['center', 'top', 'bottom', 'left', 'right', '']), 'center'),
})

/** The part `upload_sizes`: a JSON list of sizes. Refuses invalid ones with code 4. */
function readSizes(text: string): Size[] {
  if (text.trim() === '') return []
  const given = parseQuery(new URLSearchParams({ upload_sizes: text }))['upload_sizes']
  const sizes = read(v.pipe(v.array(sizeShape), v.maxLength(MAX_SIZES)), given)
  return sizes.map(({ width, height, resize, crop }) => ({
    width,
    height,
    resize: resize || 'clip',
    crop: crop || 'center',
  }))
}

const THUMBNAIL_SIZE: Size = { width: THUMBNAIL, height: THUMBNAIL, resize: 'clip', crop: 'center' }

/**
 * Makes the thumbnail of an uploaded picture and the requested sizes, and stores them with it. A small picture is its
 * own thumbnail; one that cannot be resized here has none.
 */
async function addSizes(id: string, requested: readonly Size[], services: Services): Promise<Partial<UploadReply>> {
  const row = uploadById(services.db, id)
  const { width, height } = row ?? {}
  if (!row?.mime_type.startsWith('image/') || !width || !height) return {}
  const own = services.fileUrls.signed(row.id, row.name)
  const isSmall = width <= THUMBNAIL && height <= THUMBNAIL
  const canMake = RESIZABLE.has(row.mime_type) && width * height <= MAX_RESIZED_PIXELS
  const sizes = canMake ? [...(isSmall ? [] : [THUMBNAIL_SIZE]), ...requested] : []
  const job = { path: services.blobs.pathOf(id), mimeType: row.mime_type, sizes }
  const made = sizes.length === 0 ? [] : await services.pictures.make(job)
  const urls = await Promise.all(made.map((picture) => store(row, picture, services)))
  const thumb = isSmall ? own : urls.shift()
  return {
    ...(thumb === undefined ? {} : { thumb_url: thumb }),
    ...(urls.length > 0
      ? { upload_sizes: requested.map((size, at): WireUploadSize => ({ ...size, url: urls[at] ?? own })) }
      : {}),
  }
}

async function store(original: UploadRow, picture: MadePicture, services: Services): Promise<string> {
  const id = randomBytes(16).toString('hex')
  const writer = await services.blobs.begin(id)
  try {
    await writer.write(Buffer.from(picture.bytes))
    await writer.commit()
  } catch (error) {
    await writer.drop()
    throw error
  }
  transact(services, ({ db, now }) =>
    insertUpload(db, {
      ...original,
      id,
      size_bytes: picture.bytes.length,
      width: picture.width,
      height: picture.height,
      created_at: now,
      original: original.id,
    }),
  )
  return services.fileUrls.signed(id, original.name)
}
