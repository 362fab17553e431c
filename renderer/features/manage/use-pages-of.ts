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

/**
 * A list that the server pages by number. Starts anew when `query` changes, and loads again, keeping what is shown, when
 * `version` does.
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
  const [asked, setAsked] = useState(0)
  const latest = useRef({ run: 0, busy: false, load })
  useEffect(() => {
    latest.current.load = load
  }, [load])
  const fetch = useCallback(async (offset: number, of: string): Promise<void> => {
    const { current } = latest
    const run = (current.run += 1)
    current.busy = true
    const loaded = await current.load(offset)
    if (run !== current.run) return
    current.busy = false
    setState((before) => {
      const known = before.of === of ? before.page : undefined
      if (!loaded.ok) return { of, page: known, error: loaded.error }
      const rows = offset === 0 ? loaded.value.rows : [...(known?.rows ?? []), ...loaded.value.rows]
      return { of, page: { rows, more: loaded.value.more } }
    })
  }, [])
  useEffect(() => {
    void fetch(0, query)
  }, [fetch, query, version, asked])
  const page = state.of === query ? state.page : undefined
  const count = page?.rows.length ?? 0
  const more = page?.more ?? false
  const next = useCallback(() => {
    if (more && !latest.current.busy) void fetch(count, query)
  }, [fetch, more, count, query])
  return {
    rows: page?.rows ?? NONE,
    more,
    loading: page === undefined && state.error === undefined,
    error: state.of === query ? state.error : undefined,
    next,
    again: useCallback(() => setAsked((times) => times + 1), []),
  }
}

const NONE: readonly never[] = []
