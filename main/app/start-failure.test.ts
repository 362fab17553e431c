import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { inPlainText, startFailureTexts } from './texts.ts'

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

test.each([
  ['en', 'Parlor couldn’t start', /^This profile was created by a newer version of Parlor/],
  ['pl', 'Parlor się nie uruchomił', /^Ten profil utworzyła nowsza wersja Parlora/],
  ['ru', 'Не удалось запустить Parlor', /^Этот профиль создан более новой версией Parlor/],
] as const)('a window of the system says it in the language of the system: %s', (language, title, detail) => {
  const error = inPlainText(new AppError('store/from-the-future'), resources)
  expect(startFailureTexts(error, resources, language)).toMatchObject({ title, detail: expect.stringMatching(detail) })
})

test.each([new Error('A line for people.\nmore'), new AppError('odd/code', { detail: 'A line for people.' })])(
  'where there is no text of its own, the window says the line of the terminal: %s',
  (error) => {
    expect(startFailureTexts(error, resources, 'pl').detail).toBe('A line for people.')
  },
)
