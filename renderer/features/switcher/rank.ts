import {
  LEAST_FOR_A_SLIP,
  nameWords,
  NO_RANK,
  rankOfName,
  readName,
  type ReadName,
} from '#shared/rules/search/search-names.ts'

/** Size of the cache of parsed names, which rarely change. */
const CACHE_SIZE = 20_000
type Known = ReadName & { readonly letters: number }
const cache = new Map<string, Known>()

function known(name: string): Known {
  const before = cache.get(name)
  if (before !== undefined) return before
  if (cache.size >= CACHE_SIZE) cache.clear()
  const made = parseName(name)
  cache.set(name, made)
  return made
}

function parseName(text: string): Known {
  const words = nameWords(text)
  return { ...readName(words), letters: lettersOf(words) }
}

/** The letters of the words as a bit set, to exclude most names quickly. */
function lettersOf(words: readonly string[]): number {
  let bits = 0
  for (const word of words) for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

/** The letters are in the name in this order, the first at the start of a word. */
const SCATTERED = NO_RANK
const LEAST_SCATTERED = 3
const RANKS = SCATTERED + 1

/** The rank of a name for the typed text: lower is better; `undefined` if it does not match, or not better than `below`. */
function rankBelow(name: Known, typed: Known, slips: boolean, below: number): number | undefined {
  const missing = typed.letters & ~name.letters
  // One typo may be a letter that is not in the name; two may not.
  if (missing !== 0 && (!slips || (missing & (missing - 1)) !== 0)) return undefined
  const rank = rankOfName(name, typed, Math.min(below, NO_RANK))
  if (rank !== undefined || below <= SCATTERED || missing !== 0) return rank
  return isScattered(name.words, typed.words.join('')) ? SCATTERED : undefined
}

function isScattered(words: readonly string[], letters: string): boolean {
  if (letters.length < LEAST_SCATTERED) return false
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

/**
 * The matching items, best first; equal ones keep their order. An empty text matches all. Once there are enough matches,
 * only better ones are searched.
 */
export function ranked<Item>(
  items: readonly Item[],
  text: string,
  nameOf: (item: Item) => string,
  limit: number,
): readonly Item[] {
  if (text.trim() === '') return items.slice(0, limit)
  const typed = parseName(text)
  if (typed.whole === '') return []
  const slips = typed.words.some((word) => word.length >= LEAST_FOR_A_SLIP)
  const found: Item[][] = Array.from({ length: RANKS }, () => [])
  let below = RANKS
  for (const item of items) {
    const rank = rankBelow(known(nameOf(item)), typed, slips, below)
    if (rank === undefined) continue
    found[rank]?.push(item)
    below = stillWanted(found, limit, below)
    if (below === 0) break
  }
  return found.flat().slice(0, limit)
}

/** Only ranks below the result are still needed to fill the list. */
function stillWanted(found: readonly (readonly unknown[])[], limit: number, below: number): number {
  let count = 0
  for (let rank = 0; rank < below; rank += 1) {
    count += found[rank]?.length ?? 0
    if (count >= limit) return rank
  }
  return below
}

/** Parses names in advance. */
export function parseAhead(names: readonly string[]): void {
  for (const name of names) known(name)
}
