import type { TFunction } from 'i18next'
import type { AreaName } from './areas.ts'
import { i18next } from './i18n.ts'
import { createContext, useContext, useSyncExternalStore, useMemo, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'

const listeners = new Set<() => void>()

i18next.on('languageChanged', () => {
  for (const listener of listeners) listener()
})

/** Returns the unsubscribe function. */
export const subscribeLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const languageNow = (): string => i18next.language ?? 'en'

/** For the provider alone; everything else asks {@link useLanguage}. */
export const useLanguageNow = (): string => useSyncExternalStore(subscribeLanguage, languageNow)

/** One subscription for the window: a channel asks for its language some hundred times. */
export const LanguageContext = createContext<string | undefined>(undefined)

/** The language of the interface; re-renders when it changes. */
export const useLanguage = (): string => useContext(LanguageContext) ?? languageNow()

/** The texts of one area: `const t = useTexts('sidebar')`, `t('newChannel')`. Keys are checked by the compiler. */
export function useTexts<Area extends AreaName>(area: Area): TFunction<Area> {
  return textsOf(useLanguage(), area) as TFunction<Area>
}

const cache = new Map<string, TFunction<AreaName>>()

/** Around the name of a value in a text; no text has this character. */
const MARK = '\u{F8FF}'

/** The same function each time, so that it can be a dependency of an effect. */
function textsOf(language: string, area: AreaName): TFunction<AreaName> {
  const key = `${language} ${area}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const texts = remembering(i18next.getFixedT(language, area))
  cache.set(key, texts)
  return texts
}

type Values = Readonly<Record<string, unknown>>

/** Text that is no number either: i18next formats those. */
const isName = (value: unknown): boolean => typeof value === 'string' && Number.isNaN(Number(value))

/**
 * A text is looked up once, also one with names in it: i18next takes 10 to 30 µs for it, and a channel shows some hundred.
 * Numbers are left to i18next, because plural forms and their format depend on them.
 */
function remembering(texts: TFunction<AreaName>): TFunction<AreaName> {
  const known = new Map<unknown, unknown>()
  const templates = new Map<string, readonly string[]>()
  const lookUp = texts as unknown as (key: unknown, values?: Values) => unknown
  const filled = (key: string, values: Values): string => {
    const names = Object.keys(values)
    const id = `${key} ${names.join(' ')}`
    const template =
      templates.get(id) ??
      String(lookUp(key, Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`])))).split(MARK)
    // A text that is not there is named by its key.
    if (template[0] !== key) templates.set(id, template)
    return template.map((part, at) => (at % 2 === 0 ? part : values[part])).join('')
  }
  const remembered = (key: unknown, values?: Values): unknown => {
    if (values !== undefined) {
      return typeof key === 'string' && Object.values(values).every(isName) ? filled(key, values) : lookUp(key, values)
    }
    if (known.has(key)) return known.get(key)
    const text = lookUp(key)
    if (text !== key) known.set(key, text)
    return text
  }
  return Object.assign(remembered, texts)
}

type ErrorLike = {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** The text of a stable error code, from `errors.json`; a general sentence for an unknown code. */
export function useErrorText(): (error: ErrorLike) => string {
  const t = useTexts('errors')
  return (error) => {
    // With a count the text has plural forms.
    const count = error.params?.['count']
    const known = i18next.exists(error.code, { ns: 'errors', ...(typeof count === 'number' ? { count } : {}) })
      ? error.code
      : 'unknown'
    const text: unknown = t(known as never, (error.params ?? {}) as never)
    return typeof text === 'string' ? text : error.code
  }
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
