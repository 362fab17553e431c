import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { logger } from '#main/lib/logger.ts'
import { threadPictures, decode, encode, orientationOf, resized, upright, type Picture, type Size } from './pictures.ts'

/** Letters as pixels: `r`, `g`, `b`, `w`, and `.` for nothing. */
function drawing(...rows: string[]): Picture {
  const data = rows.flatMap((row) => Array.from(row, (letter) => COLOURS[letter] ?? [0, 0, 0, 0])).flat()
  return { width: rows[0]?.length ?? 0, height: rows.length, data: Uint8Array.from(data) }
}
const COLOURS: Readonly<Record<string, number[]>> = {
  r: [255, 0, 0, 255],
  g: [0, 255, 0, 255],
  b: [0, 0, 255, 255],
  w: [255, 255, 255, 255],
}
function letters({ width, height, data }: Picture): string[] {
  const letter = (at: number) => {
    const pixel = [...data.subarray(at * 4, at * 4 + 4)].join()
    return Object.entries(COLOURS).find(([, colour]) => colour.join() === pixel)?.[0] ?? '?'
  }
  return Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_column, x) => letter(y * width + x)).join(''),
  )
}
const size = (width: number, height: number, more: Partial<Size> = {}): Size => ({
  width,
  height,
  resize: 'clip',
  crop: 'center',
  ...more,
})

const FLAG = drawing('rrgg', 'rrgg', 'bbww', 'bbww')

test('a picture fits into its box and is never made larger', () => {
  expect(letters(resized(FLAG, size(2, 100)))).toEqual(['rg', 'bw'])
  expect(resized(FLAG, size(100, 100))).toMatchObject({ width: 4, height: 4 })
})

test.each([
  ['left', ['r', 'b']],
  ['right', ['g', 'r']],
  ['center', ['w', 'g']],
] as const)('cropping to fill a box keeps the %s', (crop, expected) => {
  const wide = drawing('rrrrwwgggg', 'rrrrwwgggg', 'bbbbggrrrr', 'bbbbggrrrr')
  expect(letters(resized(wide, size(1, 2, { resize: 'crop', crop })))).toEqual(expected)
})

test('scale has the given size, and fill centers the picture on white', () => {
  expect(letters(resized(FLAG, size(2, 4, { resize: 'scale' })))).toEqual(['rg', 'rg', 'bw', 'bw'])
  expect(letters(resized(drawing('rr', 'bb'), size(4, 2, { resize: 'fill' })))).toEqual(['wrrw', 'wbbw'])
})

test('transparent pixels do not color visible ones', () => {
  const half = resized(drawing('r.', 'r.'), size(1, 1))
  expect([...half.data]).toEqual([255, 0, 0, 128])
})

test.each([
  [1, ['rg', 'bw']],
  [2, ['gr', 'wb']],
  [3, ['wb', 'gr']],
  [4, ['bw', 'rg']],
  [5, ['rb', 'gw']],
  [6, ['br', 'wg']],
  [7, ['wg', 'br']],
  [8, ['gw', 'rb']],
])('a picture taken in orientation %i is turned upright', (orientation, expected) => {
  expect(letters(upright(drawing('rg', 'bw'), orientation))).toEqual(expected)
})

test('a camera’s orientation is found in both byte orders, and broken data means upright', () => {
  const entry = (little: boolean) => {
    const bytes = Buffer.alloc(8 + 2 + 12)
    bytes.write(little ? 'II' : 'MM', 'latin1')
    const uint16 = (value: number, at: number) =>
      little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
    if (little) bytes.writeUInt32LE(8, 4)
    else bytes.writeUInt32BE(8, 4)
    uint16(1, 8)
    uint16(0x0112, 10)
    uint16(6, 18)
    return Buffer.concat([Buffer.from('\xff\xd8\xff\xe1\0\x20Exif\0\0', 'latin1'), bytes])
  }
  expect(orientationOf(entry(true))).toBe(6)
  expect(orientationOf(entry(false))).toBe(6)
  const broken = Array.from({ length: 28 }, (_none, length) => orientationOf(entry(true).subarray(0, length)))
  expect(broken.every((found) => found === 1)).toBe(true)
})

test.each(['image/png', 'image/jpeg'])('a %s survives its codec', (mimeType) => {
  const back = decode(encode(drawing('rrrr', 'rrrr', 'rrrr', 'rrrr'), mimeType), mimeType)
  const [red = 0, green = 255] = back.data
  expect(back.width).toBe(4)
  expect(back.height).toBe(4)
  expect(red).toBeGreaterThan(240)
  expect(green).toBeLessThan(16)
})

test('a worker thread makes the sizes, and bytes that are not a picture have none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-pictures-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const warnings: string[] = []
  const log = logger('test', (_level, _area, event) => void warnings.push(event))
  const pictures = threadPictures(join(import.meta.dirname, '../../entry/pictures.ts'), systemClock, log)
  const [good, bad] = [join(folder, 'good'), join(folder, 'bad')]
  writeFileSync(good, encode(FLAG, 'image/png'))
  writeFileSync(bad, encode(FLAG, 'image/png').subarray(0, 40))
  const stretched = size(1, 4, { resize: 'scale' })
  const sizes = [size(2, 2), stretched]
  const [made, none] = await Promise.all([
    pictures.make({ path: good, mimeType: 'image/png', sizes }),
    pictures.make({ path: bad, mimeType: 'image/png', sizes }),
  ])
  expect(made.map((each) => letters(decode(Buffer.from(each.bytes), 'image/png')))).toEqual([
    ['rg', 'bw'],
    letters(resized(FLAG, stretched)),
  ])
  expect(none).toEqual([])
  expect(warnings).toEqual(['picture-not-resized'])
})
