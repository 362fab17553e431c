import type { Texts } from './texts-by-area.ts'

/**
 * Pseudo-languages for testing the interface: `?lang=qps` in the address of a page shows English longer and accented,
 * `?lang=qps-rtl` also mirrored, as in right-to-left languages. There is no setting for it, and the installed app has no
 * such address.
 */
type Pseudo = 'long' | 'mirrored'

export function pseudoOf(query: string): Pseudo | undefined {
  const preferred = new URLSearchParams(query).get('lang')
  return preferred === 'qps' ? 'long' : preferred === 'qps-rtl' ? 'mirrored' : undefined
}

const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceinosuyzACEINOSUYZ', (letter, index) => [letter, Array.from('áçéíñöšüýžÁÇÉÍÑÖŠÜÝŽ')[index] ?? letter]),
)
/** Translations can be this much longer than English. */
const LONGER = 0.4

/** Placeholders and tags, which stay unchanged. */
const UNCHANGED = /(\{\{[^}]*\}\}|<[^>]*>)/

/** `Search` → `[Šéárçh~~~]`: still readable, and 40 % longer. */
export function stretched(text: string): string {
  const parts = text.split(UNCHANGED)
  const accented = parts.map((part) =>
    UNCHANGED.test(part) ? part : Array.from(part, (letter) => ACCENTS[letter] ?? letter).join(''),
  )
  const letters = parts.filter((part) => !UNCHANGED.test(part)).join('').length
  return `[${accented.join('')}${'~'.repeat(Math.ceil(letters * LONGER))}]`
}

/** Stretches all texts of an area, at any depth. */
export function stretchedTexts(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? stretched(value) : stretchedTexts(value as Texts),
    ]),
  )
}
