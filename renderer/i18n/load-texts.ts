import type { AppLanguage } from '#shared/domain/settings.ts'
import { assert } from '#shared/lib/app-error.ts'
import type { Texts } from './areas.ts'

/** One lazy file per language. Each language is complete (a test checks it), so there is no fallback. */
const files = import.meta.glob<Record<string, Texts>>('./languages/*.ts', { import: 'texts' })

const pseudo = pseudoOf(window.location.search)

const stretchAll = (areas: Record<string, Texts>): Record<string, Texts> =>
  Object.fromEntries(Object.entries(areas).map(([area, texts]) => [area, stretchedTexts(texts)]))

const loaded = new Map<AppLanguage, Promise<Record<string, Texts>>>()

/** Loads the texts of a language, once; may be called early to run beside other work. */
export function loadTexts(language: AppLanguage): Promise<Record<string, Texts>> {
  const known = loaded.get(language)
  if (known) return known
  const load = files[`./languages/${language}.ts`]
  assert(load !== undefined, `there are texts for ${language}`)
  const started = pseudo === undefined ? load() : load().then(stretchAll)
  loaded.set(language, started)
  started.catch(() => loaded.delete(language))
  return started
}

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
