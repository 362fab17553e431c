import { afterEach, expect, test, vi } from 'vitest'
import { pictureSize } from './picture-size.ts'

afterEach(() => vi.unstubAllGlobals())

const picture = new File(['x'], 'cat.png', { type: 'image/png' })

test('a picture that can be decoded has its sides, and its memory is released', async () => {
  const close = vi.fn<() => void>()
  vi.stubGlobal('createImageBitmap', async () => ({ width: 8, height: 6, close }))
  expect(await pictureSize(picture)).toEqual({ width: 8, height: 6 })
  expect(close).toHaveBeenCalledOnce()
})

test.each<[string, File, unknown]>([
  ['what is no picture', new File(['x'], 'a.txt', { type: 'text/plain' }), async () => ({ width: 8, height: 6 })],
  ['a picture that cannot be decoded', picture, () => Promise.reject(new Error('broken'))],
  ['a system that decodes none', picture, undefined],
])('%s has none', async (_what, file, decode) => {
  vi.stubGlobal('createImageBitmap', decode)
  expect(await pictureSize(file)).toEqual({})
})
