import { useEffect, useState } from 'react'
import type { NamesFound } from '#shared/domain/search.ts'
import { useEngine } from '../../../store/hooks.ts'

const NO_NAMES: NamesFound = { people: [], channels: [] }
const TYPING_MS = 150

/** People and channels by name; the previous ones while a search is in flight. */
export function useNamesFound(text: string): NamesFound {
  const engine = useEngine()
  const [found, setFound] = useState(NO_NAMES)
  useEffect(() => {
    if (text === '') return undefined
    let live = true
    const timer = setTimeout(() => {
      engine.search.names({ text, limit: 50 }).then(
        (answer) => live && setFound(answer),
        // The message list reports a failed search.
        () => live && setFound(NO_NAMES),
      )
    }, TYPING_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, text])
  return text === '' ? NO_NAMES : found
}
