import type { TFunction } from 'i18next'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { AreaName, Texts } from './areas.ts'
import { loadTexts, pseudoOf } from './load-texts.ts'
import { createContext, useContext, useSyncExternalStore, useMemo, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'

const loaded = new Map<string, Record<string, Texts>>()
const listeners = new Set<() => void>()
let shown: AppLanguage | undefined
let wanted: AppLanguage | undefined

/** The language that the window shows. */
export const languageNow = (): AppLanguage => shown ?? 'en'

/** Returns the unsubscribe function. */
export const subscribeLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a language for the first time. Safe to call again (tests, hot reload). */
export async function startI18n(language: AppLanguage): Promise<void> {
  await setLanguage(language)
  if (pseudoOf(window.location.search) === 'mirrored') document.documentElement.dir = 'rtl'
}

/** Changes the language as soon as its texts are loaded; of two quick changes the later one wins. */
export async function setLanguage(language: AppLanguage): Promise<void> {
  wanted = language
  loaded.set(language, await loadTexts(language))
  if (wanted !== language || shown === language) return
  shown = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

const cache = new Map<string, TFunction<AreaName>>()

/** The texts of an area in a language: the same function each time, so that it can be a dependency of an effect. */
export function textsOf<Area extends AreaName>(language: string, area: Area): TFunction<Area> {
  const key = `${language} ${area}`
  let texts = cache.get(key)
  if (texts === undefined) cache.set(key, (texts = createTexts(language, area) as unknown as TFunction<AreaName>))
  return texts as TFunction<Area>
}

type Values = Readonly<Record<string, string | number | undefined>>
const NO_VALUES: Values = {}

/** `{{name}}`, or `{{count, number}}`: the name, and whether it is written as a number of the language. */
const PLACE = /\{\{(\w+)(, number)?\}\}/

/**
 * Texts in the format of i18next, which stays the reference (i18n.test.ts): keys with dots, a plural form for `count`,
 * values. A text that is not there is named by its key, or is the `defaultValue`.
 */
function createTexts(language: string, area: string): (key: string, values?: Values) => string {
  const numbers = numbersOf(language)
  // Of each text its words, and between them two entries for each place. It is looked up and taken apart once.
  const known = new Map<string, readonly (string | undefined)[]>()
  const partsOf = (key: string): readonly (string | undefined)[] | undefined => {
    const parts = known.get(key)
    if (parts !== undefined) return parts
    const text = textAt(textsIn(), key)
    if (typeof text !== 'string') return undefined
    const found = text.split(PLACE)
    known.set(key, found)
    return found
  }
  const textsIn = (): Texts | undefined => loaded.get(language)?.[area]
  return (key, values = NO_VALUES) => {
    const { count, defaultValue } = values
    const plural = typeof count === 'number' ? partsOf(`${key}_${numbers.plural(count)}`) : undefined
    const parts = plural ?? partsOf(key)
    if (parts === undefined) return String(defaultValue ?? key)
    let text = ''
    for (let at = 0; at < parts.length; at += 3) {
      text += parts[at]
      const name = parts[at + 1]
      const value = name === undefined ? '' : (values[name] ?? '')
      text += parts[at + 2] && value !== '' ? numbers.format(value) : String(value)
    }
    return text
  }
}

/** A dot goes one level down, or is part of a name. */
function textAt(texts: unknown, key: string): unknown {
  if (typeof texts !== 'object' || texts === null) return undefined
  const here = (texts as Texts)[key]
  if (here !== undefined) return here
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const inside = textAt((texts as Texts)[key.slice(0, dot)], key.slice(dot + 1))
    if (inside !== undefined) return inside
  }
  return undefined
}

/**
 * A small number, which every language of Parlor writes alike; `undefined` for others. A start without larger ones does
 * not wait 15 to 30 ms for the first use of `Intl`.
 */
export const smallNumber = (value: number): string | undefined =>
  Number.isInteger(value) && value >= 0 && value < 1_000 ? String(value) : undefined

function numbersOf(language: string) {
  let rules: Intl.PluralRules | undefined
  let format: Intl.NumberFormat | undefined
  return {
    plural: (count: number): string => (rules ??= new Intl.PluralRules(language)).select(count),
    format: (value: string | number): string => {
      const number = Number(value)
      return smallNumber(number) ?? (format ??= new Intl.NumberFormat(language)).format(number)
    },
  }
}

/** For the provider alone; everything else asks {@link useLanguage}. */
export const useLanguageNow = (): AppLanguage => useSyncExternalStore(subscribeLanguage, languageNow)

/** One subscription for the window: a channel asks for its language some hundred times. */
export const LanguageContext = createContext<AppLanguage | undefined>(undefined)

/** The language of the interface; re-renders when it changes. */
export const useLanguage = (): AppLanguage => useContext(LanguageContext) ?? languageNow()

/** The texts of one area: `const t = useTexts('sidebar')`, `t('newChannel')`. Keys are checked by the compiler. */
export const useTexts = <Area extends AreaName>(area: Area): TFunction<Area> => textsOf(useLanguage(), area)

type ErrorLike = {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** The text of a stable error code, from `errors.json`; a general sentence for an unknown code. */
export function useErrorText(): (error: ErrorLike) => string {
  const t = useTexts('errors')
  // The types know the keys that are written out; codes come from elsewhere.
  const textOf = t as unknown as (code: string, values: Readonly<Record<string, string | number>>) => string
  return ({ code, params }) => textOf(code, { ...params, defaultValue: t('unknown') })
}

/** `en-GB` as "British English", in the language of the interface. */
export function useLanguageNames(): (code: string) => string {
  const language = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'language' })
    return (code) => names.of(code) ?? code
  }, [language])
}

/** The message of a form about the last submit. `Own`: the form's own messages, besides the errors of the engine. */
type FormMessage<Own = never> = {
  /** In the current language; absent when there is no message. */
  readonly text: string | undefined
  readonly show: (own: Own) => void
  readonly refuse: (error: ErrorBody) => void
  readonly clear: () => void
}

/**
 * Stores the message of a form as data and translates it at render, since the language may change while it is shown.
 *
 * @param textOf the text of the form's own messages
 */
export function useFormMessage<Own = never>(textOf: (own: Own) => string = String): FormMessage<Own> {
  const errorText = useErrorText()
  const [message, setMessage] = useState<{ readonly own: Own } | { readonly refusal: ErrorBody }>()
  return {
    text: message && ('own' in message ? textOf(message.own) : errorText(message.refusal)),
    show: (own) => setMessage({ own }),
    refuse: (refusal) => setMessage({ refusal }),
    clear: () => setMessage(undefined),
  }
}
