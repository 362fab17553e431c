import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WebSocket, type ClientOptions } from 'ws'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { Socket as NetSocket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import {
  type Ports,
  type FilesPort,
  type Socket,
  type SocketHandlers,
  type SocketPort,
  TransportError,
  type HttpResponse,
  type HttpFileBody,
  type HttpPort,
  type HttpRequest,
} from '#main/engine/ports.ts'
import { request as httpRequest } from '#main/lib/node-http.ts'
import { type Proxies, pinnedTo, isUntrusted } from './network.ts'

/** The real ports: this machine's clock, random numbers, network and disk. */
export function nodePorts(log: LogSink, proxies?: Proxies): Ports {
  return {
    clock: systemClock,
    ids: systemIds,
    http: nodeHttp(proxies),
    sockets: nodeSockets(proxies),
    files: nodeFiles(),
    log,
  }
}

/** The disk, for both hosts. Folders 0700, files 0600. */
export function nodeFiles(): FilesPort {
  return {
    async append(path, bytes) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await appendFile(path, bytes, { mode: 0o600 })
    },
    sync: (path) => withFile(path, 'r+', (file) => file.sync()),
    read: (path, start, length) =>
      withFile(path, 'r', async (file) => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      }),
    async size(path) {
      return (await absentIfMissing(stat(path)))?.size
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    async list(folder) {
      return (await absentIfMissing(readdir(folder))) ?? []
    },
  }
}

async function withFile<T>(
  path: string,
  flags: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function absentIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A larger frame closes the socket with 1009, and the reconnect recovers. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024

/** WebSockets over Node, for both hosts. Text frames only; compression off, as the contract's clients do. */
export function nodeSockets(proxies?: Proxies): SocketPort {
  return {
    open: (url, handlers, certificate) =>
      certificate !== undefined
        ? // The type of the library asks for a boolean, where Node asks for an error.
          openSocket(url, handlers, pinnedTo(certificate) as unknown as ClientOptions)
        : proxies === undefined || proxies.isDirect(url)
          ? openSocket(url, handlers, { ...proxies?.identityFor(url) })
          : openWith(proxies, url, handlers),
  }
}

function openSocket(url: string, handlers: SocketHandlers, proxyOptions: ClientOptions): Socket {
  const socket = new WebSocket(url, {
    ...proxyOptions,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  })
  let closed = false
  const close = (code: number, reason: string): void => {
    if (closed) return
    closed = true
    handlers.onClose(code, reason)
  }
  socket.on('upgrade', (answer) => answer.socket.setKeepAlive(true, KEEP_ALIVE_MS))
  socket.on('open', () => handlers.onOpen())
  socket.on('message', (data, isBinary) => {
    if (!isBinary && !closed) handlers.onFrame((data as Buffer).toString('utf8'))
  })
  // A close event follows every error and reports it.
  socket.on('error', () => undefined)
  socket.on('close', (code, reason) => close(code, reason.toString()))
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    terminate() {
      socket.terminate()
      close(1006, '')
    },
  }
}

/** The proxy is looked up first; until then nothing can be sent, and a close ends the lookup. */
function openWith(proxies: Proxies, url: string, handlers: SocketHandlers): Socket {
  let socket: Socket | undefined
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    handlers.onClose(1006, '')
  }
  async function openNow(): Promise<void> {
    const agent = await proxies.agentFor(url)
    if (!isOver) socket = openSocket(url, handlers, { ...proxies.identityFor(url), agent })
  }
  openNow().catch(end)
  return {
    send: (text) => socket?.send(text),
    close: (code, reason) => (socket ? socket.close(code, reason) : end()),
    terminate: () => (socket ? socket.terminate() : end()),
  }
}

type Exchange = (request: HttpRequest) => Promise<IncomingMessage>

/** A download that was interrupted. */
type Begun = {
  readonly url: string
  /** Bytes of the whole file. */
  readonly total: number
  /** Identifies the content, so that parts of different files are never joined; not every server sends one. */
  readonly tag: string | undefined
}

/**
 * Downloads files by HTTP. After an interruption the received part stays, and the next call with the same URL and path
 * resumes there, if the server can and the file is still the same. Sizes are checked: a file that is shorter or longer
 * than announced is refused.
 */
