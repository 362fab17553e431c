import { wordsOf } from './search-fold.ts'

/** Cyrillic letters as people write them in Latin ones: "zhenya" for Женя. */
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

/** The words of a name or of what was typed, folded and in Latin letters. */
export const nameWords = (text: string): readonly string[] => wordsOf(text).map(({ word }) => inLatin(word))

/**
 * How well a name answers what was typed: 0 is best, `undefined` not at all. In order: the whole name, its beginning,
 * beginnings of its words in any order, its initials, a part of it, a beginning with one slip of the finger.
 */
export function nameRank(name: readonly string[], typed: readonly string[]): number | undefined {
  const whole = name.join(' ')
  const asked = typed.join(' ')
  if (asked === '') return undefined
  if (whole === asked) return 0
  if (whole.startsWith(asked)) return 1
  if (typed.every((part) => name.some((word) => word.startsWith(part)))) return 2
  if (typed.length === 1 && asked.length > 1 && initialsOf(name).startsWith(asked)) return 3
  if (asked.length > 1 && whole.includes(asked)) return 4
  if (typed.every((part) => name.some((word) => isNearly(word, part)))) return 5
  return undefined
}

const initialsOf = (name: readonly string[]): string => name.map((word) => word.slice(0, 1)).join('')

/** The beginning of the word differs by one letter: another, one too many, one missing, or two that changed places. */
function isNearly(word: string, part: string): boolean {
  if (part.length < 4) return false
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
