import { useEffect, useSyncExternalStore } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import { useAppSelector, useConnection, useEngine, useSession } from '../../../store/hooks.ts'
import type { SearchState } from '../../../store/window/ui.ts'
import { textOf } from '../question.ts'
import { Results, type Found } from './results.ts'

const NOT_ASKED: SearchState = { text: '', chips: [], tab: 'messages', nonce: 0 }

export const useSearchState = (): SearchState => useAppSelector(({ ui }) => ui.search ?? NOT_ASKED)

/** The lists of this window by kind, stored outside the view. */
const lists = new WeakMap<EngineClient, { readonly messages: Results; readonly files: Results }>()

function resultsOf(engine: EngineClient, kind: 'messages' | 'files'): Results {
  const known = lists.get(engine)
  if (known !== undefined) return known[kind]
  const made = { messages: new Results(engine), files: new Results(engine) }
  lists.set(engine, made)
  return made[kind]
}

/** Messages, or messages with files, that match the current query. */
export function useResults(kind: 'messages' | 'files', isShown: boolean): { results: Results; found: Found } {
  const engine = useEngine()
  const searchState = useSearchState()
  const { userId, workspace } = useSession()
  const { offline } = useConnection()
  const results = resultsOf(engine, kind)
  const found = useSyncExternalStore(results.subscribe, results.found)
  const plain = textOf(searchState)
  const text = kind === 'files' && plain.trim() !== '' ? `has:file ${plain}` : plain
  const who = `${userId ?? ''} ${workspace?.url ?? ''}`
  const { cid } = searchState
  useEffect(() => {
    if (isShown) results.ask({ text, who, ...(cid === undefined ? {} : { cid }) })
  }, [results, isShown, text, who, cid])
  useEffect(() => {
    // Connected again: the server can be searched now.
    if (isShown && !offline && results.found().server === 'unreachable') results.again()
  }, [results, isShown, offline])
  return { results, found }
}
