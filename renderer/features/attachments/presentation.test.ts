import { describe, expect, test } from 'vitest'
import { anAttachment } from '#kit/fake-bridge/index.ts'
import { barsOf, boxOf, clockOf, middleCut, opensElsewhere, tileEnding } from './presentation.ts'

describe('the frame of an image', () => {
  test('keeps the ratio within 420 by 320', () => {
    expect(boxOf({ width: 1280, height: 880 })).toEqual({ width: 420, height: 289 })
    expect(boxOf({ width: 600, height: 1_200 })).toEqual({ width: 160, height: 320 })
  })
  test('a small image is not enlarged', () => {
    expect(boxOf({ width: 200, height: 100 })).toEqual({ width: 200, height: 100 })
  })
  test('an unknown or invalid size gets a 4:3 frame', () => {
    for (const size of [{}, { width: 0, height: 5 }, { width: Number.NaN, height: 5 }, { width: -1, height: 1 }]) {
      expect(boxOf(size)).toEqual({ width: 320, height: 240 })
    }
  })
  test('a very flat image can still be clicked', () => {
    expect(boxOf({ width: 10_000, height: 10 }).height).toBeGreaterThanOrEqual(24)
  })
})

describe('file names', () => {
  /** Every character is one wide. */
  const even = { widthOf: (from: number, to: number) => to - from, dots: 1 }
  test('a long name is cut in the middle and keeps its extension, without a hole', () => {
    expect(middleCut('cairn-ios-diagnostics-2026-11-20-rc2-full.zip', 20, even)).toBe('cairn-ios-…-full.zip')
    expect(middleCut('zażółć very long indeed.pdf', 18, even)).toBe('zażółć v…ndeed.pdf')
    expect(middleCut('zażółć very long indeed.pdf', 17, even)).toBe('zażółć…ndeed.pdf')
  })
  test('a letter with its marks and an emoji are never split', () => {
    expect(middleCut('e\u0301e\u0301e\u0301 👩‍👧👩‍👧 report-final.pdf', 15, even)).toBe('e\u0301e\u0301…final.pdf')
    expect(middleCut('👩‍👧👩‍👧👩‍👧👩‍👧👩‍👧', 12, even)).toBe('👩‍👧…👩‍👧')
  })
  test('a name that fits is not cut', () => {
    expect(middleCut('notes.txt', 9, even)).toBe('notes.txt')
  })
  test('the tile shows the extension', () => {
    expect(tileEnding('a.tar.gz')).toBe('GZ')
    expect(tileEnding('README')).toBe('')
    expect(tileEnding('x.pdf')).toBe('PDF')
    expect(tileEnding('a.longending')).toBe('')
  })
})

test.each([
  ['plan.zip', { kind: 'file' }, true],
  ['setup.exe', { kind: 'file' }, false],
  ['invoice.pdf.js', { kind: 'file', mimeType: 'application/pdf' }, false],
  ['README', { kind: 'file' }, false],
  ['scan', { kind: 'file', mimeType: 'application/pdf' }, true],
  ['drawing.svg', { kind: 'image' }, false],
  ['', { kind: 'image' }, true],
] as const)('whether %j is offered to other apps', (title, over, expected) => {
  expect(opensElsewhere(anAttachment({ title, ...over }))).toBe(expected)
})

test('a waveform becomes the wanted number of bars, none invisible', () => {
  const bars = barsOf(
    Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? 0 : 1.7)),
    46,
  )
  expect(bars).toHaveLength(46)
  expect(Math.max(...bars)).toBe(1)
  expect(Math.min(...barsOf([], 46))).toBeGreaterThan(0)
  expect(barsOf([0.2, 0.9], 4)).toHaveLength(4)
})

test('durations are formatted like a clock', () => {
  expect(clockOf(47)).toBe('0:47')
  expect(clockOf(724)).toBe('12:04')
  expect(clockOf(3_729)).toBe('1:02:09')
  expect(clockOf(-1)).toBe('0:00')
})
