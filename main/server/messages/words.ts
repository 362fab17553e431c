import { createHash } from 'node:crypto'

/** Letters that Unicode does not decompose. See docs/wire.md 7.18 "diacritics". */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', ё: 'е' }

/** Lower case, without accents. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łđøßæё]/g, (letter) => LETTERS[letter] ?? letter)
}

/** ` anna maria`: each word with a leading space, so that " an" matches words with this prefix. */
export function toWords(text: string): string {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word}`)
    .join('')
}

/**
 * The tokens of a message in the search index: its folded words, its author and its channel, in one column. No word
 * can look like a mark, since words are letters and digits only.
 *
 * Author and channel are in the index because a common word by a rare author would otherwise scan the whole
 * history: the index intersects two lists in steps of the shorter one.
 */
export function indexedWords(text: string, userId: string, cid: string): string {
  const words = toWords(text).trim()
  return words === '' ? '' : `${words} ${authorMark(userId)} ${channelMark(cid)}`
}

export const authorMark = (userId: string): string => `@${short(userId)}`
export const channelMark = (cid: string): string => `#${short(cid)}`

/** Ids may contain any character and be long. A collision only costs time: the search also compares the ids. */
const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12)
