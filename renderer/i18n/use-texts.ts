import type { TFunction } from 'i18next'
import type { AreaName } from './areas.ts'
import { languageNow, subscribeLanguage, textsOf } from './i18n.ts'
import { createContext, useContext, useSyncExternalStore, useMemo, useState } from 'react'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'

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
