import { expect, test } from 'vitest'
import { i18next, resolveLanguage, setLanguage, startI18n } from './i18n.ts'

const send = (): string => i18next.t('send', { ns: 'composer' })

test('texts of a language are there once it has started, and those of another once it was chosen', async () => {
  await startI18n('en')
  const english = send()
  await setLanguage('pl')
  expect(document.documentElement.lang).toBe('pl')
  expect(send()).not.toBe(english)
})

test('of two quick choices the later one stays', async () => {
  await startI18n('en')
  await Promise.all([setLanguage('ru'), setLanguage('pl')])
  expect([i18next.language, document.documentElement.lang]).toEqual(['pl', 'pl'])
})

test.each([
  ['system', ['de-DE', 'pl-PL'], 'pl'],
  ['system', ['de-DE'], 'en'],
  ['ru', ['pl-PL'], 'ru'],
])('for the setting %s on a system that offers %j it is %s', (setting, system, language) => {
  expect(resolveLanguage(setting, system)).toBe(language)
})

test.each([
  ['en', '12,345 members', '1.5 members'],
  ['pl', '12\u00A0345 osób', '1,5 osoby'],
  ['ru', '12\u00A0345 участников', '1,5 участника'],
] as const)('numbers stand in texts as they are written in %s', async (language, many, part) => {
  await startI18n(language)
  const members = (count: number): string => i18next.t('members.count', { ns: 'channel', count })
  expect([members(12_345), members(1.5)]).toEqual([many, part])
})
