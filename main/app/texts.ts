import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type AppLanguage, type Settings } from '#shared/domain/settings.ts'

/** The few words that main says by itself, outside of any window. `count` chooses the plural. */
export type Translate = (area: string, key: string, params?: Readonly<Record<string, string | number>>) => string

/** The chosen language, else the system's, else English. */
export function languageOf(
  { language }: Pick<Settings, 'language'>,
  system: string = Intl.DateTimeFormat().resolvedOptions().locale,
): AppLanguage {
  const wanted = language === 'system' ? system.slice(0, 2).toLowerCase() : language
  return LANGUAGES.find((each) => each === wanted) ?? 'en'
}

/** Reads the windows' own locale files; a key that is not there is answered as it is. */
export function createTranslate(resources: string, settings: () => Pick<Settings, 'language'>): Translate {
  return (area, key, params = {}) => {
    const language = languageOf(settings())
    const { count } = params
    const plural = typeof count === 'number' ? `${key}_${new Intl.PluralRules(language).select(count)}` : key
    const text = textAt(resources, language, area, plural) ?? key
    return filled(text, params, language)
  }
}

/** Puts values where a text names them: `{{name}}` as it is, `{{count, number}}` as numbers are written in the language. */
function filled(text: string, params: Readonly<Record<string, string | number>>, language: AppLanguage): string {
  return text.replaceAll(/\{\{(\w+)(, number)?\}\}/g, (_all, name: string, isNumber?: string) => {
    const value = params[name]
    return isNumber !== undefined && typeof value === 'number'
      ? new Intl.NumberFormat(language).format(value)
      : String(value ?? '')
  })
}

/** The words of a key (`a.b` inside a file) in a language; absent when the file or the key is not there. */
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
