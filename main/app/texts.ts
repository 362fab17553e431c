import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type AppLanguage, type Settings } from '#shared/domain/settings.ts'

/** Texts that main shows itself, outside of any window. `count` selects the plural form. */
export type Translate = (area: string, key: string, params?: Readonly<Record<string, string | number>>) => string

/** The chosen language, else the system's, else English. */
export function languageOf(
  { language }: Pick<Settings, 'language'>,
  system: string = Intl.DateTimeFormat().resolvedOptions().locale,
): AppLanguage {
  const wanted = language === 'system' ? system.slice(0, 2).toLowerCase() : language
  return LANGUAGES.find((each) => each === wanted) ?? 'en'
}

/** Reads the windows' locale files; a missing key is returned unchanged. */
export function createTranslate(resources: string, settings: () => Pick<Settings, 'language'>): Translate {
  return (area, key, params = {}) => {
    const language = languageOf(settings())
    const { count } = params
    const plural = typeof count === 'number' ? `${key}_${new Intl.PluralRules(language).select(count)}` : key
    const text = textAt(resources, language, area, plural) ?? key
    return filled(text, params, language)
  }
}

/** Fills in values: `{{name}}` unchanged, `{{count, number}}` formatted in the language. */
function filled(text: string, params: Readonly<Record<string, string | number>>, language: AppLanguage): string {
  return text.replaceAll(/\{\{(\w+)(, number)?\}\}/g, (_all, name: string, isNumber?: string) => {
    const value = params[name]
    return isNumber !== undefined && typeof value === 'number'
      ? new Intl.NumberFormat(language).format(value)
      : String(value ?? '')
  })
}

/** The text of a key (`a.b` inside a file) in a language; absent if the file or the key does not exist. */
export function textAt(resources: string, language: AppLanguage, area: string, path: string): string | undefined {
  try {
    let node: unknown = JSON.parse(readFileSync(join(resources, 'locales', language, `${area}.json`), 'utf8'))
    for (const name of path.split('.')) node = entryOf(node, name)
    return typeof node === 'string' ? node : undefined
  } catch {
    return undefined
  }
}

const entryOf = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? Object.entries(node).find(([key]) => key === name)?.[1] : undefined
