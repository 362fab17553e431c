import { expect, test } from 'vitest'
import { chunksOf, fromBase64, toBase64 } from './base64.ts'

test('bytes of every value are decoded unchanged', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_byte, index) => index)
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  expect(fromBase64(toBase64(bytes))).toEqual(bytes)
  expect(toBase64(new Uint8Array())).toBe('')
})

test('a megabyte is encoded without overflowing the stack', () => {
  const bytes = new Uint8Array(1_000_003).fill(200)
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})

test('a file is read in pieces that the bridge accepts, each with where it begins', async () => {
  const bytes = Uint8Array.from({ length: 1_100_000 }, (_byte, index) => index % 251)
  const parts = []
  for await (const part of chunksOf(new Blob([bytes]))) parts.push(part)
  expect(parts.map(({ from }) => from)).toEqual([0, 524_288, 1_048_576])
  expect(Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, 'base64'))).equals(bytes)).toBe(true)
  expect(await chunksOf(new Blob([])).next()).toEqual({ done: true, value: undefined })
})
