import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { inPlainText } from './start-failure.ts'

const resources = join(import.meta.dirname, '../../resources')

test('a known code gets its English text as message and keeps its code', () => {
  const plain = inPlainText(new AppError('session/invalid-url', { detail: 'not an address' }), resources)
  expect(plain).toMatchObject({
    code: 'session/invalid-url',
    message: expect.stringMatching(/^That doesn’t look like a server address/),
  })
})

test.each([new Error('bug'), new AppError('odd/code'), 'text'])('anything else is unchanged: %s', (error) => {
  expect(inPlainText(error, resources)).toBe(error)
})

test('without the texts the code is the message', () => {
  const error = new AppError('session/invalid-url')
  expect(inPlainText(error, '/nowhere')).toBe(error)
})
