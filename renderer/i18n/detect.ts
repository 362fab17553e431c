import type { HostInfo } from '#shared/bridge/host-info.ts'
import { LANGUAGES, type AppLanguage } from '#shared/domain/settings.ts'

/** The fixed key under which the language of this page is kept: in local storage, and the name of the cookie. */
export const LANGUAGE_KEY = 'parlor.language'
/** In the address of a window: `?lang=pl`. */
const QUERY = 'lang'

/** Where a page in a browser can learn which language its reader wants. */
export type LanguageSources = {
  /** The part of the address from `?` on. */
  readonly query: string
  readonly cookie: string
  readonly browser: readonly string[]
  /** The `lang` of the html tag, as the page came. */
  readonly tag: string
}

/**
 * The languages a page in a browser is asked for, the strongest wish first: address, cookie, browser, html tag.
 */
export function preferredLanguages({ query, cookie, browser, tag }: LanguageSources): readonly string[] {
  const asked = [new URLSearchParams(query).get(QUERY) ?? '', cookieOf(cookie)]
  return [...asked, ...browser, tag].filter((preferred) => preferred !== '')
}

function cookieOf(cookies: string): string {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${LANGUAGE_KEY}=`))
  return found?.slice(LANGUAGE_KEY.length + 1) ?? ''
}

/** Before the page itself has written there what it speaks. */
const TAG_AT_FIRST = document.documentElement.lang

/** What "System" offers in this window: the list of the operating system, in a browser the wishes of the page. */
export function systemLanguages(kind: HostInfo['kind']): readonly string[] {
  if (kind === 'electron') return navigator.languages
  const { cookie } = document
  return preferredLanguages({ query: location.search, cookie, browser: navigator.languages, tag: TAG_AT_FIRST })
}

/** Keeps the language of this page, so that the next one has its words before the settings are known. */
export function keepLanguage(language: AppLanguage): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language)
  } catch {
    // Storage may be refused; then the next start fetches its words a little later.
  }
}

/** The language of the last time, if it is one of ours. */
export function keptLanguage(): AppLanguage | undefined {
  try {
    const kept = localStorage.getItem(LANGUAGE_KEY)
    return LANGUAGES.find((language) => language === kept)
  } catch {
    return undefined
  }
}
