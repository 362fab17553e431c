import type { TFunction } from 'i18next'
import type { AreaName } from './areas.ts'
import { i18next } from './i18n.ts'
import { useLanguage } from './use-language.ts'

/** The texts of one area: `const t = useTexts('sidebar')`, `t('newChannel')`. Keys are checked by the compiler. */
export function useTexts<Area extends AreaName>(area: Area): TFunction<Area> {
  return textsOf(useLanguage(), area) as TFunction<Area>
}

const kept = new Map<string, TFunction<AreaName>>()

/** The same function each time, so that it may stand among the dependencies of an effect. */
function textsOf(language: string, area: AreaName): TFunction<AreaName> {
  const key = `${language} ${area}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const texts = i18next.getFixedT(language, area)
  kept.set(key, texts)
  return texts
}

type ErrorLike = {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** Words for a stable code: `errors.json` first, then the other areas the code may name, then a plain sentence. */
export function useErrorText(): (error: ErrorLike) => string {
  const t = useTexts('errors')
  return (error) => {
    // With a number the text may be one of several forms.
    const count = error.params?.['count']
    const known = i18next.exists(error.code, { ns: 'errors', ...(typeof count === 'number' ? { count } : {}) })
      ? error.code
      : 'unknown'
    const text: unknown = t(known as never, (error.params ?? {}) as never)
    return typeof text === 'string' ? text : error.code
  }
}
