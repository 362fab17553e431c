import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppSelector, useAppStore } from '../../store/hooks.ts'
import { placeLeft } from '../../store/ui.ts'
import type { ListView } from './list/list-view.ts'
import { messageIdsOf, type Row } from './model/rows.ts'
import { keepPlace, recallPlace, type Kept } from './places.ts'

type Options = {
  /** Names the list: its window. */
  readonly list: string
  readonly rows: readonly Row[]
  readonly view: ListView
  readonly onAround: (messageId: MessageId) => void
  readonly onLatest: () => void
}

/**
 * Keeps where the list stands at every stop of the history, and goes there again on the way back and forward: also to a
 * place in the same list that one jumped away from. Source: product paper X3.
 *
 * @returns what a jump inside the list calls before it moves
 */
export function usePlaceKeeper({ list, rows, view, onAround, onLatest }: Options): () => void {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const placeId = useAppSelector((state) => state.ui.placeId)
  const latest = useRef(rows)
  const leftBehind = useRef<number>(undefined)
  const restoredAt = useRef<number>(undefined)
  const begunAt = useRef(placeId)
  const askedAt = useRef<number>(undefined)
  useLayoutEffect(() => {
    latest.current = rows
  })
  useLayoutEffect(
    () => () => {
      // A jump has kept it already, before it moved.
      if (leftBehind.current !== placeId) keepPlace(placeId, list, standing(view, latest.current))
    },
    [placeId, list, view],
  )
  const kept = useMemo(() => recallPlace(placeId, list), [placeId, list])
  useEffect(() => {
    if (kept === undefined || rows.length === 0 || restoredAt.current === placeId) return
    const { position, near } = kept
    if ('fromEnd' in position) {
      restoredAt.current = placeId
      // A list that has just come opens by its own rule: at the unread line, or at the end.
      if (begunAt.current !== placeId) onLatest()
      return
    }
    if (rows.some((row) => row.key === position.key)) {
      restoredAt.current = placeId
      view.restore(position)
    } else if (near !== undefined && rows.some((row) => row.key === near)) {
      restoredAt.current = placeId
      view.restore({ key: near, offset: position.offset })
    } else if (near !== undefined && askedAt.current !== placeId) {
      askedAt.current = placeId
      onAround(near)
    }
  }, [kept, placeId, rows, view, onAround, onLatest])
  return useCallback(() => {
    const here = store.getState().ui.placeId
    keepPlace(here, list, standing(view, latest.current))
    leftBehind.current = here
    dispatch(placeLeft())
  }, [store, dispatch, list, view])
}

function standing(view: ListView, rows: readonly Row[]): Kept {
  const position = view.where()
  if ('fromEnd' in position) return { position }
  const at = rows.findIndex((row) => row.key === position.key)
  return { position, near: at < 0 ? undefined : rows.slice(at).flatMap(messageIdsOf)[0] }
}
