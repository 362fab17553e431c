import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { type Size, decode, encode, resized } from './codec.ts'

type PictureJob = { readonly path: string; readonly mimeType: string; readonly sizes: readonly Size[] }
export type MadePicture = { readonly width: number; readonly height: number; readonly bytes: Uint8Array }
type PictureReply = { readonly pictures: readonly MadePicture[] } | { readonly reason: string }

/** Resizes pictures. */
export type Pictures = {
  /** One picture per size, of the same type; empty when it fails or takes too long. Never rejects. */
  make(job: PictureJob): Promise<readonly MadePicture[]>
}

/** Without a worker file no picture is resized. */
export const noPictures: Pictures = { make: () => Promise.resolve([]) }

const TIMEOUT_MS = 10_000
const MAX_HEAP_MB = 512

/**
 * One worker thread per picture, one picture at a time: decoding untrusted bytes does not block the server, is limited
 * in memory and time, and leaves nothing behind.
 *
 * @param entry the file that the thread runs (`main/entry/pictures.ts`, or what it was built into)
 */
export function threadPictures(entry: string, clock: Clock, log: Logger): Pictures {
  let turn: Promise<unknown> = Promise.resolve()
  const run = (job: PictureJob): Promise<readonly MadePicture[]> =>
    new Promise((resolve) => {
      const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
      const worker = new Worker(entry, { workerData: job, resourceLimits: limits })
      const finish = (pictures: readonly MadePicture[], reason?: string): void => {
        stop()
        if (reason !== undefined) log.warn('picture-not-resized', { reason })
        void worker.terminate()
        resolve(pictures)
      }
      const stop = clock.after(TIMEOUT_MS, () => finish([], 'too slow'))
      worker.on('message', (reply: PictureReply) =>
        'pictures' in reply ? finish(reply.pictures) : finish([], reply.reason),
      )
      worker.on('error', (error: Error) => finish([], error.message))
      worker.on('exit', () => finish([]))
    })
  return {
    make(job) {
      const next = turn.then(() => run(job))
      turn = next
      return next
    },
  }
}

/**
 * The worker of `threadPictures`: resizes one picture, then the thread ends. An unreadable picture has no other sizes.
 */
export function runPictureWorker(): void {
  if (isMainThread || !parentPort) throw new Error('pictures are resized in a worker thread')
  const port = parentPort
  port.postMessage(reply(workerData as PictureJob), [])
}

function reply({ path, mimeType, sizes }: PictureJob): PictureReply {
  try {
    const picture = decode(readFileSync(path), mimeType)
    return { pictures: sizes.map((size) => made(resized(picture, size), mimeType)) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'unknown' }
  }
}

const made = (picture: Parameters<typeof encode>[0], mimeType: string) => ({
  width: picture.width,
  height: picture.height,
  bytes: new Uint8Array(encode(picture, mimeType)),
})
