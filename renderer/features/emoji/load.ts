import { fetchCode } from '../../lib/page/part.tsx'
import { createBook, type Emoji, type RawEmoji, type RawShortcodes } from './book.ts'

const books = new Map<string, Promise<readonly Emoji[]>>()

/** The emoji list with labels of a language. Half a megabyte: loaded from the bundle on first use, then cached. */
export function loadEmoji(language: string): Promise<readonly Emoji[]> {
  const known = books.get(language)
  if (known) return known
  const book = fetchCode(() => readBook(language))
  books.set(language, book)
  book.catch(() => books.delete(language))
  return book
}

async function readBook(language: string): Promise<readonly Emoji[]> {
  const [english, shortcodes, local] = await Promise.all([
    import('emojibase-data/en/compact.json'),
    import('emojibase-data/en/shortcodes/emojibase.json'),
    readLabels(language),
  ])
  return createBook(tableOf(english), namesTable(shortcodes), local)
}

async function readLabels(language: string): Promise<readonly RawEmoji[]> {
  if (language === 'pl') return tableOf(await import('emojibase-data/pl/compact.json'))
  if (language === 'ru') return tableOf(await import('emojibase-data/ru/compact.json'))
  return []
}

const tableOf = (module: { readonly default: unknown }): readonly RawEmoji[] => module.default as readonly RawEmoji[]
const namesTable = (module: { readonly default: unknown }): RawShortcodes => module.default as RawShortcodes
