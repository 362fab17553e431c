import { wordsOf } from './search-fold.ts'

/** Transliteration of Cyrillic letters: "zhenya" for Женя. */
const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
}

const inLatin = (word: string): string => word.replaceAll(/[а-я]/g, (letter) => LATIN[letter] ?? letter)

/** The words of a name or of a query, folded and transliterated. */
export const nameWords = (text: string): readonly string[] => wordsOf(text).map(({ word }) => inLatin(word))

/** A name prepared for comparison, once: splitting a text costs more than comparing it. */
export type ReadName = {
  readonly words: readonly string[]
  /** The words joined by single spaces. */
  readonly whole: string
  readonly initials: string
}

export const readName = (words: readonly string[]): ReadName => ({
  words,
  whole: words.join(' '),
  initials: words.map((word) => word.slice(0, 1)).join(''),
})

/** One more than the worst rank of {@link rankOfName}. */
export const NO_RANK = 6

/**
 * How well a name matches a query: 0 is best, `undefined` is no match. In order: the whole name, its prefix, prefixes
 * of its words in any order, its initials, a substring, a prefix with a single typo.
 *
 * @param below only better ranks are wanted; more expensive checks are skipped
 */
export function rankOfName(name: ReadName, typed: ReadName, below = NO_RANK): number | undefined {
  const rank = rankOf(name, typed, below)
  return rank !== undefined && rank < below ? rank : undefined
}

function rankOf({ words, whole, initials }: ReadName, typed: ReadName, below: number): number | undefined {
  const query = typed.whole
  if (query === '') return undefined
  const at = whole.indexOf(query)
  if (at === 0) return whole.length === query.length ? 0 : 1
  if (below <= 2) return undefined
  const isOne = typed.words.length === 1
  // For a single word the index shows whether a word begins there.
  const begins = isOne ? at > 0 && (whole[at - 1] === ' ' || whole.includes(` ${query}`)) : begun(words, typed.words)
  if (begins) return 2
  if (query.length < 2) return undefined
  if (isOne && initials.startsWith(query)) return 3
  if (at > 0) return 4
  return below > 5 && typed.words.every((part) => words.some((word) => isNearly(word, part))) ? 5 : undefined
}

const begun = (words: readonly string[], parts: readonly string[]): boolean =>
  parts.every((part) => words.some((word) => word.startsWith(part)))

/** The same for names that are compared once. */
export const nameRank = (name: readonly string[], typed: readonly string[]): number | undefined =>
  rankOfName(readName(name), readName(typed))

/** Shorter queries are not matched with typos. */
export const LEAST_FOR_A_SLIP = 4

/** The prefix differs by one letter: replaced, added, missing, or two swapped. */
function isNearly(word: string, part: string): boolean {
  if (part.length < LEAST_FOR_A_SLIP) return false
  const at = sharedLength(word, part)
  if (at === 0) return false
  const rest = part.slice(at)
  const after = word.slice(at)
  return (
    after.startsWith(rest.slice(1)) ||
    after.slice(1).startsWith(rest.slice(1)) ||
    after.slice(1).startsWith(rest) ||
    (after.slice(0, 2) === `${rest.slice(1, 2)}${rest.slice(0, 1)}` && after.slice(2).startsWith(rest.slice(2)))
  )
}

function sharedLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
