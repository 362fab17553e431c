import { expect, test } from 'vitest'
import { resolveLanguage } from './detect.ts'
import { i18next, setLanguage, startI18n } from './i18n.ts'

const send = (): string => i18next.t('send', { ns: 'composer' })

test('the texts of a language are loaded at the start, and those of another when it is chosen', async () => {
  await startI18n('en')
  const english = send()
  await setLanguage('pl')
  expect(document.documentElement.lang).toBe('pl')
  expect(send()).not.toBe(english)
})

test('of two quick changes the later one wins', async () => {
  await startI18n('en')
  await Promise.all([setLanguage('ru'), setLanguage('pl')])
  expect(i18next.language).toBe('pl')
  expect(document.documentElement.lang).toBe('pl')
})

test.each([
  ['system', ['de-DE', 'pl-PL'], 'pl'],
  ['system', ['de-DE'], 'en'],
  ['ru', ['pl-PL'], 'ru'],
])('the setting %s on a system with the locales %j resolves to %s', (setting, system, language) => {
  expect(resolveLanguage(setting, system)).toBe(language)
})

test.each([
  ['en', '12,345 members', '1.5 members'],
  ['pl', '12\u00A0345 osób', '1,5 osoby'],
  ['ru', '12\u00A0345 участников', '1,5 участника'],
] as const)('numbers in texts are formatted for %s', async (language, many, part) => {
  await startI18n(language)
  const members = (count: number): string => i18next.t('members.count', { ns: 'channel', count })
  expect(members(12_345)).toEqual(many)
  expect(members(1.5)).toEqual(part)
})
