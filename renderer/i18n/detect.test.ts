import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Settings } from '#shared/domain/settings.ts'
import {
  forgetChoice,
  LANGUAGE_KEY,
  pageLanguages,
  storeChoice,
  systemLanguages,
  preferredLanguages,
  resolveLanguage,
} from './detect.ts'
import { setLanguage, startI18n } from './i18n.ts'

const clear = (): void => {
  localStorage.clear()
  document.cookie = `${LANGUAGE_KEY}=; max-age=0`
  window.history.replaceState(null, '', '/')
}
beforeEach(clear)
afterEach(() => {
  vi.restoreAllMocks()
  clear()
})

type Visit = {
  readonly query?: string
  readonly cookie?: string
  readonly browser?: readonly string[]
  readonly setting?: Settings['language']
}

/** A start of the page: which texts are loaded first, which are shown, and what is stored afterwards. */
function visit({ query = '', cookie, browser = ['en-US'], setting = 'system' }: Visit) {
  window.history.replaceState(null, '', `/${query}`)
  document.cookie = cookie === undefined ? `${LANGUAGE_KEY}=; max-age=0` : `${LANGUAGE_KEY}=${cookie}`
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser)
  const fetched = resolveLanguage('system', pageLanguages())
  const shown = resolveLanguage(setting, systemLanguages('browser'))
  storeChoice(setting, 'browser')
  return { fetched, shown, stored: localStorage.getItem(LANGUAGE_KEY) }
}

test.each<[string, Visit, string, string | null]>([
  ['a browser in English', { browser: ['en-US'] }, 'en', null],
  ['a browser in Polish', { browser: ['pl-PL'] }, 'pl', null],
  ['a browser in an unsupported language', { browser: ['de-DE'] }, 'en', null],
  ['a cookie before the browser', { browser: ['pl-PL'], cookie: 'ru' }, 'ru', 'ru'],
  ['the address before cookie and browser', { query: '?lang=ru', cookie: 'pl' }, 'ru', 'ru'],
  ['an unknown language in the address', { query: '?lang=xx', browser: ['pl'] }, 'pl', null],
  ['a region in the address', { query: '?lang=pl-PL' }, 'pl', 'pl'],
  ['a cookie in capitals', { cookie: 'PL' }, 'pl', 'pl'],
])('%s', (_case, sources, shown, stored) => {
  expect(visit(sources)).toEqual({ fetched: shown, shown, stored })
})

test('a language from the address is used again at the next start, and its texts are loaded first', () => {
  visit({ query: '?lang=ru' })
  expect(visit({})).toEqual({ fetched: 'ru', shown: 'ru', stored: 'ru' })
})

test('a cookie or an address replaces the stored language', () => {
  visit({ query: '?lang=ru', cookie: 'pl' })
  expect(visit({ cookie: 'pl' })).toEqual({ fetched: 'pl', shown: 'pl', stored: 'pl' })
  expect(visit({ query: '?lang=en' })).toEqual({ fetched: 'en', shown: 'en', stored: 'en' })
})

test('a stored choice comes before the browser', () => {
  localStorage.setItem(LANGUAGE_KEY, 'pl')
  expect(visit({ browser: ['en-US'] })).toEqual({ fetched: 'pl', shown: 'pl', stored: 'pl' })
})

test('a stored language that is not supported is ignored', () => {
  localStorage.setItem(LANGUAGE_KEY, 'tlh')
  expect(visit({ browser: ['pl'] }).shown).toBe('pl')
})

test('the language of the settings wins, and its texts are loaded first at the next start', () => {
  expect(visit({ query: '?lang=ru', setting: 'pl' })).toMatchObject({ shown: 'pl', stored: 'pl' })
  expect(visit({ setting: 'pl' })).toEqual({ fetched: 'pl', shown: 'pl', stored: 'pl' })
})

test('after forgetChoice the language of the browser is used again', () => {
  visit({ setting: 'pl' })
  forgetChoice()
  expect(visit({ browser: ['ru-RU'] })).toEqual({ fetched: 'ru', shown: 'ru', stored: null })
})

test('the html tag comes last', () => {
  const sources = { query: '', cookie: '', chosen: '', browser: ['de'], tag: 'ru' }
  expect(resolveLanguage('system', preferredLanguages(sources))).toBe('ru')
  expect(resolveLanguage('system', preferredLanguages({ ...sources, browser: ['de', 'pl-PL'] }))).toBe('pl')
})

test('showing a language does not store it', async () => {
  await startI18n('en')
  await setLanguage('pl')
  expect(localStorage.getItem(LANGUAGE_KEY)).toBeNull()
})

test('in Electron only the system’s languages count, and only the setting is stored', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['pl-PL', 'en'])
  window.history.replaceState(null, '', '/?lang=ru')
  expect(resolveLanguage('system', systemLanguages('electron'))).toBe('pl')
  storeChoice('ru', 'electron')
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('ru')
  storeChoice('system', 'electron')
  expect(localStorage.getItem(LANGUAGE_KEY)).toBeNull()
})

test('blocked local storage does not throw', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('refused')
  })
  expect(() => storeChoice('ru', 'browser')).not.toThrow()
})