function nodeDownloads(exchange: Exchange): HttpPort['download'] {
  const begun = new Map<string, Begun>()

  /** The interrupted download to resume, if any. */
  async function interruptedOf(path: string, url: string): Promise<(Begun & { readonly bytes: number }) | undefined> {
    const known = begun.get(path)
    begun.delete(path)
    const bytes = (await stat(path).catch(() => undefined))?.size ?? 0
    return known?.url === url && bytes > 0 && bytes < known.total ? { ...known, bytes } : undefined
  }

  return async function download(request, toPath, maxBytes) {
    const interrupted = await interruptedOf(toPath, request.url)
    const answer = await exchange(interrupted ? fromThere(request, interrupted) : request)
    const status = answer.statusCode ?? 0
    const isResumed = interrupted !== undefined && status === 206 && isRest(answer, interrupted)
    if (interrupted && !isResumed && status !== 200) {
      // The file has changed, or the server does not say which part it sent: start again.
      answer.destroy()
      await rm(toPath, { force: true })
      return download(request, toPath, maxBytes)
    }
    const mimeType = answer.headers['content-type'] ?? 'application/octet-stream'
    if (status < 200 || status >= 300) {
      answer.resume()
      return { status, mimeType, sizeBytes: 0 }
    }
    const before = isResumed ? interrupted.bytes : 0
    const total = isResumed ? interrupted.total : totalOf(answer)
    try {
      const sizeBytes = await saveBody(answer, { toPath, maxBytes, before })
      if (total !== undefined && sizeBytes !== total) throw new TransportError('network', true)
      return { status: 200, mimeType, sizeBytes }
    } catch (cause) {
      const error = cause instanceof TransportError ? cause : new TransportError('network', true, { cause })
      const tag = isResumed ? interrupted.tag : tagOf(answer)
      if (error.kind === 'network' && total !== undefined && canResume(answer, tag)) {
        begun.set(toPath, { url: request.url, total, tag })
      } else {
        await rm(toPath, { force: true })
      }
      throw error
    }
  }
}

const fromThere = (request: HttpRequest, { bytes, tag }: Begun & { readonly bytes: number }): HttpRequest => ({
  ...request,
  headers: { ...request.headers, range: `bytes=${bytes}-`, ...(tag === undefined ? {} : { 'if-range': tag }) },
})

/** Whether this is exactly the missing part of a file of the same length. */
function isRest(answer: IncomingMessage, { bytes, total }: Begun & { readonly bytes: number }): boolean {
  return answer.headers['content-range'] === `bytes ${bytes}-${total - 1}/${total}`
}

/** The length from the headers, unless the body is compressed. */
function totalOf({ headers }: IncomingMessage): number | undefined {
  const length = Number(headers['content-length'])
  return headers['content-encoding'] === undefined && Number.isSafeInteger(length) ? length : undefined
}

/** A weak tag does not identify the bytes. */
function tagOf({ headers: { etag } }: IncomingMessage): string | undefined {
  return etag === undefined || etag.startsWith('W/') ? undefined : etag
}

const canResume = ({ headers, statusCode }: IncomingMessage, tag: string | undefined): boolean =>
  statusCode === 206 || tag !== undefined || headers['accept-ranges'] === 'bytes'

type Saving = { readonly toPath: string; readonly maxBytes: number; readonly before: number }

/**
 * Returns how many bytes the file has now. Written chunk by chunk, so that the part before an interruption is on disk.
 */
async function saveBody(answer: IncomingMessage, { toPath, maxBytes, before }: Saving): Promise<number> {
  let size = before
  await mkdir(dirname(toPath), { recursive: true, mode: 0o700 })
  const file = await open(toPath, before > 0 ? 'a' : 'w', 0o600)
  try {
    for await (const chunk of answer) {
      const bytes = chunk as Buffer
      size += bytes.length
      if (size > maxBytes) throw new TransportError('too-large', true)
      await file.writeFile(bytes)
    }
    return size
  } finally {
    await file.close()
  }
}

const MAX_BODY_BYTES = 16 * 1024 * 1024
const PROGRESS_EVERY_MS = 100
/** Detects a peer that is gone even while nothing is being sent. */
export const KEEP_ALIVE_MS = 15_000

/** HTTP over Node, for both hosts. Redirects are never followed: a response comes from the requested URL. */
export function nodeHttp(proxies?: Proxies): HttpPort {
  return {
    async request(request) {
      const answer = await exchange(request, proxies)
      return { status: answer.statusCode ?? 0, headers: headersOf(answer), text: await readText(answer, request) }
    },
    download: nodeDownloads((request) => exchange(request, proxies)),
  }
}

