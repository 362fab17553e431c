import { loadCode } from '../../lib/page/part.tsx'
import { createEmojiList, type Emoji, type RawEmoji, type RawShortcodes } from './emoji-list.ts'

const lists = new Map<string, Promise<readonly Emoji[]>>()

/** The emoji list with labels of a language. Half a megabyte: loaded from the bundle on first use, then cached. */
export function loadEmoji(language: string): Promise<readonly Emoji[]> {
  const known = lists.get(language)
  if (known) return known
  const list = loadCode(() => readList(language))
  lists.set(language, list)
  list.catch(() => lists.delete(language))
  return list
}

async function readList(language: string): Promise<readonly Emoji[]> {
  const [english, shortcodes, local] = await Promise.all([
    import('emojibase-data/en/compact.json'),
    import('emojibase-data/en/shortcodes/emojibase.json'),
    readLabels(language),
  ])
  return createEmojiList(tableOf(english), namesTable(shortcodes), local)
}

async function readLabels(language: string): Promise<readonly RawEmoji[]> {
  if (language === 'pl') return tableOf(await import('emojibase-data/pl/compact.json'))
  if (language === 'ru') return tableOf(await import('emojibase-data/ru/compact.json'))
  return []
}

const tableOf = (module: { readonly default: unknown }): readonly RawEmoji[] => module.default as readonly RawEmoji[]
const namesTable = (module: { readonly default: unknown }): RawShortcodes => module.default as RawShortcodes
