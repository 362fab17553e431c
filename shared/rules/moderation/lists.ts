import type { BlockList, TextRange } from '../../domain/manage/rules.ts'
import { addressesIn, comparedName, comparedWords, type ComparedAddress, type ComparedWord } from './words.ts'

/** What a text is compared by: computed once for all rules. */
export type ReadText = {
  readonly text: string
  readonly words: readonly ComparedWord[]
  readonly addresses: readonly ComparedAddress[]
}

export const readText = (text: string): ReadText => ({ text, words: comparedWords(text), addresses: addressesIn(text) })

/** Finds the parts of a text that match. The number of entries hardly matters: they are looked up, not tried one by one. */
export type Matcher = (text: ReadText) => readonly TextRange[]

/** Entries of a block list as a matcher. */
export function listMatcher({ kind, words }: Pick<BlockList, 'kind' | 'words'>): Matcher {
  if (kind === 'word') return phraseMatcher(words)
  const entries = new Set(words.map((word) => comparedName(word.trim())).filter((entry) => entry !== ''))
  return ({ addresses }) =>
    addresses.filter((address) => address.kind === ADDRESS_OF[kind] && isListed(entries, address))
}

const ADDRESS_OF = { domain: 'host', email: 'email' } as const

/** The address itself, its domain, or a domain that this one belongs to. */
function isListed(entries: ReadonlySet<string>, { host, user }: ComparedAddress): boolean {
  if (user !== '' && entries.has(`${user}@${host}`)) return true
  const labels = host.split('.')
  return labels.some((_, index) => entries.has(labels.slice(index).join('.')))
}

/** Parts of words and what follows them, looked up by their lengths. */
class Parts {
  readonly #next = new Map<string, Place>()
  readonly #lengths = new Set<number>()

  follow(part: string): Place {
    const known = this.#next.get(part) ?? new Place()
    this.#next.set(part, known)
    this.#lengths.add(part.length)
    return known
  }

  /** The places behind the parts that `cut` takes from a word. */
  *matching(cut: (length: number) => Iterable<string>): Generator<Place> {
    for (const length of this.#lengths) {
      for (const part of cut(length)) {
        const next = this.#next.get(part)
        if (next !== undefined) yield next
      }
    }
  }
}

/** Longer words are no words: only their beginning is searched for parts. */
const SEARCHED = 200

/** A place in all phrases at once: those that begin with the same words share it. */
class Place {
  readonly #whole = new Map<string, Place>()
  #starts?: Parts
  #ends?: Parts
  #within?: Parts
  /** A phrase ends here. */
  ends = false

  /** The place behind a word of a phrase; `*` at one of its ends, or both, stands for the rest of the word. */
  follow(word: string, before: boolean, after: boolean): Place {
    if (before && after) return (this.#within ??= new Parts()).follow(word)
    if (before) return (this.#ends ??= new Parts()).follow(word)
    if (after) return (this.#starts ??= new Parts()).follow(word)
    const known = this.#whole.get(word) ?? new Place()
    this.#whole.set(word, known)
    return known
  }

  *matching(word: string): Generator<Place> {
    const whole = this.#whole.get(word)
    if (whole !== undefined) yield whole
    if (this.#starts) yield* this.#starts.matching((length) => [word.slice(0, length)])
    if (this.#ends) yield* this.#ends.matching((length) => (length > word.length ? [] : [word.slice(-length)]))
    if (this.#within) yield* this.#within.matching((length) => partsOf(word.slice(0, SEARCHED), length))
  }
}

function* partsOf(word: string, length: number): Generator<string> {
  for (let at = 0; at + length <= word.length; at += 1) yield word.slice(at, at + length)
}

/** Whole words in sequence, whatever is between them, regardless of case and accents. */
export function phraseMatcher(phrases: readonly string[]): Matcher {
  const start = new Place()
  for (const phrase of phrases) {
    const words = comparedWords(phrase)
    let place = start
    for (const { word, start: from, end } of words) {
      place = place.follow(word, phrase.charAt(from - 1) === '*', phrase.charAt(end) === '*')
    }
    if (words.length > 0) place.ends = true
  }
  return ({ words }) =>
    words.flatMap(({ start: from }, index) => endsFrom(words, index, start).map((end) => ({ start: from, end })))
}

/** Where the phrases end that begin at a word. */
function endsFrom(words: readonly ComparedWord[], index: number, place: Place): number[] {
  const word = words[index]
  if (word === undefined) return []
  return [...place.matching(word.word)].flatMap((next) => [
    ...(next.ends ? [word.end] : []),
    ...endsFrom(words, index + 1, next),
  ])
}
