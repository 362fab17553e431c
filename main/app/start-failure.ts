import { AppError } from '#shared/lib/app-error.ts'
import { textAt } from './texts.ts'

/**
 * The same failure with its plain English words as its message, for the one line an entry prints. No window is open yet
 * that could look the words up by code. Anything else is given back as it is.
 */
export function inPlainText(error: unknown, resources: string): unknown {
  if (!(error instanceof AppError)) return error
  const translate = textAt(resources, 'en', 'errors', error.code)
  // Without its words, or with blanks in them, the code itself is printed, which can still be looked up.
  if (translate === undefined || translate.includes('{{')) return error
  return new AppError(error.code, { params: { ...error.params }, detail: translate, cause: error })
}
