import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { upright, type Picture } from './picture.ts'

/** Types that can be resized here. */
export const RESIZABLE: ReadonlySet<string> = new Set(['image/png', 'image/jpeg'])

/** Larger pictures are not resized: decoding them would take too much memory. */
export const MAX_RESIZED_PIXELS = 24_000_000
const MAX_MEGABYTES = 400
const QUALITY = 82

/** Throws when the bytes are not a complete picture. */
export function decode(bytes: Buffer, mimeType: string): Picture {
  if (mimeType === 'image/png') {
    const { width, height, data } = PNG.sync.read(bytes)
    return { width, height, data }
  }
  const found = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MAX_RESIZED_PIXELS / 1e6,
    maxMemoryUsageInMB: MAX_MEGABYTES,
  })
  return upright(found, orientationOf(bytes))
}

export function encode({ width, height, data }: Picture, mimeType: string): Buffer {
  if (mimeType !== 'image/png') return jpeg.encode({ width, height, data }, QUALITY).data
  const png = new PNG({ width, height })
  png.data = Buffer.from(data)
  return PNG.sync.write(png)
}

const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const MAX_ENTRIES = 200

/** The Exif orientation, 1 (upright) when the picture has none. */
export function orientationOf(bytes: Buffer): number {
  const head = bytes.subarray(0, 64 * 1024)
  const at = head.indexOf(EXIF, 0, 'latin1')
  if (at < 0) return 1
  const exif = head.subarray(at + EXIF.length)
  if (exif.length < 16) return 1
  const little = exif.toString('latin1', 0, 2) === 'II'
  const uint16 = (place: number) => (little ? exif.readUInt16LE(place) : exif.readUInt16BE(place))
  const start = little ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (start + 2 > exif.length) return 1
  const count = Math.min(uint16(start), MAX_ENTRIES)
  for (let entry = 0; entry < count; entry += 1) {
    const place = start + 2 + entry * 12
    if (place + 12 > exif.length) return 1
    if (uint16(place) === ORIENTATION) return uint16(place + 8)
  }
  return 1
}
