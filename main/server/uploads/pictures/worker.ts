import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { decode, encode, resized } from './codec.ts'
import type { PictureJob, PictureReply } from './pictures.ts'

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
