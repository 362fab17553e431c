import { createHash } from 'node:crypto'
import { toWords } from './word-folding.ts'

/**
 * What the search index holds of a message: its folded words, who wrote it and where, as tokens of one column. No word
 * can look like a mark, since words are letters and digits only.
 *
 * Author and channel are in the index because a common word with a rare author would otherwise be walked through all of
 * history: two lists of the index meet in steps of the shorter one.
 */
export function indexedWords(text: string, userId: string, cid: string): string {
  const words = toWords(text).trim()
  return words === '' ? '' : `${words} ${authorMark(userId)} ${channelMark(cid)}`
}

export const authorMark = (userId: string): string => `@${short(userId)}`
export const channelMark = (cid: string): string => `#${short(cid)}`

/** Ids hold anything and may be long. Two that came out alike would cost time only: anyone who searches compares the ids. */
const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12)
