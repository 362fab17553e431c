import { expect, test } from 'vitest'
import { unreadableFrom } from '#kit/unreadable-file.ts'
import { chunksOf } from './chunks.ts'

test('a file is read in pieces that the bridge accepts, each with where it begins', async () => {
  const bytes = Uint8Array.from({ length: 1_100_000 }, (_byte, index) => index % 251)
  const parts = []
  for await (const part of chunksOf(new Blob([bytes]))) parts.push(part)
  expect(parts.map(({ from }) => from)).toEqual([0, 524_288, 1_048_576])
  expect(Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, 'base64'))).equals(bytes)).toBe(true)
  expect(await chunksOf(new Blob([])).next()).toEqual({ done: true, value: undefined })
})

test.each([
  ['NotFoundError', 'upload/missing'],
  ['NotReadableError', 'upload/size-mismatch'],
])('a file that the browser refuses with %s rejects with %s', async (name, code) => {
  await expect(chunksOf(unreadableFrom(0, name)).next()).rejects.toMatchObject({ code })
})
