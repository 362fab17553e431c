import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'

/**
 * The same failure with its plain English words as its message, for the one line an entry prints. No window is open yet
 * that could look the words up by code. Anything else is given back as it is.
 */
export function inPlainWords(error: unknown, resources: string): unknown {
  if (!(error instanceof AppError)) return error
  const words = textOf(error.code, resources)
  if (words === undefined) return error
  return new AppError(error.code, { params: { ...error.params }, detail: words, cause: error })
}

function textOf(code: string, resources: string): string | undefined {
  try {
    const texts: unknown = JSON.parse(readFileSync(join(resources, 'locales', 'en', 'errors.json'), 'utf8'))
    const words: unknown =
      typeof texts === 'object' && texts !== null ? Object.entries(texts).find(([key]) => key === code)?.[1] : undefined
    return typeof words === 'string' && !words.includes('{{') ? words : undefined
  } catch {
    // Without the texts the code itself is printed, which can still be looked up.
    return undefined
  }
}
