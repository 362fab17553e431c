import type { TFunction } from 'i18next'
import type { AreaName } from './areas.ts'
import { i18next } from './i18n.ts'
import { useLanguage } from './use-language.ts'

/** The texts of one area: `const t = useTexts('sidebar')`, `t('newChannel')`. Keys are checked by the compiler. */
export function useTexts<Area extends AreaName>(area: Area): TFunction<Area> {
  return textsOf(useLanguage(), area) as TFunction<Area>
}

const cache = new Map<string, TFunction<AreaName>>()

/** The same function each time, so that it can be a dependency of an effect. */
function textsOf(language: string, area: AreaName): TFunction<AreaName> {
  const key = `${language} ${area}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const texts = i18next.getFixedT(language, area)
  cache.set(key, texts)
  return texts
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
