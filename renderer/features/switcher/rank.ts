import { nameRank, nameWords } from '#shared/rules/search-names.ts'

/** Splitting a name into folded words costs more than comparing it, and names hardly ever change. */
const KEPT = 20_000
type Split = { readonly words: readonly string[]; readonly letters: number }
const kept = new Map<string, Split>()

function split(name: string): Split {
  const known = kept.get(name)
  if (known !== undefined) return known
  if (kept.size >= KEPT) kept.clear()
  const words = nameWords(name)
  const made = { words, letters: lettersOf(words) }
  kept.set(name, made)
  return made
}

/** Which letters there are, as bits: enough to tell most names apart from what was typed. */
function lettersOf(words: readonly string[]): number {
  let bits = 0
  for (const word of words) for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

/** One slip of the finger may stand for a letter that is not in the name; two may not. */
const mayAnswer = (has: number, asked: number): boolean => {
  const missing = asked & ~has
  return (missing & (missing - 1)) === 0
}

/** After every rank of {@link nameRank}: the letters stand in the name in this order, the first where a word begins. */
const SCATTERED = 6

/** How well a name answers what was typed: lower is better, `undefined` is no answer. */
function rankOf(name: string, typed: readonly string[], letters: number): number | undefined {
  const has = split(name)
  if (!mayAnswer(has.letters, letters)) return undefined
  return nameRank(has.words, typed) ?? (isScattered(has.words, typed.join('')) ? SCATTERED : undefined)
}

function isScattered(words: readonly string[], letters: string): boolean {
  if (letters.length < 3) return false
  return words.some((word, at) => {
    if (word[0] !== letters[0]) return false
    const rest = words.slice(at).join('')
    let from = 0
    for (const letter of letters) {
      const found = rest.indexOf(letter, from)
      if (found < 0) return false
      from = found + 1
    }
    return true
  })
}

/** The items that answer, best first; equal ones keep their order. Nothing typed keeps them all. */
export function ranked<Item>(
  items: readonly Item[],
  text: string,
  nameOf: (item: Item) => string,
  limit: number,
): readonly Item[] {
  if (text.trim() === '') return items.slice(0, limit)
  const typed = nameWords(text)
  const letters = lettersOf(typed)
  return items
    .flatMap((item, at) => {
      const points = rankOf(nameOf(item), typed, letters)
      return points === undefined ? [] : [{ item, points, at }]
    })
    .toSorted((a, b) => a.points - b.points || a.at - b.at)
    .slice(0, limit)
    .map(({ item }) => item)
}
