import { FILE_PIECE_BYTES } from '#shared/bridge/calls/data.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { MessageId } from '#shared/lib/brand.ts'

/** Bytes of an attachment, read through main, because pages have no network access. Both methods reject on failure. */
export type Pieces = {
  /** From `start` to `end`, exclusive. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  sizeBytes(): Promise<number>
}

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

export function piecesOf({ data }: EngineClient, file: { messageId: MessageId; index: number }): Pieces {
  const ask = (start: number, length: number) => data.fileBytes({ ...file, start, length })
  return {
    sizeBytes: async () => (await ask(0, 1)).sizeBytes,
    async read(start, end) {
      const whole = new Uint8Array(end - start)
      for (let at = start; at < end; at += FILE_PIECE_BYTES) {
        const { base64 } = await ask(at, Math.min(FILE_PIECE_BYTES, end - at))
        whole.set(bytesOf(base64), at - start)
      }
      return whole
    },
  }
}
