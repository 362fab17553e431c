import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'

type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean }

export type PagesOf<Row> = Page<Row> & {
  /** The first page is being loaded: nothing is shown yet. */
  readonly loading: boolean
  readonly error?: ErrorBody
  /** Loads the next page, if there is one and none is being loaded. */
  readonly next: () => void
  /** Loads everything shown again. */
  readonly again: () => void
}

const NONE: readonly never[] = []

/**
 * A list that the server pages by number. Starts anew when `query` changes, and loads everything shown again, keeping it
 * meanwhile, when `version` does.
 *
 * @param load must not change between renders
 * @param query identifies what is loaded
 */
export function usePagesOf<Row>(
  load: (offset: number) => Promise<Result<Page<Row>, ErrorBody>>,
  query: string,
  version: number,
): PagesOf<Row> {
  const [state, setState] = useState<{ of: string; page?: Page<Row>; error?: ErrorBody }>({ of: query })
  const [again, setAgain] = useState(0)
  const latest = useRef({ run: 0, busy: false, load })
  useEffect(() => {
    latest.current.load = load
  }, [load])
  const ask = useCallback(async (offset: number, of: string, upTo = 0): Promise<void> => {
    const { current } = latest
    const run = (current.run += 1)
    current.busy = true
    let loaded = await current.load(offset)
    let rows: readonly Row[] = loaded.ok ? loaded.value.rows : NONE
    while (loaded.ok && loaded.value.more && rows.length < upTo && run === current.run) {
      loaded = await current.load(rows.length)
      if (loaded.ok) rows = [...rows, ...loaded.value.rows]
    }
    if (run !== current.run) return
    current.busy = false
    setState((before) => {
      const known = before.of === of ? before.page : undefined
      if (!loaded.ok) return { of, page: known, error: loaded.error }
      return { of, page: { rows: offset === 0 ? rows : [...(known?.rows ?? []), ...rows], more: loaded.value.more } }
    })
  }, [])
  const shown = useRef({ of: query, count: 0 })
  useEffect(() => {
    // Loaded again when these rise.
    if (version >= 0 && again >= 0) void ask(0, query, shown.current.of === query ? shown.current.count : 0)
  }, [ask, query, version, again])
  const here = state.of === query ? state : undefined
  const page = here?.page
  const count = page?.rows.length ?? 0
  const more = page?.more ?? false
  useEffect(() => {
    shown.current = { of: query, count }
  }, [query, count])
  const next = useCallback(() => {
    if (more && !latest.current.busy) void ask(count, query)
  }, [ask, more, count, query])
  return {
    rows: page?.rows ?? NONE,
    more,
    loading: page === undefined && here?.error === undefined,
    error: here?.error,
    next,
    again: useCallback(() => setAgain((times) => times + 1), []),
  }
}
