import { useEffect, useRef, useState } from 'react'
import { hitsIn, type Hit } from './find.ts'
import type { PdfDocument } from './port.ts'

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
        const had = hits.length
        hits.push(...hitsIn(page, text, query))
        if (had === 0 && hits.length > 0) show.current(page)
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
