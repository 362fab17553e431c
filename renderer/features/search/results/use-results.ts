import { useEffect, useSyncExternalStore } from 'react'
import { useAppSelector, useConnection, useObject } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import type { SearchState } from '../../../store/window/ui.ts'
import { textOf } from '../question.ts'
import { Results, type Found } from './results.ts'

const NOT_ASKED: SearchState = { text: '', chips: [], tab: 'messages', nonce: 0 }

export const useSearchState = (): SearchState => useAppSelector(({ ui }) => ui.search ?? NOT_ASKED)

/** Stored outside the view, so that the lists and their positions are restored on return. */
const RESULTS = perAccount(({ engine }) => ({ messages: new Results(engine), files: new Results(engine) }))

/** Messages, or messages with files, that match the current query. */
export function useResults(kind: 'messages' | 'files', isShown: boolean): { results: Results; found: Found } {
  const searchState = useSearchState()
  const { offline } = useConnection()
  const results = useObject(RESULTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const plain = textOf(searchState)
  const text = kind === 'files' && plain.trim() !== '' ? `has:file ${plain}` : plain
  const { cid } = searchState
  useEffect(() => {
    if (isShown) results.ask({ text, cid })
  }, [results, isShown, text, cid])
  useEffect(() => {
    // Connected again: the server can be searched now.
    if (isShown && !offline && results.found().server === 'unreachable') results.again()
  }, [results, isShown, offline])
  return { results, found }
}
