import { useEffect, useRef, useState } from 'react'
import { fold, foldWithOffsets } from '../../../lib/text/fold.ts'
import type { PdfDocument } from './pdf-document.ts'

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

/** The search starts after a pause in typing. */
const PAUSE_MS = 200
/** Maximum number of hits. */
const MOST = 5_000

export type Find = {
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
  /** Number of the current hit from 1; 0 without hits. */
  readonly at: number
  readonly busy: boolean
  readonly step: (by: 1 | -1) => void
}

type Found = { readonly query: string; readonly hits: readonly Hit[] }

/** Searches the whole document page by page; the text of each page is extracted once. */
export function useFind(pdf: PdfDocument, goTo: (page: number) => void): Find {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found>({ query: '', hits: [] })
  const [at, setAt] = useState(0)
  const pages = useRef(new Map<number, readonly string[]>())
  const show = useRef(goTo)
  useEffect(() => {
    show.current = goTo
  })
  useEffect(() => {
    let live = true
    const search = async (): Promise<void> => {
      const hits: Hit[] = []
      for (let page = 1; page <= pdf.pages && hits.length < MOST && query.trim() !== ''; page += 1) {
        const text = pages.current.get(page) ?? (await pdf.text(page).catch(() => []))
        if (!live) return
        pages.current.set(page, text)
        const before = hits.length
        hits.push(...hitsIn(page, text, query))
        if (before === 0 && hits.length > 0) show.current(page)
      }
      setAt(0)
      setFound({ query, hits })
    }
    const timer = setTimeout(() => void search(), PAUSE_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [pdf, query])
  const hits = found.query === query ? found.hits : NONE
  const step = (by: 1 | -1): void => {
    if (hits.length === 0) return
    const next = (at + by + hits.length) % hits.length
    setAt(next)
    const page = hits[next]?.page
    if (page !== undefined && page !== hits[at]?.page) goTo(page)
  }
  return {
    query,
    setQuery,
    hits,
    current: hits[at],
    at: hits.length === 0 ? 0 : at + 1,
    busy: found.query !== query,
    step,
  }
}

const NONE: readonly Hit[] = []
