import type { TextRange } from '../../domain/manage/rules.ts'
import { LETTERS } from '../search/search-fold.ts'

/** A word in the form in which words are compared. */
export type ComparedWord = TextRange & { readonly word: string }

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
export function comparedWords(text: string): ComparedWord[] {
  const words: ComparedWord[] = []
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const word = compared(raw)
    if (word !== '') words.push({ word, start: index, end: index + raw.length })
  }
  return words
}

/** A domain name or the last part of an address, compared like a word. */
export const comparedName = (name: string): string => compared(name).replace(/^[.@]+/, '')

/** A host or an e-mail address in a text. */
export type ComparedAddress = TextRange & {
  readonly kind: 'host' | 'email'
  readonly host: string
  readonly user: string
}

const RUN = /[\p{L}\p{N}\p{M}\p{Cf}._%+@-]+/gu
const TOP_LEVEL = /^\p{L}{2,}$/u

/** Hosts and e-mail addresses in a text, found in one pass. */
export function addressesIn(text: string): ComparedAddress[] {
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
