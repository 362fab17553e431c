import { AppError } from '#shared/lib/app-error.ts'
import { toBase64 } from '../lib/files/base64.ts'

/** Bytes of one chunk. Source: `uploads.chunk` in shared/bridge/calls/messages.ts. */
const CHUNK_BYTES = 512 * 1024

/**
 * A file in pieces for the bridge, with how much of it was read before. Rejects with `upload/missing` or
 * `upload/size-mismatch` for a file that was deleted or changed meanwhile.
 */
export async function* chunksOf(file: Blob): AsyncGenerator<{ readonly base64: string; readonly from: number }> {
  for (let from = 0; from < file.size; from += CHUNK_BYTES) {
    const bytes = await read(file.slice(from, from + CHUNK_BYTES))
    yield { base64: toBase64(bytes), from }
  }
}

async function read(piece: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await piece.arrayBuffer())
  } catch (cause) {
    const isGone = cause instanceof DOMException && cause.name === 'NotFoundError'
    throw new AppError(isGone ? 'upload/missing' : 'upload/size-mismatch', { cause })
  }
}
