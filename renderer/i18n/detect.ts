import type { HostInfo } from '#shared/bridge/host-info.ts'
import { LANGUAGES, type AppLanguage, type Settings } from '#shared/domain/settings.ts'

/** The fixed key under which the chosen language is stored: in local storage, and the name of the cookie. */
export const LANGUAGE_KEY = 'parlor.language'
/** In the address of a window: `?lang=pl`. */
const QUERY = 'lang'

/** Where a page in a browser can learn which language its reader wants. */
type LanguageSources = {
  /** The part of the address from `?` on. */
  readonly query: string
  readonly cookie: string
  /** What was chosen at an earlier visit, or in the settings. */
  readonly chosen: string
  readonly browser: readonly string[]
  /** The `lang` of the html tag, as the page came. */
  readonly tag: string
}

/**
 * The languages a page in a browser is asked for, the strongest wish first: address, cookie, what was chosen before,
 * browser, html tag.
 */
export function preferredLanguages({ chosen, browser, tag, ...asked }: LanguageSources): readonly string[] {
  return [...askedLanguages(asked), chosen, ...browser, tag].filter((preferred) => preferred !== '')
}

/** Those that somebody asks this page for, and that are stored as a choice: address, cookie. */
const askedLanguages = ({ query, cookie }: Pick<LanguageSources, 'query' | 'cookie'>): readonly string[] =>
  [new URLSearchParams(query).get(QUERY) ?? '', cookieOf(cookie)].filter((preferred) => preferred !== '')

function cookieOf(cookies: string): string {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${LANGUAGE_KEY}=`))
  return found?.slice(LANGUAGE_KEY.length + 1) ?? ''
}

/** Before the page itself has written there what it speaks. */
const TAG_AT_FIRST = document.documentElement.lang

/** What "System" offers in this window: the list of the operating system, in a browser the wishes of the page. */
export function systemLanguages(kind: HostInfo['kind']): readonly string[] {
  return kind === 'electron' ? navigator.languages : pageLanguages()
}

/** What this page is asked for, before anything is known of settings and host. */
export function pageLanguages(): readonly string[] {
  const { languages } = navigator
  return preferredLanguages({ ...askedNow(), chosen: storedChoice() ?? '', browser: languages, tag: TAG_AT_FIRST })
}

const askedNow = () => ({ query: location.search, cookie: document.cookie })

/**
 * Stores what was chosen, so that the next page begins in it: the setting, else what the address or a cookie asks for.
 * What browser and html tag say is no choice. In Electron only the setting is one: without it an older one is forgotten.
 */
export function storeChoice(setting: Settings['language'], kind: HostInfo['kind']): void {
  const asked = kind === 'electron' ? [] : askedLanguages(askedNow())
  const choice = setting === 'system' ? spokenOf(asked) : setting
  if (choice !== undefined) write(choice)
  else if (kind === 'electron') forgetChoice()
}

/** "System" was chosen: nothing chosen before counts any longer. */
export const forgetChoice = (): void => write(undefined)

function write(choice: AppLanguage | undefined): void {
  try {
    if (choice === undefined) localStorage.removeItem(LANGUAGE_KEY)
    else localStorage.setItem(LANGUAGE_KEY, choice)
  } catch {
    // Storage may be refused; then a choice lasts for this visit, and that of the settings is known a little later.
  }
}

/** What was chosen before, if it is one of ours. */
function storedChoice(): AppLanguage | undefined {
  try {
    return spokenOf([localStorage.getItem(LANGUAGE_KEY) ?? ''])
  } catch {
    return undefined
  }
}

/** The first of these languages (`pl`, `pl-PL`) that Parlor speaks. */
export function spokenOf(tags: readonly string[]): AppLanguage | undefined {
  for (const tag of tags) {
    const primary = tag.split('-')[0]?.toLowerCase()
    const match = LANGUAGES.find((language) => language === primary)
    if (match !== undefined) return match
  }
  return undefined
}
