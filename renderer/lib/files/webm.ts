/**
 * Browsers record WebM sound without a duration, so players can neither show it nor seek. This rewrites a recording, whole
 * or in part, with a duration and an index. The packets themselves are not changed.
 * Source: the Matroska element specification (RFC 9559).
 */
type Block = { readonly atMs: number; readonly track: number; readonly frame: Uint8Array }
type Parts = { readonly head: Uint8Array; readonly tracks: Uint8Array; readonly blocks: readonly Block[] }

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const MUXER = 0x4d80
const WRITER = 0x5741
const TRACKS = 0x1654ae6b
const CUES = 0x1c53bb6b
const CUE_POINT = 0xbb
const CUE_TIME = 0xb3
const CUE_PLACE = 0xb7
const CUE_TRACK = 0xf7
const CUE_CLUSTER = 0xf1
const CLUSTER = 0x1f43b675
const CLUSTER_TIME = 0xe7
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3

/** Elements whose children are read; others are read or skipped as a whole. Recorders leave the length of some unknown. */
const OPENED = new Set([SEGMENT, CLUSTER, BLOCK_GROUP])
/** Length of a cluster. A block's time is a signed 16-bit offset to that of its cluster. */
const CLUSTER_MS = 10_000
const NANOSECONDS_PER_MS = 1_000_000

/**
 * The part between two times (milliseconds) as a new file; `undefined` when this is not a WebM sound, or there is nothing
 * between them.
 */
export function cutWebm(bytes: Uint8Array, fromMs = 0, toMs = Infinity): Uint8Array<ArrayBuffer> | undefined {
  const parts = read(bytes)
  const blocks = parts?.blocks.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) ?? []
  const first = blocks[0]
  const last = blocks.at(-1)
  if (parts === undefined || first === undefined || last === undefined) return undefined
  const start = first.atMs
  const step = blocks.length > 1 ? (last.atMs - start) / (blocks.length - 1) : 20
  return write(
    parts,
    blocks.map((block) => ({ ...block, atMs: block.atMs - start })),
    last.atMs - start + step,
  )
}

function read(bytes: Uint8Array): Parts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const blocks: Block[] = []
  let head: Uint8Array | undefined
  let tracks: Uint8Array | undefined
  let scale = NANOSECONDS_PER_MS
  let clusterTime = 0
  let at = 0
  while (at < bytes.length) {
    const id = numberAt(view, at, true)
    const size = id && numberAt(view, at + id.length, false)
    if (id === undefined || size === undefined) break
    const from = at + id.length + size.length
    const to = size.value === undefined ? bytes.length : Math.min(bytes.length, from + size.value)
    const opened = OPENED.has(id.value ?? 0)
    if (id.value === EBML) head = bytes.slice(at, to)
    else if (id.value === TRACKS) tracks = bytes.slice(at, to)
    else if (id.value === INFO) scale = scaleIn(view, from, to) ?? scale
    else if (id.value === CLUSTER_TIME) clusterTime = unsignedAt(view, from, to)
    else if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      const track = numberAt(view, from, false)
      if (track === undefined || from + track.length + 3 > to) break
      const ticks = clusterTime + view.getInt16(from + track.length)
      const frame = bytes.slice(from + track.length + 3, to)
      blocks.push({ atMs: (ticks * scale) / NANOSECONDS_PER_MS, track: track.value ?? 1, frame })
    }
    at = opened ? from : to
  }
  return head && tracks && { head, tracks, blocks }
}

/** A number of variable length: its first bits encode the length. No value means unknown size. */
function numberAt(view: DataView, at: number, keepMark: boolean): { value?: number; length: number } | undefined {
  if (at >= view.byteLength) return undefined
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > view.byteLength) return undefined
  let value = keepMark ? first : first & (0xff >> length)
  let isUnknown = (first & (0xff >> length)) === 0xff >> length
  for (let next = 1; next < length; next += 1) {
    const byte = view.getUint8(at + next)
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return !keepMark && isUnknown ? { length } : { value, length }
}

function unsignedAt(view: DataView, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 256 + view.getUint8(at)
  return value
}

function scaleIn(view: DataView, from: number, end: number): number | undefined {
  let at = from
  while (at < end) {
    const id = numberAt(view, at, true)
    const size = id && numberAt(view, at + id.length, false)
    if (id === undefined || size?.value === undefined) return undefined
    const inside = at + id.length + size.length
    if (id.value === SCALE) return unsignedAt(view, inside, Math.min(end, inside + size.value))
    at = inside + size.value
  }
  return undefined
}

function write({ head, tracks }: Parts, blocks: readonly Block[], lengthMs: number): Uint8Array<ArrayBuffer> {
  const info = element(
    INFO,
    element(SCALE, unsigned(NANOSECONDS_PER_MS)),
    element(DURATION, double(lengthMs)),
    element(MUXER, new TextEncoder().encode('Parlor')),
    element(WRITER, new TextEncoder().encode('Parlor')),
  )
  const groups = Map.groupBy(blocks, ({ atMs }) => Math.floor(atMs / CLUSTER_MS) * CLUSTER_MS)
  const clusters = [...groups].map(([time, inside]) => ({
    time,
    bytes: element(CLUSTER, element(CLUSTER_TIME, unsigned(time)), ...inside.map((block) => simple(block, time))),
  }))
  const track = blocks[0]?.track ?? 1
  // Every number in the index has the same width, so its length is known before the positions are.
  const cues = (places: readonly number[]): Uint8Array =>
    element(
      CUES,
      ...clusters.map(({ time }, index) =>
        element(
          CUE_POINT,
          element(CUE_TIME, unsigned(time)),
          element(CUE_PLACE, element(CUE_TRACK, unsigned(track)), element(CUE_CLUSTER, unsigned(places[index] ?? 0))),
        ),
      ),
    )
  const places: number[] = []
  let place = info.length + tracks.length + cues([]).length
  for (const { bytes } of clusters) {
    places.push(place)
    place += bytes.length
  }
  return joined([head, element(SEGMENT, info, tracks, cues(places), ...clusters.map(({ bytes }) => bytes))])
}

function simple({ atMs, track, frame }: Block, clusterTime: number): Uint8Array {
  const payload = new Uint8Array(4 + frame.length)
  const view = new DataView(payload.buffer)
  view.setUint8(0, 0x80 | track)
  view.setInt16(1, Math.round(atMs - clusterTime))
  // Every audio packet is a key frame.
  view.setUint8(3, 0x80)
  payload.set(frame, 4)
  return element(SIMPLE_BLOCK, payload)
}

function element(id: number, ...inside: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = joined(inside)
  const name: number[] = []
  for (let rest = id; rest > 0; rest = Math.floor(rest / 256)) name.unshift(rest % 256)
  const size = new Uint8Array(8)
  new DataView(size.buffer).setBigUint64(0, BigInt(content.length))
  size[0] = 0x01
  return joined([Uint8Array.from(name), size, content])
}

function unsigned(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

function double(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  return bytes
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
