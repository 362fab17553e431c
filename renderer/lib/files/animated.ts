/** Bytes that decide about every format except PNG. */
const HEAD = 32
const PNG_SIGNATURE = 8
const PNG_CHUNK = 12
/** The bit of an extended WebP's flags that says it is animated. */
const WEBP_ANIMATED = 0x02

/**
 * Whether a picture has several frames, by its bytes: GIF, animated PNG (`acTL` before the first `IDAT`), animated WebP,
 * AVIF sequences. Any GIF counts as animated.
 */
export async function isAnimated(picture: Blob): Promise<boolean> {
  const head = await read(picture, 0, HEAD)
  const at = (from: number, length: number): string => textOf(head, from, length)
  if (at(0, 3) === 'GIF') return true
  if (at(1, 3) === 'PNG') return isAnimatedPng(picture)
  if (at(0, 4) === 'RIFF' && at(8, 8) === 'WEBPVP8X') return ((head[20] ?? 0) & WEBP_ANIMATED) !== 0
  return at(4, 8) === 'ftypavis'
}

async function isAnimatedPng(picture: Blob): Promise<boolean> {
  for (let from = PNG_SIGNATURE; from < picture.size;) {
    const head = await read(picture, from, PNG_CHUNK)
    const type = textOf(head, 4, 4)
    if (type === 'acTL') return true
    if (type === 'IDAT' || head.length < PNG_CHUNK) return false
    from += PNG_CHUNK + new DataView(head.buffer).getUint32(0)
  }
  return false
}

const read = async (picture: Blob, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await picture.slice(from, from + length).arrayBuffer())

const textOf = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
