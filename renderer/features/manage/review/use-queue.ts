import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReviewAction, ReviewItem } from '#shared/domain/manage/review.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import type { AppDispatch } from '../../../store/store.ts'
import { loadItems, loadQueue } from './commands.ts'
import type { ReviewFilters } from './words.ts'

type Actions = { readonly message: readonly ReviewAction[]; readonly person: readonly ReviewAction[] }

type Loaded = {
  /** Identifies what is loaded. */
  readonly of: string
  readonly rows?: readonly ReviewItem[]
  readonly next?: string
  readonly actions?: Actions
  readonly error?: ErrorBody
}

export type Queue = {
  readonly rows: readonly ReviewItem[]
  readonly actions: Actions
  readonly more: boolean
  readonly loading: boolean
  readonly error?: ErrorBody
  /** Changes when there is another page to load. */
  readonly next: () => void
  readonly again: () => void
}

/** The bridge takes this many ids at once. */
const MOST_ASKED = 100

const NO_ACTIONS: Actions = { message: [], person: [] }
const NONE: readonly ReviewItem[] = []

/**
 * The items of one tab. Loads again when `version` rises: what left the list stays in its place, as it is now, while
 * `keeps` says so (it is open or selected); `wanted` items are shown even if the list does not have them.
 */
export function useQueue(
  decided: boolean,
  filters: ReviewFilters,
  version: number,
  keeps: (id: string) => boolean,
  wanted: readonly string[],
): Queue {
  const dispatch = useAppDispatch()
  const me = useSession().userId
  const of = JSON.stringify([decided, filters])
  const [state, setState] = useState<Loaded>({ of })
  const [asked, setAsked] = useState(0)
  const latest = useRef({ run: 0, busy: false, state, filters, keeps })
  useEffect(() => {
    Object.assign(latest.current, { state, filters, keeps })
  })
  const wantedKey = wanted.join(' ')
  useEffect(() => {
    const { current } = latest
    const run = (current.run += 1)
    current.busy = true
    const load = async (): Promise<void> => {
      const known = current.state.of === of ? current.state : undefined
      const loaded = await fetchFirst(dispatch, {
        decided,
        filters: current.filters,
        known,
        keeps: current.keeps,
        wanted: wantedKey === '' ? [] : wantedKey.split(' '),
      })
      if (run !== current.run) return
      current.busy = false
      setState({ ...loaded, of })
    }
    // Loaded again when these rise.
    if (version >= 0 && asked >= 0) void load()
  }, [dispatch, decided, of, version, asked, wantedKey])
  const here = state.of === of ? state : undefined
  const cursor = here?.next
  const loadNext = useCallback(async (): Promise<void> => {
    const { current } = latest
    if (cursor === undefined || current.busy) return
    const run = (current.run += 1)
    current.busy = true
    const loaded = await dispatch(loadQueue({ decided, cursor, ...current.filters }))
    if (run !== current.run) return
    current.busy = false
    setState((before) => {
      if (before.of !== of) return before
      if (!loaded.ok) return { ...before, error: loaded.error }
      const ids = new Set(before.rows?.map(({ id }) => id))
      const rows = [...(before.rows ?? NONE), ...loaded.value.items.filter(({ id }) => !ids.has(id))]
      return { ...before, rows, next: loaded.value.next }
    })
  }, [dispatch, decided, of, cursor])
  const status = decided ? 'decided' : 'waiting'
  const all = here?.rows
  // `keeps` changes with what is open and selected: what has left the list goes once it is neither.
  const rows = useMemo(
    () =>
      (all ?? NONE).filter(
        (row) => row.status === status || (row.decidedById !== me && keeps(row.id)) || wanted.includes(row.id),
      ),
    [all, status, me, keeps, wanted],
  )
  return {
    rows,
    actions: here?.actions ?? NO_ACTIONS,
    more: cursor !== undefined,
    loading: all === undefined && here?.error === undefined,
    error: here?.error,
    next: useCallback(() => void loadNext(), [loadNext]),
    again: useCallback(() => setAsked((times) => times + 1), []),
  }
}

type Wanted = {
  readonly decided: boolean
  readonly filters: ReviewFilters
  readonly known: Loaded | undefined
  readonly keeps: (id: string) => boolean
  readonly wanted: readonly string[]
}

/** The first page, joined with what was loaded behind it and with what stays although it left the list. */
async function fetchFirst(
  dispatch: AppDispatch,
  { decided, filters, known, keeps, wanted }: Wanted,
): Promise<Omit<Loaded, 'of'>> {
  const loaded = await dispatch(loadQueue({ decided, ...filters }))
  if (!loaded.ok) return { rows: known?.rows, next: known?.next, actions: known?.actions, error: loaded.error }
  const { items, next, actions } = loaded.value
  const order = orderOf(decided)
  const last = items.at(-1)
  const fresh = new Set(items.map(({ id }) => id))
  const others = (known?.rows ?? NONE).filter(({ id }) => !fresh.has(id))
  const isBehind = (row: ReviewItem): boolean => next !== undefined && last !== undefined && order(row) <= order(last)
  const tail = others.filter(isBehind)
  const left = others.filter((row) => !isBehind(row) && keeps(row.id)).map(({ id }) => id)
  const ids = [...new Set([...left, ...wanted.filter((id) => !fresh.has(id))])].slice(0, MOST_ASKED)
  const kept = ids.length === 0 ? undefined : await dispatch(loadItems({ ids }))
  const rows = new Map([...tail, ...(kept?.ok ? kept.value : NONE), ...items].map((row) => [row.id, row]))
  return {
    rows: [...rows.values()].toSorted((a, b) => order(b) - order(a)),
    next: tail.length > 0 ? known?.next : next,
    actions,
  }
}

const orderOf =
  (decided: boolean) =>
  ({ createdAt, updatedAt }: ReviewItem): number =>
    decided ? updatedAt : createdAt
