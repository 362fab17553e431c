import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'

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
