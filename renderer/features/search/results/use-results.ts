import { useEffect, useSyncExternalStore } from 'react'
import { selectAccounts } from '../../../store/accounts.ts'
import { useAppSelector, useConnection, useObject } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import { selectSettings } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import type { SearchState } from '../../../store/window/ui.ts'
import { textOf } from '../question.ts'
import { Everywhere } from './everywhere.ts'
import type { Found } from './results.ts'

const NOT_ASKED: SearchState = { text: '', chips: [], tab: 'messages', nonce: 0 }

const selectSearch = ({ ui }: AppState): SearchState => ui.search ?? NOT_ASKED

export const useSearchState = (): SearchState => useAppSelector(selectSearch)

/** Stored outside the view, so that the lists and their positions are restored on return. */
const RESULTS = perAccount(
  ({ engine }) => {
    const create = (): Everywhere =>
      new Everywhere(
        (input) => engine.search.messages(input),
        (key) =>
          ({ cid: _cid, ...input }) =>
            engine.elsewhere.messages({ ...input, key }),
      )
    return { messages: create(), files: create() }
  },
  ({ messages, files }, accounts) => {
    messages.retain(accounts)
    files.retain(accounts)
  },
)

/** Keys of the other accounts that are searched too, in the order of the rail. */
const selectSearched = (state: AppState): string => {
  const { everywhere, cid } = selectSearch(state)
  const { accounts, shown } = selectAccounts(state)
  if (everywhere !== true || cid !== undefined) return ''
  return accounts.flatMap(({ key }) => (key === shown ? [] : key)).join('\n')
}

const keysOf = (joined: string): readonly string[] => (joined === '' ? [] : joined.split('\n'))

export const useSearchedElsewhere = (): readonly string[] => keysOf(useAppSelector(selectSearched))

/** Changes when an account connects, or is signed in again. */
const selectLines = (state: AppState): string =>
  selectAccounts(state)
    .accounts.map(({ connection }) => connection)
    .join(' ')

/** Messages, or messages with files, that match the current query. */
export function useResults(
  kind: 'messages' | 'files',
  isShown: boolean,
): {
  readonly results: Everywhere
  readonly found: Found
  /** The results are of the current query; those of the server may follow. */
  readonly isAnswered: boolean
} {
  const searchState = useSearchState()
  const { offline } = useConnection()
  const order = useAppSelector((state) => selectSettings(state).searchOrder)
  const searched = useAppSelector(selectSearched)
  const lines = useAppSelector(selectLines)
  const results = useObject(RESULTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const plain = textOf(searchState)
  const text = kind === 'files' && plain.trim() !== '' ? `has:file ${plain}` : plain
  const { cid } = searchState
  useEffect(() => {
    if (isShown) results.ask({ text, cid, order }, keysOf(searched))
  }, [results, isShown, text, cid, order, searched])
  useEffect(() => {
    // Connected again: the server can be searched now.
    if (isShown && !offline && results.found().server === 'unreachable') results.again()
  }, [results, isShown, offline])
  useEffect(() => {
    if (isShown) results.retry(lines)
  }, [results, isShown, lines])
  return { results, found, isAnswered: found.busy !== 'searching' && results.text() === text }
}
