import type { HostInfo } from '#shared/bridge/transport.ts'
import { LANGUAGES, type AppLanguage, type Settings } from '#shared/domain/settings.ts'

/** Key of the chosen language in local storage, and the name of the cookie. */
export const LANGUAGE_KEY = 'parlor.language'
/** In the address of a window: `?lang=pl`. */
const QUERY = 'lang'

/** Where a page in a browser finds the preferred language. */
type LanguageSources = {
  /** The part of the address from `?` on. */
  readonly query: string
  readonly cookie: string
  /** Stored at an earlier visit, or chosen in the settings. */
  readonly chosen: string
  readonly browser: readonly string[]
  /** The initial `lang` of the html tag. */
  readonly tag: string
}

/** The preferred languages of a page in a browser, in order: address, cookie, stored choice, browser, html tag. */
export function preferredLanguages({ chosen, browser, tag, ...requested }: LanguageSources): readonly string[] {
  return [...requestedLanguages(requested), chosen, ...browser, tag].filter((preferred) => preferred !== '')
}

/** The explicit requests, which are stored as a choice: address, cookie. */
const requestedLanguages = ({ query, cookie }: Pick<LanguageSources, 'query' | 'cookie'>): readonly string[] =>
  [new URLSearchParams(query).get(QUERY) ?? '', cookieOf(cookie)].filter((preferred) => preferred !== '')

function cookieOf(cookies: string): string {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${LANGUAGE_KEY}=`))
  return found?.slice(LANGUAGE_KEY.length + 1) ?? ''
}

/** Read before the page sets it to the current language. */
const INITIAL_TAG = document.documentElement.lang

/** The language for a setting and the system's languages, first match wins; English when nothing matches. */
export function resolveLanguage(setting: string, systemLanguages: readonly string[]): AppLanguage {
  return supportedLanguageOf(setting === 'system' ? systemLanguages : [setting]) ?? 'en'
}

/** The languages that "System" means: those of the operating system, in a browser those of the page. */
export function systemLanguages(kind: HostInfo['kind']): readonly string[] {
  return kind === 'electron' ? navigator.languages : pageLanguages()
}

/** The preferred languages of this page, before the settings and the host are known. */
export function pageLanguages(): readonly string[] {
  const { languages } = navigator
  return preferredLanguages({ ...requestSources(), chosen: storedChoice() ?? '', browser: languages, tag: INITIAL_TAG })
}

const requestSources = () => ({ query: location.search, cookie: document.cookie })

/**
 * Stores the chosen language for the next start: the setting, else the language of the address or a cookie. The languages
 * of the browser and the html tag are not stored. In Electron only the setting is: without it the stored one is removed.
 */
export function storeChoice(setting: Settings['language'], kind: HostInfo['kind']): void {
  const requested = kind === 'electron' ? [] : requestedLanguages(requestSources())
  const choice = setting === 'system' ? supportedLanguageOf(requested) : setting
  if (choice !== undefined) write(choice)
  else if (kind === 'electron') forgetChoice()
}

/** "System" was chosen: removes the stored language. */
export const forgetChoice = (): void => write(undefined)

function write(choice: AppLanguage | undefined): void {
  try {
    if (choice === undefined) localStorage.removeItem(LANGUAGE_KEY)
    else localStorage.setItem(LANGUAGE_KEY, choice)
  } catch {
    // Local storage may be blocked: then the language of the settings is applied only once they are loaded.
  }
}

/** The stored language, if it is supported. */
function storedChoice(): AppLanguage | undefined {
  try {
    return supportedLanguageOf([localStorage.getItem(LANGUAGE_KEY) ?? ''])
  } catch {
    return undefined
  }
}

/** The first of these languages (`pl`, `pl-PL`) that Parlor supports. */
function supportedLanguageOf(tags: readonly string[]): AppLanguage | undefined {
  for (const tag of tags) {
    const primary = tag.split('-')[0]?.toLowerCase()
    const match = LANGUAGES.find((language) => language === primary)
    if (match !== undefined) return match
  }
  return undefined
}