/** Sends the request and waits for the response headers. */
async function exchange(request: HttpRequest, proxies: Proxies | undefined): Promise<IncomingMessage> {
  const body = request.body
  const multipart = typeof body === 'object' ? await multipartOf(body) : undefined
  const { certificate } = request
  const agent = certificate === undefined ? await proxies?.agentFor(request.url) : undefined
  return new Promise((resolve, reject) => {
    const outgoing = startRequest(request, multipart, {
      ...(certificate === undefined ? proxies?.identityFor(request.url) : pinnedTo(certificate)),
      agent,
    })
    let timedOut = false
    let sent = false
    const stopTimer = request.timeoutMs === undefined ? undefined : systemClock.after(request.timeoutMs, onTimeout)
    function onTimeout(): void {
      timedOut = true
      outgoing.destroy(new Error('timeout'))
    }
    if (request.stallMs !== undefined) outgoing.setTimeout(request.stallMs, onTimeout)
    // From the first byte on a live connection the server may have acted on the request.
    outgoing.on('socket', (socket) => {
      ignoreErrors(socket)
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      if (socket.connecting) socket.once('connect', () => (sent = true))
      else sent = true
    })
    outgoing.on('response', (answer) => {
      answer.once('close', () => stopTimer?.())
      resolve(answer)
    })
    outgoing.on('error', (cause) => {
      stopTimer?.()
      if (isUntrusted(cause)) return reject(new TransportError('certificate', false, { cause }))
      const kind = request.signal?.aborted ? 'aborted' : timedOut ? 'timeout' : 'network'
      reject(new TransportError(kind, sent, { cause }))
    })
    if (typeof body === 'object' && multipart) sendFile(outgoing, body, multipart)
    else outgoing.end(body)
  })
}

const withListener = new WeakSet<NetSocket>()

/**
 * Errors are reported by the request. A socket that fails between two requests has no other listener, and would end
 * the process.
 */
function ignoreErrors(socket: NetSocket): void {
  if (withListener.has(socket)) return
  withListener.add(socket)
  socket.on('error', () => undefined)
}

function startRequest(
  request: HttpRequest,
  multipart: Multipart | undefined,
  proxyOptions: RequestOptions,
): ClientRequest {
  const url = new URL(request.url)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return send(url, {
    method: request.method,
    ...proxyOptions,
    headers: {
      ...request.headers,
      ...(multipart
        ? { 'content-type': `multipart/form-data; boundary=${multipart.boundary}`, 'content-length': multipart.length }
        : {}),
      ...(typeof request.body === 'string' ? { 'content-length': Buffer.byteLength(request.body) } : {}),
    },
    ...(request.signal ? { signal: request.signal } : {}),
  })
}

type Multipart = { boundary: string; head: Buffer; tail: Buffer; length: number }

async function multipartOf(file: HttpFileBody): Promise<Multipart> {
  const boundary = `parlor-${randomUUID()}`
  // Quotes, line ends and controls would end the header early.
  const name = file.fileName.replace(/["\\\p{Cc}]/gu, '_')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${file.mimeType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { size } = await stat(file.path).catch((cause: unknown) => {
    throw new TransportError('network', false, { cause })
  })
  return { boundary, head, tail, length: head.length + size + tail.length }
}

function sendFile(outgoing: ClientRequest, file: HttpFileBody, parts: Multipart): void {
  outgoing.write(parts.head)
  let sentBytes = 0
  let reportedAt = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sentBytes += chunk.length
      const now = performance.now()
      if (now - reportedAt >= PROGRESS_EVERY_MS) {
        reportedAt = now
        file.onProgress(sentBytes)
      }
      done(undefined, chunk)
    },
    flush(done) {
      file.onProgress(sentBytes)
      done(undefined, parts.tail)
    },
  })
  pipeline(createReadStream(file.path), counter, outgoing).catch((error: Error) => outgoing.destroy(error))
}

async function readText(answer: IncomingMessage, request: HttpRequest): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer) {
      size += (chunk as Buffer).length
      if (size > MAX_BODY_BYTES) throw new TransportError('too-large', true)
      chunks.push(chunk as Buffer)
    }
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    throw new TransportError(request.signal?.aborted ? 'aborted' : 'network', true, { cause })
  }
  return Buffer.concat(chunks).toString('utf8')
}

function headersOf(answer: IncomingMessage): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
