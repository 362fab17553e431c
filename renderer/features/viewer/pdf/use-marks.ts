import { useEffect } from 'react'
import { rangeOf, type Hit } from './find.ts'

/** Names of the style sheet's `::highlight()`. */
const FOUND = 'parlor-pdf-found'
const CURRENT = 'parlor-pdf-current'

/** Highlights the hits on a rendered page without changing its elements. */
export function useMarks(
  drawn: readonly HTMLElement[] | undefined,
  page: number,
  hits: readonly Hit[],
  current: Hit | undefined,
): void {
  useEffect(() => {
    if (drawn === undefined || typeof Highlight === 'undefined') return undefined
    const undo = hits.flatMap((hit) => {
      const range = hit.page === page ? rangeOf(hit, drawn) : undefined
      if (range === undefined) return []
      const marked = highlight(hit === current ? CURRENT : FOUND)
      marked.add(range)
      return () => marked.delete(range)
    })
    return () => {
      for (const one of undo) one()
    }
  }, [drawn, page, hits, current])
}

function highlight(name: string): Highlight {
  const known = CSS.highlights.get(name)
  if (known !== undefined) return known
  const made = new Highlight()
  CSS.highlights.set(name, made)
  return made
}
