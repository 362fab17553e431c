import { describe, expect, test } from 'vitest'
import { cutWebm } from './webm.ts'

/** Bytes of an element: its id, its length in two bytes (or unknown), its content. */
const el = (id: readonly number[], content: readonly number[], unknown = false): number[] => [
  ...id,
  ...(unknown
    ? [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
    : [0x40 | (content.length >> 8), content.length & 0xff]),
  ...content,
]
const block = (at: number, mark: number) => el([0xa3], [0x81, at >> 8, at & 0xff, 0x80, mark])

/** As browsers record it: segment and clusters of unknown length, no duration. Blocks every 60 ms, two clusters. */
const RECORDED = Uint8Array.from([
  ...el([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d]),
  ...el(
    [0x18, 0x53, 0x80, 0x67],
    [
      ...el([0x15, 0x49, 0xa9, 0x66], el([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40])),
      ...el([0x16, 0x54, 0xae, 0x6b], [0xd7, 0x81, 0x01]),
      ...el([0x1f, 0x43, 0xb6, 0x75], [...el([0xe7], [0]), ...block(0, 1), ...block(60, 2), ...block(120, 3)], true),
      ...el([0x1f, 0x43, 0xb6, 0x75], [...el([0xe7], [180]), ...block(0, 4), ...block(60, 5)], true),
    ],
    true,
  ),
])

/** The marks of the packets, in their order. */
const marks = (bytes: Uint8Array | undefined): number[] => {
  const found: number[] = []
  const all = [...(bytes ?? [])]
  all.forEach((byte, at) => {
    if (byte === 0xa3 && all[at + 1] === 0x01 && all[at + 8] === 5) found.push(all[at + 13] ?? 0)
  })
  return found
}
/** The duration element, in milliseconds. */
const duration = (bytes: Uint8Array | undefined): number => {
  if (bytes === undefined) return Number.NaN
  const at = bytes.findIndex((byte, index) => byte === 0x44 && bytes[index + 1] === 0x89)
  return new DataView(bytes.buffer, at + 10, 8).getFloat64(0)
}

describe('a recorded sound', () => {
  test('is rewritten with its duration', () => {
    const whole = cutWebm(RECORDED)
    expect(marks(whole)).toEqual([1, 2, 3, 4, 5])
    expect(duration(whole)).toBe(300)
  })
  test('is cut on both sides, and starts at zero', () => {
    const part = cutWebm(RECORDED, 60, 200)
    expect(marks(part)).toEqual([2, 3, 4])
    expect(duration(part)).toBe(180)
    expect(marks(cutWebm(part ?? RECORDED))).toEqual([2, 3, 4])
    expect(duration(cutWebm(part ?? RECORDED))).toBe(180)
  })
  test('has the position of its first cluster in its index', () => {
    const whole = cutWebm(RECORDED) ?? RECORDED
    const at = (first: number, second: number) =>
      whole.findIndex((byte, index) => byte === first && whole[index + 1] === second)
    const segment = at(0x18, 0x53) + 12
    const place = Number(new DataView(whole.buffer, at(0xf1, 0x01) + 9, 8).getBigUint64(0))
    expect(segment + place).toBe(at(0x1f, 0x43))
  })
  test('is undefined for an empty range or other bytes', () => {
    expect(cutWebm(RECORDED, 5_000)).toBeUndefined()
    expect(cutWebm(Uint8Array.from([1, 2, 3, 0, 0, 0]))).toBeUndefined()
    expect(cutWebm(RECORDED.slice(0, 30))).toBeUndefined()
    for (let end = 0; end < RECORDED.length; end += 1) cutWebm(RECORDED.slice(0, end))
  })
})
