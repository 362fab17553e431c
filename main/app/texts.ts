import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance, type i18n } from 'i18next'
import { LANGUAGES, type AppLanguage, type Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'

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

/** Reads the windows' locale files, each once; a missing key is returned unchanged. Nothing is read before the first text. */
export function createTranslate(resources: string, settings: () => Pick<Settings, 'language'>): Translate {
  let texts: i18n | undefined
  return (area, key, params) => {
    const language = languageOf(settings())
    texts ??= createTexts()
    if (!texts.hasResourceBundle(language, area))
      texts.addResourceBundle(language, area, readTexts(resources, language, area) ?? {})
    // Its own type knows the keys of the windows, and only those that are written out.
    const textOf = texts.t as (key: string, values: Readonly<Record<string, unknown>>) => string
    return textOf(key, { ...params, lng: language, ns: area })
  }
}

function createTexts(): i18n {
  const texts = createInstance()
  void texts.init({
    lng: 'en',
    fallbackLng: false,
    resources: {},
    initAsync: false,
    interpolation: { escapeValue: false },
    missingInterpolationHandler: () => '',
  })
  return texts
}

/** The texts of an area in a language; absent if the file does not exist or is broken. */
function readTexts(resources: string, language: AppLanguage, area: string): unknown {
  try {
    return JSON.parse(readFileSync(join(resources, 'locales', language, `${area}.json`), 'utf8'))
  } catch {
    return undefined
  }
}

/** The text of a key (`a.b` inside a file); absent if there is none. */
function textIn(file: unknown, path: string): string | undefined {
  const node = path.split('.').reduce(entryOf, file)
  return typeof node === 'string' ? node : undefined
}

const textAt = (resources: string, language: AppLanguage, area: string, path: string): string | undefined =>
  textIn(readTexts(resources, language, area), path)

const entryOf = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? Object.entries(node).find(([key]) => key === name)?.[1] : undefined

/**
 * The same error with its English text as message, for the line that an entry prints: no window is open yet that could look
 * up the text by code. Other errors are returned unchanged.
 */
export function inPlainText(error: unknown, resources: string): unknown {
  if (!(error instanceof AppError)) return error
  const translate = textAt(resources, 'en', 'errors', error.code)
  // Without a text, or with unfilled placeholders, the code is printed, which can still be looked up.
  if (translate === undefined || translate.includes('{{')) return error
  return new AppError(error.code, { params: { ...error.params }, detail: translate, cause: error })
}

/** The same for a window of the system, in its language. */
export function startFailureTexts(
  error: unknown,
  resources: string,
  language: AppLanguage,
): { readonly title: string; readonly detail: string; readonly quit: string } {
  const text = (key: 'title' | 'quit'): string => textAt(resources, language, 'desktop', `start.${key}`) ?? key
  const known = error instanceof AppError ? textAt(resources, language, 'errors', error.code) : undefined
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return {
    title: text('title'),
    detail: known === undefined || known.includes('{{') ? line : known,
    quit: text('quit'),
  }
}
