import { afterEach, expect, test, vi } from 'vitest'
import { keepLanguage, keptLanguage, LANGUAGE_KEY, systemLanguages, preferredLanguages } from './detect.ts'
import { resolveLanguage, setLanguage, startI18n } from './i18n.ts'

afterEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/')
  vi.restoreAllMocks()
})

const found = (sources: Partial<Parameters<typeof preferredLanguages>[0]>, setting = 'system') =>
  resolveLanguage(setting, preferredLanguages({ query: '', cookie: '', browser: [], tag: '', ...sources }))

const ALL = { query: '?token=x&lang=ru', cookie: `a=1; ${LANGUAGE_KEY}=pl`, browser: ['en-GB'], tag: 'en' }

test('the address comes first, then the cookie, then the browser, then the html tag', () => {
  expect(found(ALL)).toBe('ru')
  expect(found({ ...ALL, query: '' })).toBe('pl')
  expect(found({ browser: ['de', 'pl-PL'], tag: 'ru' })).toBe('pl')
  expect(found({ browser: ['de'], tag: 'ru' })).toBe('ru')
  expect(found({ browser: ['de'] })).toBe('en')
})

test('a wish for a language that Parlor does not speak is passed over', () => {
  expect(found({ ...ALL, query: '?lang=tlh' })).toBe('pl')
  expect(found({ ...ALL, query: '?lang=', cookie: `${LANGUAGE_KEY}=` })).toBe('en')
})

test('what was chosen in the settings counts before all of them', () => {
  expect(found(ALL, 'en')).toBe('en')
})

test('in Electron the list of the system decides alone', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['pl-PL', 'en'])
  window.history.replaceState(null, '', '/?lang=ru')
  expect(resolveLanguage('system', systemLanguages('electron'))).toBe('pl')
  expect(resolveLanguage('system', systemLanguages('browser'))).toBe('ru')
})

test('the language of the page is kept under a fixed key, and what is no language of ours is not read back', async () => {
  await startI18n('en')
  await setLanguage('pl')
  expect([localStorage.getItem('parlor.language'), keptLanguage()]).toEqual(['pl', 'pl'])
  localStorage.setItem('parlor.language', 'tlh')
  expect(keptLanguage()).toBeUndefined()
})

test('storage that is refused costs nothing', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('refused')
  })
  expect(() => keepLanguage('ru')).not.toThrow()
})
