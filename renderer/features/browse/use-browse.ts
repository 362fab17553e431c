import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ChannelCard } from '#shared/domain/channel-details.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useFormats } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection } from '../../store/hooks.ts'
import { channelTitle } from '../sidebar/index.ts'
import { loadHidden, loadPage } from './commands.ts'
import { linesOf, type Line, type Show, type Sort } from './merge.ts'

const PAUSE_MS = 250

export type Browse = {
  readonly lines: readonly Line[]
  readonly busy: boolean
  /** The server's list for this query is loaded. */
  readonly loaded: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
  readonly again: () => void
}

type LoadedPages = { readonly key: string; readonly cards: readonly ChannelCard[]; readonly hasMore: boolean }

/** Local channels at once, then those of the server, page by page. */
export function useBrowse(query: { readonly text: string; readonly sort: Sort; readonly show: Show }): Browse {
  const { text, sort, show } = query
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const formats = useFormats()
  const { offline } = useConnection()
  const local = useAppSelector((state) => state.entities.channels)
  const [loaded, setLoaded] = useState<LoadedPages>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const [round, setRound] = useState(0)
  const key = `${sort} ${text.trim()} ${round}`
  const wanted = useRef(key)
  const loading = useRef(false)
  const load = useCallback(
    async (before: LoadedPages | undefined): Promise<void> => {
      loading.current = true
      setBusy(true)
      const page = await dispatch(loadPage({ text, sort, offset: before?.cards.length ?? 0 }))
      if (wanted.current !== key) return
      loading.current = false
      setBusy(false)
      setError(page.ok ? undefined : page.error)
      if (page.ok) {
        const { channels, hasMore } = page.value
        setLoaded({ key, cards: [...(before?.cards ?? []), ...channels], hasMore })
      }
    },
    [dispatch, text, sort, key],
  )
  useEffect(() => {
    wanted.current = key
    loading.current = false
    if (offline) return undefined
    const timer = setTimeout(() => void load(undefined), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, key, text, offline])
  useEffect(() => {
    if (show === 'hidden' && !offline) void dispatch(loadHidden(undefined))
  }, [dispatch, show, offline])
  const cards = loaded?.cards
  const lines = useMemo(
    () =>
      linesOf(
        Object.values(local),
        cards ?? [],
        { text, sort, show },
        {
          titleOf: (cid) => channelTitle(store.getState(), cid),
          compare: formats.compare,
        },
      ),
    [local, cards, text, sort, show, store, formats],
  )
  return {
    lines,
    busy,
    loaded: loaded?.key === key,
    error,
    more: () => {
      if (!loading.current && loaded?.key === key && loaded.hasMore) void load(loaded)
    },
    again: () => setRound((now) => now + 1),
  }
}
