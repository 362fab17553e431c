import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { AreaName } from './areas.ts'

/** The texts of one area: `const t = useTexts('sidebar')`, `t('newChannel')`. Keys are checked by the compiler. */
export function useTexts<Area extends AreaName>(area: Area): TFunction<Area> {
  return useTranslation(area).t as TFunction<Area>
}

type ErrorLike = {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** Words for a stable code: `errors.json` first, then the other areas the code may name, then a plain sentence. */
export function useErrorText(): (error: ErrorLike) => string {
  const { t, i18n } = useTranslation('errors')
  return (error) => {
    // With a number the text may be one of several forms.
    const count = error.params?.['count']
    const known = i18n.exists(error.code, { ns: 'errors', ...(typeof count === 'number' ? { count } : {}) })
      ? error.code
      : 'unknown'
    const words: unknown = t(known as never, (error.params ?? {}) as never)
    return typeof words === 'string' ? words : error.code
  }
}
