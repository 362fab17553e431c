import { fold, foldWithOffsets } from '../../../lib/text/fold.ts'

/** A match: from an offset in one piece of text to an exclusive offset in the same or a later one. */
export type Hit = { readonly page: number; readonly from: Spot; readonly to: Spot }
type Spot = { readonly piece: number; readonly offset: number }

/** Maximum number of hits per page. */
const MOST_ON_A_PAGE = 500

/** Finds a query in a page; ignores case, diacritics and line ends. */
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

/** The range of a hit in the text layer; `undefined` if its pieces differ from the searched ones. */
export function rangeOf(hit: Hit, elements: readonly HTMLElement[]): Range | undefined {
  const [from, to] = [elements[hit.from.piece]?.firstChild, elements[hit.to.piece]?.firstChild]
  if (!(from instanceof Text) || !(to instanceof Text)) return undefined
  const range = document.createRange()
  range.setStart(from, Math.min(hit.from.offset, from.length))
  range.setEnd(to, Math.min(hit.to.offset, to.length))
  return range
}
