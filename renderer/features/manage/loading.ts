import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorBody, ok, type Result } from '#shared/lib/app-error.ts'
import type { Command } from '../../store/command.ts'
import { useAppDispatch } from '../../store/hooks.ts'

type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean }

export type PagesOf<Row> = Page<Row> & {
  /** The first page is being loaded: nothing is shown yet. */
  readonly loading: boolean
  readonly error?: ErrorBody
  /** What is shown is being loaded again. */
  readonly asking: boolean
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
 * @param atLeast so many rows are loaded at first, if there are
 */
export function usePagesOf<Row>(
  load: (offset: number) => Promise<Result<Page<Row>, ErrorBody>>,
  query: string,
  version: number,
  atLeast = 0,
): PagesOf<Row> {
  const [times, setTimes] = useState(0)
  const round = `${version} ${times}`
  const [state, setState] = useState<{ of: string; round?: string; page?: Page<Row>; error?: ErrorBody }>({ of: query })
  const latest = useRef({ run: 0, busy: false, load })
  useEffect(() => {
    latest.current.load = load
  }, [load])
  const ask = useCallback(async (offset: number, of: string, inRound: string, upTo = 0): Promise<void> => {
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
      const answered = { of, round: inRound }
      if (!loaded.ok) return { ...answered, page: known, error: loaded.error }
      return {
        ...answered,
        page: { rows: offset === 0 ? rows : [...(known?.rows ?? []), ...rows], more: loaded.value.more },
      }
    })
  }, [])
  const shown = useRef({ of: query, count: atLeast })
  useEffect(() => {
    void ask(0, query, round, shown.current.of === query ? shown.current.count : 0)
  }, [ask, query, round])
  const here = state.of === query ? state : undefined
  const page = here?.page
  const count = page?.rows.length ?? 0
  const more = page?.more ?? false
  useEffect(() => {
    shown.current = { of: query, count }
  }, [query, count])
  const next = useCallback(() => {
    if (more && !latest.current.busy) void ask(count, query, round)
  }, [ask, more, count, query, round])
  return {
    rows: page?.rows ?? NONE,
    more,
    loading: page === undefined && here?.error === undefined,
    error: here?.error,
    asking: here?.round !== round,
    next,
    again: useCallback(() => setTimes((before) => before + 1), []),
  }
}

/** Pages of a server that says where the next one begins instead of counting. One per query: places differ by query. */
export function byCursor<Row>(
  load: (
    from: string | undefined,
  ) => Promise<Result<{ readonly rows: readonly Row[]; readonly next?: string }, ErrorBody>>,
): (offset: number) => Promise<Result<Page<Row>, ErrorBody>> {
  const places = new Map<number, string>()
  return async (offset) => {
    const loaded = await load(offset === 0 ? undefined : places.get(offset))
    if (!loaded.ok) return loaded
    const { rows, next } = loaded.value
    if (next !== undefined) places.set(offset + rows.length, next)
    return ok({ rows, more: next !== undefined })
  }
}

type Loaded<Value> = {
  readonly value?: Value
  readonly error?: ErrorBody
  /** There is neither a value nor an error yet. */
  readonly loading: boolean
  /** The latest question is not answered yet; what is shown is the answer to an earlier one. */
  readonly asking: boolean
  readonly again: () => void
}

/** For what belongs to the open item of a list: someone who only passes by with the keys needs nothing loaded. */
export const BROWSING_PAUSE_MS = 120

/**
 * The answer to a command, asked for again whenever `version` changes; the value stays meanwhile, and when that fails.
 * The answer to another command is never shown.
 *
 * @param load must not change between renders; `undefined`: there is nothing to ask for
 * @param pauseMs how long `load` must have been the same before it is asked for
 */
export function useLoaded<Value>(
  load: Command<Value> | undefined,
  version: number | string = 0,
  pauseMs = 0,
): Loaded<Value> {
  const dispatch = useAppDispatch()
  const [times, setTimes] = useState(0)
  const round = `${version} ${times}`
  const [state, setState] = useState<{ of?: Command<Value>; round?: string; value?: Value; error?: ErrorBody }>({})
  useEffect(() => {
    if (load === undefined) return undefined
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(load)
      if (!wanted) return
      const answered = { of: load, round }
      setState((before) =>
        loaded.ok
          ? { ...answered, value: loaded.value }
          : { ...answered, value: before.of === load ? before.value : undefined, error: loaded.error },
      )
    }
    if (pauseMs === 0) void ask()
    const timer = pauseMs === 0 ? undefined : setTimeout(() => void ask(), pauseMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [dispatch, load, round, pauseMs])
  const here = load !== undefined && state.of === load ? state : undefined
  return {
    value: here?.value,
    error: here?.error,
    loading: load !== undefined && here === undefined,
    asking: load !== undefined && here?.round !== round,
    again: useCallback(() => setTimes((before) => before + 1), []),
  }
}
