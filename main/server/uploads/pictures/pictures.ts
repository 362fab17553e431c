import { Worker } from 'node:worker_threads'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Size } from './codec.ts'

export type PictureJob = { readonly path: string; readonly mimeType: string; readonly sizes: readonly Size[] }
export type MadePicture = { readonly width: number; readonly height: number; readonly bytes: Uint8Array }
export type PictureReply = { readonly pictures: readonly MadePicture[] } | { readonly reason: string }

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
