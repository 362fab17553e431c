import { expect, test } from 'vitest'
import { mayEdit, maySend } from './composer.ts'

const codes = (input: Partial<Parameters<typeof maySend>[0]>) =>
  maySend({ text: 'hi', uploads: [], maxLength: 5, ...input }).map((issue) => issue.code)

test('a message needs text or a file', () => {
  expect(codes({ text: ' ** ' })).toEqual(['composer/empty'])
  expect(codes({ text: '', uploads: [{ state: 'finished' }] })).toEqual([])
})

test('AGR-37 text over the limit is refused with both numbers', () => {
  expect(maySend({ text: 'abcdef', uploads: [], maxLength: 5 })).toEqual([
    { code: 'composer/too-long', path: ['text'], params: { max: 5, length: 6 } },
  ])
})

test('unfinished uploads block the message unless it may wait for them', () => {
  expect(codes({ uploads: [{ state: 'uploading' }] })).toEqual(['composer/uploads-in-progress'])
  expect(codes({ uploads: [{ state: 'uploading' }], whenReady: true })).toEqual([])
})

test('a failed or blocked file is never left out silently', () => {
  expect(codes({ uploads: [{ state: 'blocked' }] })).toEqual(['composer/upload-failed'])
  expect(codes({ uploads: [{ state: 'failed' }], whenReady: true })).toEqual(['composer/upload-failed'])
})

test('AGR-01 ten files fit, eleven do not', () => {
  const files = (count: number) => Array.from({ length: count }, () => ({ state: 'finished' as const }))
  expect(codes({ uploads: files(10) })).toEqual([])
  expect(codes({ uploads: files(11) })).toEqual(['composer/too-many-files'])
})

test('an edit must not empty a message without files', () => {
  expect(mayEdit(' ', 5, false).map((issue) => issue.code)).toEqual(['composer/empty'])
  expect(mayEdit(' ', 5, true)).toEqual([])
})
