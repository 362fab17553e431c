import { readdirSync, readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/domain/settings.ts'
import type { AreaName, Texts } from './areas.ts'
import { resolveLanguage } from './detect.ts'
import { languageNow, setLanguage, startI18n, textsOf } from './i18n.ts'

const send = (): string => textsOf(languageNow(), 'composer')('send')

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
  expect(languageNow()).toBe('pl')
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
  const members = (count: number): string => textsOf(languageNow(), 'channel')('members.count', { count })
  expect(members(12_345)).toEqual(many)
  expect(members(1.5)).toEqual(part)
})

const COUNTS = [0, 1, 2, 5, 21, 22, 25, 101, 1.5, 12_345]

const keysOf = (texts: Texts, prefix = ''): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [prefix + name] : keysOf(text as Texts, `${prefix}${name}.`),
  )

const areas = readdirSync('resources/locales/en').map((name) => name.replace('.json', ''))
const textsIn = (language: string, area: string): Texts =>
  JSON.parse(readFileSync(`resources/locales/${language}/${area}.json`, 'utf8')) as Texts

test.each(LANGUAGES)(
  'every text in %s, with every value and count, is the one that i18next makes',
  async (language) => {
    await startI18n(language)
    const reference = createInstance()
    const resources = { [language]: Object.fromEntries(areas.map((area) => [area, textsIn(language, area)])) }
    await reference.init({
      lng: language,
      fallbackLng: false,
      resources,
      interpolation: { escapeValue: false },
      missingInterpolationHandler: () => '',
    })
    for (const area of areas) {
      const texts = textsIn(language, area)
      const places = [...JSON.stringify(texts).matchAll(/\{\{([^},]*)/g)].map((match) => match[1] ?? '')
      const ours = textsOf(language, area as AreaName) as unknown as (key: string, values: object) => string
      const theirs = reference.getFixedT(language, area as AreaName) as unknown as typeof ours
      for (const key of new Set(keysOf(texts).map((name) => name.replace(/_(one|few|many|other)$/, '')))) {
        for (const count of COUNTS) {
          const values = {
            ...Object.fromEntries(places.map((name, at) => [name, at % 2 ? `${name} <b>` : 1_234 * at])),
            count,
          }
          expect(ours(key, values)).toBe(theirs(key, values))
        }
        expect(ours(key, {})).toBe(theirs(key, {}))
      }
    }
  },
)

test('a text that is not there is named by its key, or is the default', async () => {
  await startI18n('en')
  const texts = textsOf('en', 'common') as unknown as (key: string, values?: object) => string
  expect(texts('no.such')).toBe('no.such')
  expect(texts('no.such', { defaultValue: 'nothing' })).toBe('nothing')
})
