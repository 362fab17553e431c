import { createInstance } from 'i18next'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { loadTexts, pseudoOf } from './load-texts.ts'

export const i18next = createInstance()

/** Initializes the texts in a language, or changes to it. Safe to call again (tests, hot reload). */
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
  i18next.services.formatter?.add('number', createNumberFormat())
  document.documentElement.lang = language
  if (pseudoOf(window.location.search) === 'mirrored') document.documentElement.dir = 'rtl'
}

/**
 * `{{count, number}}`. The formatter of i18next makes a new `Intl.NumberFormat` for each set of values in a text. Small
 * numbers are the same in every language of Parlor, and a start without larger ones does not wait 20 ms for `Intl`.
 */
function createNumberFormat(): (value: unknown, language: string | undefined) => string {
  const formats = new Map<string | undefined, Intl.NumberFormat>()
  return (value, language) => {
    const number = Number(value)
    if (Number.isInteger(number) && number >= 0 && number < 1_000) return String(number)
    const format = formats.get(language) ?? new Intl.NumberFormat(language)
    formats.set(language, format)
    return format.format(number)
  }
}

let wanted: AppLanguage | undefined

/** Changes the language as soon as its texts are loaded; of two quick changes the later one wins. */
export async function setLanguage(language: AppLanguage): Promise<void> {
  wanted = language
  const texts = await loadTexts(language)
  if (wanted !== language) return
  if (i18next.language === language) return
  if (i18next.getDataByLanguage(language) === undefined)
    for (const [area, areaTexts] of Object.entries(texts)) i18next.addResourceBundle(language, area, areaTexts)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
