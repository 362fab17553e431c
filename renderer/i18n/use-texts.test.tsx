import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setLanguage, startI18n, useTexts } from './i18n.ts'
import { I18nProvider } from './format.tsx'

test('a text follows the language, also back to one that was shown before', async () => {
  await startI18n('en')
  const { result } = renderHook(() => useTexts('composer')('send'), { wrapper: I18nProvider })
  const english = result.current
  await act(() => setLanguage('pl'))
  const polish = result.current
  await act(() => setLanguage('en'))
  expect(polish).not.toBe(english)
  expect(result.current).toBe(english)
})

test('a name in a text stays as it is, whatever is in it', async () => {
  await startI18n('en')
  const { result } = renderHook(() => useTexts('messages'))
  const says = (author: string, text: string): string => result.current('row.says', { author, text })
  expect(says('Ola', 'hello')).toBe('Ola: hello')
  expect(says('{{text}}', '$& $t(row.app)')).toBe('{{text}}: $& $t(row.app)')
})

test('a number that comes as text is written as a number', async () => {
  await startI18n('en')
  const { result } = renderHook(() => useTexts('composer'))
  expect(result.current('folder.many', { max: '12000' } as never)).toContain('up to 12,000 files')
})

test('a text with values is made for each of them', async () => {
  await startI18n('en')
  const { result } = renderHook(() => useTexts('channel'))
  const members = (count: number): string => result.current('members.count', { count })
  expect(members(2)).toBe('2 members')
  expect(members(3)).toBe('3 members')
})
