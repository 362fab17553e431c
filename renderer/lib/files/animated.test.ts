import { expect, test } from 'vitest'
import { isAnimated } from './animated.ts'

const text = (value: string): number[] => Array.from(value, (letter) => letter.charCodeAt(0))
const long = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const chunk = (type: string, bytes = 0): number[] => [
  ...long(bytes),
  ...text(type),
  ...Array.from({ length: bytes + 4 }, () => 0),
]
const PNG = [0x89, ...text('PNG\r\n\u001A\n')]
const webp = (kind: string, flags: number): number[] => [
  ...text('RIFF'),
  ...long(0),
  ...text(`WEBP${kind}`),
  ...long(10),
  flags,
]
const avif = (brand: string): number[] => [...long(24), ...text(`ftyp${brand}`), ...long(0)]

test.each([
  ['a still PNG', [...PNG, ...chunk('IHDR', 13), ...chunk('IDAT', 9), ...chunk('IEND')], false],
  [
    'an animated PNG',
    [...PNG, ...chunk('IHDR', 13), ...chunk('iCCP', 400), ...chunk('acTL', 8), ...chunk('IDAT')],
    true,
  ],
  ['a PNG that is cut off', [...PNG, ...chunk('IHDR', 13)], false],
  ['a still WebP', webp('VP8X', 0x10), false],
  ['a simple WebP', webp('VP8 ', 0x02), false],
  ['an animated WebP', webp('VP8X', 0x12), true],
  ['a still AVIF', avif('avif'), false],
  ['an AVIF sequence', avif('avis'), true],
  ['a GIF', text('GIF89a'), true],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], false],
  ['an empty file', [], false],
])('%s', async (_what, bytes, animated) => {
  expect(await isAnimated(new Blob([new Uint8Array(bytes)]))).toBe(animated)
})
