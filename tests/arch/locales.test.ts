import { LANGUAGES } from '#shared/domain/settings.ts'
import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import { API_ERROR_CODES } from '../../main/engine/api/errors.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest, readSource, root, sourceFiles } from './modules.ts'

const folder = join(root, 'resources/locales')
const areas = readdirSync(join(folder, 'en'))
  .filter((name) => name.endsWith('.json'))
  .toSorted()

/** Errors that the user can do nothing about. */
const WITHOUT_ADVICE = ['network/aborted', 'server/not-found']

/** Words that another word replaces. Source: docs/glossary.md, "In the three languages". */
const REPLACED_WORDS: readonly (readonly [language: string, word: RegExp])[] = [
  ['pl', /odnośnik/i],
  ['pl', /szkic|skrzynk|wideo\b/i],
  ['pl', /wiadomo\S+ prywatn/i],
  ['pl', /(?<=[^.!?] )(Ciebie|Tobie|Cię|Two)/],
  ['pl', /(?<=^|\s)(?:w|W|do|od|kopia|uruchomieni[au]) Parlor(?![a-z])/],
  ['ru', /местоположени|заглуш|уч[её]тн/i],
  ['ru', /разговор|бесед|переписк|тред(?![а-яё])/i],
  ['ru', /рабоче\S+ пространств|нет подключения/i],
]

type Tree = { [key: string]: string | Tree }

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text)
  }
  return flat
}

const read = (language: string, area: string): Map<string, string> =>
  flatten(JSON.parse(readFileSync(join(folder, language, area), 'utf8')) as Tree)

const PLURAL = /_(zero|one|two|few|many|other)$/
const baseKeys = (texts: Map<string, string>): string[] =>
  [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))].toSorted()
const places = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([\w.]+)/g)].map((match) => match[1] ?? '').toSorted()

test('texts exist', () => {
  expect(areas.length).toBeGreaterThan(5)
})

test.each(areas)('%s has the same texts in three languages', (area) => {
  const [en, pl, ru] = LANGUAGES.map((language) => baseKeys(read(language, area)))
  expect(pl).toEqual(en)
  expect(ru).toEqual(en)
})

test.each(areas.flatMap((area) => LANGUAGES.map((language) => [area, language] as const)))(
  '%s in %s has every plural form the language needs',
  (area, language) => {
    const texts = read(language, area)
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const plural = new Set([...texts.keys()].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, '')))
    const missing = [...plural].flatMap((key) =>
      needed.filter((form) => !texts.has(`${key}_${form}`)).map((form) => `${key}_${form}`),
    )
    expect(missing).toEqual([])
  },
)

test.each(areas.flatMap((area) => ['pl', 'ru'].map((language) => [area, language] as const)))(
  '%s in %s has the placeholders of the English text',
  (area, language) => {
    const en = read('en', area)
    const other = read(language, area)
    const wrong = [...other].filter(([key, text]) => {
      const model = en.get(key) ?? en.get(`${key.replace(PLURAL, '')}_other`)
      return model === undefined || JSON.stringify(places(text)) !== JSON.stringify(places(model))
    })
    expect(wrong.filter(([key]) => !key.endsWith('_one')).map(([key]) => key)).toEqual([])
  },
)

test('every code of a failure that main or the rules name has a text', () => {
  const known = new Set(baseKeys(read('en', 'errors.json')))
  const areasOfCodes = new Set([...known].filter((code) => code.includes('/')).map((code) => code.split('/')[0]))
  // What the search could not read is shown beside its results, with a separate text.
  areasOfCodes.delete('search')
  const named = sourceFiles()
    .filter((path) => /^(main|shared)\//.test(path) && !isTest(path))
    .flatMap((path) => [...readSource(path).matchAll(/'([a-z]+)\/[a-zA-Z-]+'/g)])
    .flatMap(([quoted, area]) => (areasOfCodes.has(area) ? [quoted.slice(1, -1)] : []))
  expect(named.length).toBeGreaterThan(100)
  expect([...new Set([...named, ...API_ERROR_CODES])].filter((code) => !known.has(code)).toSorted()).toEqual([])
})

test.each(LANGUAGES)('a refusal of a server or the network is more than one sentence in %s', (language) => {
  const texts = read(language, 'errors.json')
  const bare = API_ERROR_CODES.filter((code) => !/[.!?;:].+\S/.test(texts.get(code) ?? ''))
  expect(bare.toSorted()).toEqual(WITHOUT_ADVICE)
})

test.each(REPLACED_WORDS)('in %s no text uses %s', (language, word) => {
  const texts = areas.flatMap((area) =>
    [...read(language, area)].map(([key, text]) => [`${area} ${key}`, text] as const),
  )
  expect(texts.filter(([, text]) => word.test(text))).toEqual([])
})

/** How a text names a page of the settings. */
const PAGE_NAMES: Readonly<Record<(typeof LANGUAGES)[number], RegExp>> = {
  en: /Settings > ([^.)]+)/g,
  pl: /(?:na stronie „|\(Ustawienia, )([^”)]+)/g,
  ru: /(?:на\sстранице «|\(Настройки, )([^»)]+)/g,
}

test.each(LANGUAGES)('a text in %s that names a page of the settings names one that exists', (language) => {
  const declared = /interface SettingsPages \{([^}]+)\}/.exec(readSource('renderer/features/settings/feature.tsx'))
  const pages = [...(declared?.[1] ?? '').matchAll(/(\w+): void/g)].map((match) => match[1] ?? '')
  const titles = read(language, 'settings.json')
  const known = new Set(pages.map((page) => titles.get(`${page}.title`)))
  const named = areas.flatMap((area) =>
    [...read(language, area)].flatMap(([key, text]) =>
      [...text.matchAll(PAGE_NAMES[language])].map((match) => ({ key: `${area} ${key}`, page: match[1] ?? '' })),
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ page }) => !known.has(page))).toEqual([])
})

test.each(LANGUAGES)('the example in the reminder dialog is understood in %s, on any day', (language) => {
  const texts = read(language, 'reminders.json')
  const examples = ['dialog.wordsHint', 'dialog.notUnderstood'].flatMap((key) =>
    [...(texts.get(key) ?? '').matchAll(/[“„«]([^”»]+)[”»]/g)].map((match) => match[1] ?? ''),
  )
  expect(examples.length).toBeGreaterThanOrEqual(6)
  const days = Array.from({ length: 366 }, (_, day) => new Date(2027, 0, 1 + day, 18, 20).getTime())
  const refused = examples.filter((example) =>
    days.some((now) => parseReminderText(example, now, language) === undefined),
  )
  expect(refused).toEqual([])
})
