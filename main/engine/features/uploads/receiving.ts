import { AppError } from '#shared/lib/app-error.ts'
import type { Core } from '../../core.ts'

/** Bytes of one chunk. Source: contract `uploads.chunk`. */
const CHUNK_LIMIT = 512 * 1024

type Arriving = { readonly id: string; readonly path: string; readonly sizeBytes: number }

/** Files that a window hands over in chunks. In memory: an incomplete file is useless after a restart. */
export function createReceiving({ ports }: Pick<Core, 'ports'>) {
  /** Received bytes, and the end of the last write. */
  const receiving = new Map<string, { bytes: number; last: Promise<void> }>()
  return {
    /**
     * Resolves with how many bytes have been received. Rejects with `upload/size-mismatch` for more bytes than were
     * announced, and with `disk/full`.
     */
    async append({ id, path, sizeBytes }: Arriving, base64: string): Promise<number> {
      const bytes = Buffer.from(base64, 'base64')
      const state = receiving.get(id) ?? { bytes: 0, last: Promise.resolve() }
      const received = state.bytes + bytes.length
      if (bytes.length > CHUNK_LIMIT || received > sizeBytes) throw new AppError('upload/size-mismatch')
      const last = state.last.then(() => onDisk(ports.files.append(path, bytes)))
      receiving.set(id, { bytes: received, last })
      await last
      return received
    },
    /** Resolves once it is on disk. Rejects with `upload/size-mismatch` for fewer bytes, and with `disk/full`. */
    async complete({ id, path, sizeBytes }: Arriving): Promise<void> {
      const state = receiving.get(id)
      await state?.last
      if (sizeBytes === 0) await onDisk(ports.files.append(path, new Uint8Array()))
      if ((state?.bytes ?? 0) !== sizeBytes) throw new AppError('upload/size-mismatch')
      await onDisk(ports.files.sync(path))
      receiving.delete(id)
    },
    forget: (id: string): void => void receiving.delete(id),
  }
}

/** If the disk fails, the file is rejected; what it belongs to stays. */
async function onDisk(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (cause) {
    throw new AppError('disk/full', { cause })
  }
}
