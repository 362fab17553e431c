import type { Texts } from './texts-by-area.ts'

/**
 * For looking at the interface before it is translated: `?lang=qps` in the address of a page shows English longer and
 * accented, `?lang=qps-rtl` also turned round, as in languages that are written from the right. No setting offers it, and
 * an installed app has no such address.
 */
type Pseudo = 'long' | 'mirrored'

export function pseudoOf(query: string): Pseudo | undefined {
  const preferred = new URLSearchParams(query).get('lang')
  return preferred === 'qps' ? 'long' : preferred === 'qps-rtl' ? 'mirrored' : undefined
}

const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceinosuyzACEINOSUYZ', (letter, index) => [letter, Array.from('áçéíñöšüýžÁÇÉÍÑÖŠÜÝŽ')[index] ?? letter]),
)
/** How much longer than English a text may become in another language. */
const LONGER = 0.4

/** What stands between these is filled in later, or is a mark: it stays as it is. */
const KEPT = /(\{\{[^}]*\}\}|<[^>]*>)/

/** `Search` → `[Šéárçh~~~]`: every letter still to be read, and four tenths more of it. */
export function stretched(text: string): string {
  const parts = text.split(KEPT)
  const accented = parts.map((part) =>
    KEPT.test(part) ? part : Array.from(part, (letter) => ACCENTS[letter] ?? letter).join(''),
  )
  const letters = parts.filter((part) => !KEPT.test(part)).join('').length
  return `[${accented.join('')}${'~'.repeat(Math.ceil(letters * LONGER))}]`
}

/** All texts of an area, however they are nested. */
export function stretchedTexts(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? stretched(value) : stretchedTexts(value as Texts),
    ]),
  )
}
