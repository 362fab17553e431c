import { useMemo } from 'react'
import { useLanguage } from './use-language.ts'

/** `en-GB` as "British English", in the language of the interface. */
export function useLanguageNames(): (code: string) => string {
  const language = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'language' })
    return (code) => names.of(code) ?? code
  }, [language])
}
