import type { BlockList, TextRange } from '../../domain/manage/rules.ts'
import { LETTERS } from '../search/search-fold.ts'

/** A word in the form in which words are compared. */
type ComparedWord = TextRange & { readonly word: string }

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/**
 * A character of a script without spaces, which is a word of its own so that any part of a text matches, or a run of
 * letters, digits and marks. Invisible characters inside a word do not split it.
 */
const WORD = new RegExp(String.raw`[${UNSPACED}]\p{M}*|[[\p{L}\p{N}\p{M}\p{Cf}]--[${UNSPACED}]]+`, 'gv')

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Lower case, without accents and invisible characters, in compatible forms: `Łódź` and `lodz` are equal. */
const compared = (text: string): string =>
  /^[a-z0-9]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[\p{M}\p{Cf}]/gu, '')
        .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter)

/** The words of a text with their places. */
function comparedWords(text: string): ComparedWord[] {
  const words: ComparedWord[] = []
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const word = compared(raw)
    if (word !== '') words.push({ word, start: index, end: index + raw.length })
  }
  return words
}

/** A domain name or the last part of an address, compared like a word. */
const comparedName = (name: string): string => compared(name).replace(/^[.@]+/, '')

/** A host or an e-mail address in a text. */
type ComparedAddress = TextRange & {
  readonly kind: 'host' | 'email'
  readonly host: string
  readonly user: string
}

const RUN = /[\p{L}\p{N}\p{M}\p{Cf}._%+@-]+/gu
const TOP_LEVEL = /^\p{L}{2,}$/u

/** Hosts and e-mail addresses in a text, found in one pass. */
function addressesIn(text: string): ComparedAddress[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: raw, index }): ComparedAddress[] => {
    const run = raw.slice(0, endOf(raw))
    if (!run.includes('.')) return []
    const at = run.lastIndexOf('@')
    const host = compared(run.slice(at + 1))
    const user = at < 1 ? '' : compared(run.slice(0, at))
    const dot = host.lastIndexOf('.')
    const isHost = dot > 0 && (TOP_LEVEL.test(host.slice(dot + 1)) || host.slice(dot + 1).startsWith('xn--'))
    if (!isHost) return []
    // What stands before @ in a link is no mailbox: the link leads to the host.
    const isEmail = user !== '' && text.slice(index - 2, index) !== '//'
    return [{ kind: isEmail ? 'email' : 'host', host, user, start: index, end: index + run.length }]
  })
}

/** Where a run ends without the full stop of its sentence. */
function endOf(run: string): number {
  let end = run.length
  while (end > 0 && '.-_%+@'.includes(run.charAt(end - 1))) end -= 1
  return end
}

const DIGITS_FROM = 9
const DIGITS_TO = 15
const NUMBER = /[+(]?\d[\d ().\u00A0\u2011-]*/gu

/** Telephone numbers: 9 to 15 digits with the usual separators. */
export function phonesIn(text: string): TextRange[] {
  return [...text.matchAll(NUMBER)].flatMap(({ 0: raw, index }) => {
    const digits = raw.replaceAll(/\D/g, '').length
    if (digits < DIGITS_FROM || digits > DIGITS_TO) return []
    return [{ start: index, end: index + raw.replace(/\D+$/, '').length }]
  })
}

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
