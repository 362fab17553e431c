import { createInstance } from 'i18next'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { assert } from '#shared/lib/app-error.ts'
import { spokenOf } from './detect.ts'
import { pseudoOf, stretchedTexts } from './pseudo.ts'
import type { Texts } from './texts-by-area.ts'

export const i18next = createInstance()

/** One lazy file for each language; a language is complete (a test sees to it), so none falls back to another. */
const files = import.meta.glob<Record<string, Texts>>('./languages/*.ts', { import: 'texts' })

const pseudo = pseudoOf(window.location.search)

const stretchAll = (areas: Record<string, Texts>): Record<string, Texts> =>
  Object.fromEntries(Object.entries(areas).map(([area, texts]) => [area, stretchedTexts(texts)]))

const loaded = new Map<AppLanguage, Promise<Record<string, Texts>>>()

/** Fetches the texts of a language, once; may be called early, beside other work. */
export function loadTexts(language: AppLanguage): Promise<Record<string, Texts>> {
  const known = loaded.get(language)
  if (known) return known
  const load = files[`./languages/${language}.ts`]
  assert(load !== undefined, `there are texts for ${language}`)
  const started = pseudo === undefined ? load() : load().then(stretchAll)
  loaded.set(language, started)
  started.catch(() => loaded.delete(language))
  return started
}

/** The language to use for a setting and what the system offers, first match wins; English when nothing matches. */
export function resolveLanguage(setting: string, systemLanguages: readonly string[]): AppLanguage {
  return spokenOf(setting === 'system' ? systemLanguages : [setting]) ?? 'en'
}

/** Starts the texts in a language, or goes over to it. Safe to call again (tests, hot reload). */
export async function startI18n(language: AppLanguage): Promise<void> {
  if (i18next.isInitialized) return setLanguage(language)
  const texts = await loadTexts(language)
  await i18next.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: texts },
    defaultNS: 'common',
    initAsync: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  document.documentElement.lang = language
  if (pseudo === 'mirrored') document.documentElement.dir = 'rtl'
}

let wanted: AppLanguage | undefined

/** Shows another language as soon as its texts are here; of two quick changes the later one stays. */
export async function setLanguage(language: AppLanguage): Promise<void> {
  wanted = language
  const texts = await loadTexts(language)
  if (wanted !== language) return
  if (i18next.language === language) return
  for (const [area, areaTexts] of Object.entries(texts)) i18next.addResourceBundle(language, area, areaTexts)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
