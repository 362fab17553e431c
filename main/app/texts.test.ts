import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTranslate } from './texts.ts'

const resources = join(import.meta.dirname, '../../resources')

test.each([
  ['en', 'Parlor: 12,345 unread messages'],
  ['pl', 'Parlor: 12\u00A0345 nieprzeczytanych wiadomości'],
  ['ru', 'Parlor: 12\u00A0345 непрочитанных сообщений'],
] as const)('what main says by itself writes numbers as people do in %s', (language, expected) => {
  const translate = createTranslate(resources, () => ({ language }))
  expect(translate('desktop', 'tray.unread', { count: 12_345 })).toBe(expected)
})

test('names are unchanged, and missing values are omitted', () => {
  const translate = createTranslate(resources, () => ({ language: 'en' }))
  expect(translate('desktop', 'managed.by', { name: '12345' })).toBe('Managed by 12345')
  expect(translate('desktop', 'managed.by')).toBe('Managed by ')
})
