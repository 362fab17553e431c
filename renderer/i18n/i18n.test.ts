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
