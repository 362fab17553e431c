import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = ['en', 'pl', 'ru'] as const
export type AppLanguage = (typeof LANGUAGES)[number]

type Texts = Record<string, unknown>

export const i18next = createInstance()

/** All texts of all languages: small, and a language change must not wait for anything. */
const files = import.meta.glob<Texts>('../../resources/locales/*/*.json', { eager: true, import: 'default' })

/** `{en: {common: {…}}, …}` from `…/locales/en/common.json`. */
function resourcesOf(byPath: Record<string, Texts>): Record<string, Record<string, Texts>> {
  const resources: Record<string, Record<string, Texts>> = {}
  for (const [path, texts] of Object.entries(byPath)) {
    const [language, file] = path.split('/').slice(-2)
    if (language === undefined || file === undefined) continue
    resources[language] = { ...resources[language], [file.replace('.json', '')]: texts }
  }
  return resources
}

/** The language to use for a setting and what the system offers, first match wins; English when nothing matches. */
export function resolveLanguage(setting: string, systemLanguages: readonly string[]): AppLanguage {
  const wanted = setting === 'system' ? systemLanguages : [setting]
  for (const tag of wanted) {
    const primary = tag.split('-')[0]?.toLowerCase()
    const match = LANGUAGES.find((language) => language === primary)
    if (match !== undefined) return match
  }
  return 'en'
}

/** Starts the texts. Synchronous: nothing is loaded. Safe to call again (tests, hot reload). */
export function startI18n(language: AppLanguage): void {
  if (i18next.isInitialized) {
    setLanguage(language)
    return
  }
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: resourcesOf(files),
    defaultNS: 'common',
    initAsync: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  document.documentElement.lang = language
}

export function setLanguage(language: AppLanguage): void {
  document.documentElement.lang = language
  if (i18next.language !== language) void i18next.changeLanguage(language)
}
