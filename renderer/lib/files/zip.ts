/** A file and its path inside the archive, with slashes. */
export type Packed = { readonly path: string; readonly file: File }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Version 2.0, the first with deflate and folders. */
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
const STORED = 0
const DEFLATED = 8

type Entry = {
  readonly name: Uint8Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly method: number
  readonly size: number
  readonly crc: number
  readonly time: number
  readonly at: number
}

/**
 * Files as one ZIP archive, compressed by the browser's own deflate. The caller ensures a total below 4 GB.
 * Source: APPNOTE.TXT 6.3.10 of the ZIP format, sections 4.3 and 4.4.
 */
export async function zipOf(name: string, files: readonly Packed[]): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const entries: Entry[] = []
  let at = 0
  for (const packed of files) {
    const entry = await packedEntry(packed, at)
    const head = headOf(entry)
    parts.push(head, entry.name, entry.bytes)
    at += head.length + entry.name.length + entry.bytes.length
    entries.push(entry)
  }
  const list = entries.flatMap((entry) => [listedOf(entry), entry.name])
  return new File([...parts, ...list, endOf(entries.length, lengthOf(list), at)], name, { type: 'application/zip' })
}

async function packedEntry({ path, file }: Packed, at: number): Promise<Entry> {
  const whole = new Uint8Array(await file.arrayBuffer())
  const small = await deflated(whole)
  const isSmaller = small.length < whole.length
  return {
    name: new TextEncoder().encode(path),
    bytes: isSmaller ? small : whole,
    method: isSmaller ? DEFLATED : STORED,
    size: whole.length,
    crc: crc32(whole),
    time: dosTime(new Date(file.lastModified)),
    at,
  }
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** Fields of 2 or 4 bytes, lowest first. */
function fields(list: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(list.reduce((sum, [width]) => sum + width, 0))
  const view = new DataView(out.buffer)
  let at = 0
  for (const [width, value] of list) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  return out
}

/** Fields shared by the local header of a file and its entry in the central directory. */
const facts = ({ method, time, crc, bytes, size, name }: Entry): readonly (readonly [2 | 4, number])[] => [
  [2, VERSION],
  [2, FLAGS],
  [2, method],
  [4, time],
  [4, crc],
  [4, bytes.length],
  [4, size],
  [2, name.length],
  [2, 0],
]

const headOf = (entry: Entry): Uint8Array<ArrayBuffer> => fields([[4, LOCAL], ...facts(entry)])

const listedOf = (entry: Entry): Uint8Array<ArrayBuffer> =>
  fields([[4, CENTRAL], [2, VERSION], ...facts(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.at]])

const endOf = (count: number, bytes: number, at: number): Uint8Array<ArrayBuffer> =>
  fields([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, bytes],
    [4, at],
    [2, 0],
  ])

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/** The time format of ZIP: local time in steps of two seconds, from 1980 on. */
function dosTime(date: Date): number {
  if (date.getFullYear() < 1980) return 0x00210000
  const day = ((date.getFullYear() - 1980) << 25) | ((date.getMonth() + 1) << 21) | (date.getDate() << 16)
  return (day | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0
}

const TABLE = Uint32Array.from({ length: 256 }, (_none, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
