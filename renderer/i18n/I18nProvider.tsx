import type { ReactNode } from 'react'
import { FormatsContext, useFormatsNow } from './format.ts'
import { LanguageContext, useLanguageNow } from './use-texts.ts'

/** The language and its formats for all that is inside; without it they are read once and are not followed. */
export function I18nProvider({ children }: { readonly children: ReactNode }) {
  const language = useLanguageNow()
  return (
    <LanguageContext value={language}>
      <FormatsContext value={useFormatsNow(language)}>{children}</FormatsContext>
    </LanguageContext>
  )
}
