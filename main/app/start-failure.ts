import { AppError } from '#shared/lib/app-error.ts'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { textAt } from './texts.ts'

/**
 * The same error with its English text as message, for the line that an entry prints: no window is open yet that could look
 * up the text by code. Other errors are returned unchanged.
 */
export function inPlainText(error: unknown, resources: string): unknown {
  if (!(error instanceof AppError)) return error
  const translate = textAt(resources, 'en', 'errors', error.code)
  // Without a text, or with unfilled placeholders, the code is printed, which can still be looked up.
  if (translate === undefined || translate.includes('{{')) return error
  return new AppError(error.code, { params: { ...error.params }, detail: translate, cause: error })
}

/** The same for a window of the system, in its language. */
export function startFailureTexts(
  error: unknown,
  resources: string,
  language: AppLanguage,
): { readonly title: string; readonly detail: string; readonly quit: string } {
  const text = (key: 'title' | 'quit'): string => textAt(resources, language, 'desktop', `start.${key}`) ?? key
  const known = error instanceof AppError ? textAt(resources, language, 'errors', error.code) : undefined
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return {
    title: text('title'),
    detail: known === undefined || known.includes('{{') ? line : known,
    quit: text('quit'),
  }
}
