import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'

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

/** Pixels, four bytes each: red, green, blue, opacity; rows from the top. */
export type Picture = { readonly width: number; readonly height: number; readonly data: Uint8Array }

/** One further size of an uploaded picture. See docs/wire.md 3.10 "upload_sizes". */
export type Size = {
  readonly width: number
  readonly height: number
  /** `clip` fits into the box, `crop` fills it and cuts, `scale` stretches, `fill` fits and pads. */
  readonly resize: 'clip' | 'crop' | 'scale' | 'fill'
  /** The part that stays when the picture is cropped. */
  readonly crop: 'center' | 'top' | 'bottom' | 'left' | 'right'
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const CHANNELS = 4

/** The picture in another size. Only `scale` and `fill` make it larger than it is. */
export function resized(picture: Picture, size: Size): Picture {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  if (size.resize === 'scale') return drawn(picture, whole, size.width, size.height)
  if (size.resize === 'crop') {
    const part = cutFor(picture, size)
    const by = Math.min(1, size.width / part.width)
    return drawn(picture, part, part.width * by, part.height * by)
  }
  const by = Math.min(1, size.width / picture.width, size.height / picture.height)
  const inner = drawn(picture, whole, picture.width * by, picture.height * by)
  return size.resize === 'fill' ? padded(inner, size.width, size.height) : inner
}

/** The largest part of the picture in the shape of the box. */
function cutFor({ width, height }: Picture, { width: w, height: h, crop }: Size): Box {
  const by = Math.min(width / w, height / h)
  const part = { width: w * by, height: h * by }
  const [spareX, spareY] = [width - part.width, height - part.height]
  const x = crop === 'left' ? 0 : crop === 'right' ? spareX : spareX / 2
  const y = crop === 'top' ? 0 : crop === 'bottom' ? spareY : spareY / 2
  return { x, y, ...part }
}

/** Draws a part of a picture: every new pixel is the mean of the old ones it covers, weighted by their opacity. */
function drawn(from: Picture, part: Box, wantedWidth: number, wantedHeight: number): Picture {
  const width = Math.max(1, Math.round(wantedWidth))
  const height = Math.max(1, Math.round(wantedHeight))
  const data = new Uint8Array(width * height * CHANNELS)
  const columns = spans(part.x, part.width, width, from.width)
  const rows = spans(part.y, part.height, height, from.height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) mean(from, columns[x]!, rows[y]!, data, (y * width + x) * CHANNELS)
  }
  return { width, height, data }
}

type Span = { readonly first: number; readonly last: number }

/** The source pixels under each new one, along one side. */
function spans(start: number, length: number, count: number, limit: number): Span[] {
  const step = length / count
  return Array.from({ length: count }, (_none, at) => {
    const first = Math.min(limit - 1, Math.floor(start + at * step))
    const last = Math.min(limit - 1, Math.max(first, Math.ceil(start + (at + 1) * step) - 1))
    return { first, last }
  })
}

function mean(from: Picture, columns: Span, rows: Span, into: Uint8Array, at: number): void {
  let [red, green, blue, opacity, count] = [0, 0, 0, 0, 0]
  for (let y = rows.first; y <= rows.last; y += 1) {
    for (let x = columns.first; x <= columns.last; x += 1) {
      const place = (y * from.width + x) * CHANNELS
      const weight = from.data[place + 3]!
      red += from.data[place]! * weight
      green += from.data[place + 1]! * weight
      blue += from.data[place + 2]! * weight
      opacity += weight
      count += 1
    }
  }
  const by = opacity === 0 ? 0 : 1 / opacity
  into[at] = Math.round(red * by)
  into[at + 1] = Math.round(green * by)
  into[at + 2] = Math.round(blue * by)
  into[at + 3] = Math.round(opacity / count)
}

/** The picture centered in a white box. */
function padded(inner: Picture, width: number, height: number): Picture {
  const data = new Uint8Array(width * height * CHANNELS).fill(255)
  const [left, top] = [Math.floor((width - inner.width) / 2), Math.floor((height - inner.height) / 2)]
  for (let y = 0; y < inner.height; y += 1) {
    const row = inner.data.subarray(y * inner.width * CHANNELS, (y + 1) * inner.width * CHANNELS)
    data.set(row, ((top + y) * width + left) * CHANNELS)
  }
  return { width, height, data }
}

/** The picture rotated and flipped upright. See Exif 2.3, tag 0x0112: 1 to 8, 1 is upright. */
export function upright(picture: Picture, orientation: number): Picture {
  if (orientation < 2 || orientation > 8) return picture
  const { width: w, height: h } = picture
  const turned = orientation > 4
  const [width, height] = turned ? [h, w] : [w, h]
  const pixels = new Uint32Array(picture.data.slice().buffer, 0, w * h)
  const placed = new Uint32Array(w * h)
  const [flipsX, flipsY] = [FLIPS_X.has(orientation), FLIPS_Y.has(orientation)]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const a = turned ? y : x
      const b = turned ? x : y
      placed[y * width + x] = pixels[(flipsY ? h - 1 - b : b) * w + (flipsX ? w - 1 - a : a)]!
    }
  }
  return { width, height, data: new Uint8Array(placed.buffer) }
}

/** Orientations whose rows, or columns, are read backwards. */
const FLIPS_X: ReadonlySet<number> = new Set([2, 3, 7, 8])
const FLIPS_Y: ReadonlySet<number> = new Set([3, 4, 6, 7])

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
