import { fold, foldWithOffsets } from '../../../lib/text/fold.ts'

/** Where words were found: from a letter of one drawn piece to before a letter of the same or a later one. */
export type Hit = { readonly page: number; readonly from: Spot; readonly to: Spot }
type Spot = { readonly piece: number; readonly offset: number }

/** A page of a long document holds few of a word; no one steps through more. */
const MOST_ON_A_PAGE = 500

/** Case, diacritics and the ends of lines make no difference. */
export function hitsIn(page: number, pieces: readonly string[], query: string): readonly Hit[] {
  const wanted = spaced(fold(query)).trim()
  if (wanted === '') return []
  const { text, at } = foldWithOffsets(pieces.join(''))
  const plain = text.replaceAll(/\s/g, ' ')
  const hits: Hit[] = []
  for (let start = plain.indexOf(wanted); start !== -1; start = plain.indexOf(wanted, start + wanted.length)) {
    const last = at[start + wanted.length - 1] ?? 0
    hits.push({ page, from: spotOf(pieces, at[start] ?? 0), to: after(spotOf(pieces, last)) })
    if (hits.length === MOST_ON_A_PAGE) break
  }
  return hits
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ')
const after = ({ piece, offset }: Spot): Spot => ({ piece, offset: offset + 1 })

function spotOf(pieces: readonly string[], offset: number): Spot {
  let left = offset
  for (const [piece, { length }] of pieces.entries()) {
    if (left < length) return { piece, offset: left }
    left -= length
  }
  return { piece: Math.max(0, pieces.length - 1), offset: pieces.at(-1)?.length ?? 0 }
}

/** The drawn letters of a hit; `undefined` where the page draws other pieces than it was searched by. */
export function rangeOf(hit: Hit, elements: readonly HTMLElement[]): Range | undefined {
  const [from, to] = [elements[hit.from.piece]?.firstChild, elements[hit.to.piece]?.firstChild]
  if (!(from instanceof Text) || !(to instanceof Text)) return undefined
  const range = document.createRange()
  range.setStart(from, Math.min(hit.from.offset, from.length))
  range.setEnd(to, Math.min(hit.to.offset, to.length))
  return range
}
