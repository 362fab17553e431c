import { useEffect, useState } from 'react'
import type { NamesFound } from '#shared/domain/search.ts'
import { useEngine } from '../../../store/hooks.ts'

const NOBODY: NamesFound = { people: [], channels: [] }
const TYPING_MS = 150

/** People and channels by name; while another answer is on its way, those of before. */
export function useNamesFound(text: string): NamesFound {
  const engine = useEngine()
  const [found, setFound] = useState(NOBODY)
  useEffect(() => {
    if (text === '') return undefined
    let live = true
    const timer = setTimeout(() => {
      engine.search.names({ text, limit: 50 }).then(
        (answer) => live && setFound(answer),
        // The messages say when the search is out of order.
        () => live && setFound(NOBODY),
      )
    }, TYPING_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, text])
  return text === '' ? NOBODY : found
}
