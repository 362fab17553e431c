import { mkdir, open, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { TransportError, type HttpPort, type HttpRequest } from '#main/engine/ports.ts'

type Exchange = (request: HttpRequest) => Promise<IncomingMessage>

/** What is known of a file of which only the beginning came. */
type Begun = {
  readonly url: string
  /** Bytes of the whole. */
  readonly total: number
  /** Names the file's state, so that two halves of different files never become one; not every server has one. */
  readonly tag: string | undefined
}

/**
 * Files by HTTP. Where a line breaks in the middle of one, what came stays, and the next call for the same address and
 * place goes on from there, if the server can and the file is still the same. Sizes are checked: a file that is shorter
 * or longer than it was said to be is none.
 */
export function nodeDownloads(exchange: Exchange): HttpPort['download'] {
  const begun = new Map<string, Begun>()

  /** Nothing where there is nothing to go on with. */
  async function keptOf(path: string, url: string): Promise<(Begun & { readonly bytes: number }) | undefined> {
    const known = begun.get(path)
    begun.delete(path)
    const bytes = (await stat(path).catch(() => undefined))?.size ?? 0
    return known?.url === url && bytes > 0 && bytes < known.total ? { ...known, bytes } : undefined
  }

  return async function download(request, toPath, maxBytes) {
    const kept = await keptOf(toPath, request.url)
    const answer = await exchange(kept ? fromThere(request, kept) : request)
    const status = answer.statusCode ?? 0
    const goesOn = kept !== undefined && status === 206 && isRest(answer, kept)
    if (kept && !goesOn && status !== 200) {
      // The file is another one, or the server does not say what it sent: from its beginning, then.
      answer.destroy()
      await rm(toPath, { force: true })
      return download(request, toPath, maxBytes)
    }
    const mimeType = answer.headers['content-type'] ?? 'application/octet-stream'
    if (status < 200 || status >= 300) {
      answer.resume()
      return { status, mimeType, sizeBytes: 0 }
    }
    const before = goesOn ? kept.bytes : 0
    const total = goesOn ? kept.total : totalOf(answer)
    try {
      const sizeBytes = await saveBody(answer, { toPath, maxBytes, before })
      if (total !== undefined && sizeBytes !== total) throw new TransportError('network', true)
      return { status: 200, mimeType, sizeBytes }
    } catch (cause) {
      const error = cause instanceof TransportError ? cause : new TransportError('network', true, { cause })
      const tag = goesOn ? kept.tag : tagOf(answer)
      if (error.kind === 'network' && total !== undefined && canGoOn(answer, tag)) {
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

/** Exactly what is missing of a file as long as the one that was begun. */
function isRest(answer: IncomingMessage, { bytes, total }: Begun & { readonly bytes: number }): boolean {
  return answer.headers['content-range'] === `bytes ${bytes}-${total - 1}/${total}`
}

/** As the server says it, where that is the length of the bytes themselves. */
function totalOf({ headers }: IncomingMessage): number | undefined {
  const length = Number(headers['content-length'])
  return headers['content-encoding'] === undefined && Number.isSafeInteger(length) ? length : undefined
}

/** A weak one says only that the file means the same. */
function tagOf({ headers: { etag } }: IncomingMessage): string | undefined {
  return etag === undefined || etag.startsWith('W/') ? undefined : etag
}

const canGoOn = ({ headers, statusCode }: IncomingMessage, tag: string | undefined): boolean =>
  statusCode === 206 || tag !== undefined || headers['accept-ranges'] === 'bytes'

type Saving = { readonly toPath: string; readonly maxBytes: number; readonly before: number }

/** Answers how many bytes the whole file has now. Piece by piece, so that what came before a break is on the disk. */
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
