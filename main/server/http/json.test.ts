import { expect, test } from 'vitest'
import { seededIds } from '#kit/seeded-ids.ts'
import { jsonBytes, writtenList, plain, WrittenJson } from './json.ts'

const written = (value: object): string => jsonBytes(value).toString('utf8')

const pick = <T>(random: () => number, items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]

const VALUES = [1, -0.5, true, null, undefined, '', 'plain', '"quoted" \\ \u0000', 'zażółć', '🎉', 'привет']

/** Any value that a response may have, with long and short lists at any depth. */
function anyValue(random: () => number, depth: number): unknown {
  if (depth === 0 || random() < 0.3) return pick<unknown>(random, VALUES)
  const parts = Array.from({ length: pick(random, [0, 1, 3, 15, 16, 20]) ?? 0 }, () => anyValue(random, depth - 1))
  if (random() < 0.6) return parts
  return Object.fromEntries(parts.map((part, at) => [pick(random, [`k${at}`, `"ключ" ${at}`]) ?? '', part]))
}

test.each([1, 2, 3, Math.floor(Math.random() * 1e6)])(
  'the bytes of a response are those of JSON.stringify (%d)',
  (seed) => {
    const ids = seededIds(seed)
    for (let turn = 0; turn < 300; turn += 1) {
      const value = { list: anyValue(() => ids.random(), 3), other: anyValue(() => ids.random(), 2) }
      expect(written(value)).toBe(JSON.stringify(value))
    }
  },
)

/** The same as bytes in pieces. */
function asWritten(random: () => number, value: unknown): WrittenJson<unknown> {
  const bytes = Buffer.from(JSON.stringify(value) ?? 'null')
  const at = Math.floor(random() * bytes.length)
  return new WrittenJson([bytes.subarray(0, at), bytes.subarray(at)])
}

test.each([1, 2, Math.floor(Math.random() * 1e6)])(
  'what is written already is sent as it is, and read as it was (%d)',
  (seed) => {
    const ids = seededIds(seed)
    const random = () => ids.random()
    for (let turn = 0; turn < 300; turn += 1) {
      const [a, b, c] = [anyValue(random, 2) ?? 1, anyValue(random, 3) ?? 2, anyValue(random, 1) ?? 3]
      const items = Array.from({ length: pick(random, [0, 1, 3, 20]) ?? 0 }, (_, at) => ({ at, a, b }))
      const value = { a, b, items, c }
      const partly = {
        a: asWritten(random, a),
        b,
        items: writtenList(items.map((item) => ({ ...item, b: asWritten(random, b) }))),
        c: asWritten(random, c),
      }
      expect(written(partly)).toBe(JSON.stringify(value))
      expect(JSON.stringify(plain(partly))).toBe(JSON.stringify(value))
    }
  },
)

test('what is written already is right where nobody expects it', () => {
  const value = { deep: { deeper: [{ part: new WrittenJson([Buffer.from('{"a":1}')]) }] } }
  expect(written(value)).toBe('{"deep":{"deeper":[{"part":{"a":1}}]}}')
})

test('a long list in a long list, and what follows both, is written once each', () => {
  const messages = Array.from({ length: 40 }, (_, id) => ({ id, text: `wiadomość ${id}` }))
  const value = {
    channels: Array.from({ length: 20 }, (_, cid) => ({ cid, messages, hidden: false })),
    duration: '1ms',
  }
  expect(written(value)).toBe(JSON.stringify(value))
})

test('what has a form of its own in JSON keeps it', () => {
  const at = new Date(Date.UTC(2026, 0))
  const value = { list: Array.from({ length: 20 }, () => at), own: { toJSON: () => 'own', list: [] } }
  expect(written(value)).toBe(JSON.stringify(value))
})
