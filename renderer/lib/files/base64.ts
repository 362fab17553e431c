/** Bytes of one chunk. Source: `uploads.chunk` in shared/bridge/calls/messages.ts. */
const CHUNK_BYTES = 512 * 1024

/** A file in pieces for the bridge, with how much of it was read before. */
export async function* chunksOf(file: Blob): AsyncGenerator<{ readonly base64: string; readonly from: number }> {
  for (let from = 0; from < file.size; from += CHUNK_BYTES) {
    const bytes = new Uint8Array(await file.slice(from, from + CHUNK_BYTES).arrayBuffer())
    yield { base64: toBase64(bytes), from }
  }
}

/** Spreading more arguments than this overflows the call stack. */
const CHUNK = 0x8000

/** Encodes bytes for the bridge. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK))
  }
  return btoa(binary)
}

export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}
