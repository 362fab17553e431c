import { mkdir, open, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { TransportError, type HttpPort, type HttpRequest } from '#main/engine/ports.ts'

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
export function nodeDownloads(exchange: Exchange): HttpPort['download'] {
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
