import { expect, test } from 'vitest'
import { fromText, optionalTime, toText } from './time.ts'

test.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1_795_286_401_123_456, '2026-11-21T18:40:01.123456Z'],
  [1_795_286_401_000_007, '2026-11-21T18:40:01.000007Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('%d microseconds are %s, the first time and again', (at, text) => {
  expect(toText(at)).toEqual(text)
  expect(toText(at)).toEqual(text)
  expect(fromText(text)).toEqual(at)
})

test('more seconds than the cache holds are still right', () => {
  const wrong = Array.from({ length: 10_000 }, (_, index) => index * 1_500_000).filter(
    (at) => toText(at) !== `${new Date(at / 1_000).toISOString().slice(0, -1)}000Z`,
  )
  expect(wrong).toEqual([])
})

test('times keep microseconds and accept every RFC 3339 form', () => {
  const at = fromText('2026-11-21T18:40:01.123456Z') ?? 0
  expect(toText(at)).toBe('2026-11-21T18:40:01.123456Z')
  expect(fromText('2026-11-21T19:40:01.123456789+01:00')).toBe(at)
  expect(fromText('2026-11-21T18:40:01Z')).toBe(at - 123_456)
  expect([null, '', '0001-01-01T00:00:00Z', 'soon', 5].map(optionalTime)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
