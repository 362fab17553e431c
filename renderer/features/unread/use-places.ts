import { useCallback, useEffect, useState } from 'react'
import type { UnreadPlace } from '#shared/domain/unread.ts'
import { useAppDispatch, useAppSelector, useWindow } from '../../store/hooks.ts'
import { markManyRead, undoRead } from '../sidebar/index.ts'
import { loadUnreadPlaces, readThread, unreadThread } from './commands.ts'

/** A row of the list; a place marked read keeps its row, so that nothing moves and it can be undone. */
export type Row = { readonly id: string; readonly place: UnreadPlace; readonly isDone: boolean }

const rowId = ({ cid, parentId }: UnreadPlace): string => (parentId === undefined ? cid : `${cid}/${parentId}`)

type Places = {
  /** Absent until the first response. */
  readonly rows: readonly Row[] | undefined
  readonly done: (row: Row) => Promise<boolean>
  readonly undo: (row: Row) => Promise<boolean>
}

/** Unread places, loaded again when a count changes. They keep the order of the first response; new ones follow. */
export function usePlaces(): Places {
  const dispatch = useAppDispatch()
  const counts = useAppSelector(({ entities, windows }) =>
    (windows.byKey['channels']?.ids ?? []).map((cid) => entities.channels[cid]?.unread ?? 0).join(' '),
  )
  const threads = useAppSelector(({ entities }) => entities.inbox['self']?.unreadThreads ?? 0)
  // Changes when any unread count changes.
  const version = `${threads} of ${counts}`
  const isListed = useWindow('channels') !== undefined
  const [known, setKnown] = useState<ReadonlyMap<string, Row>>()
  useEffect(() => {
    if (!isListed || version === '') return undefined
    let live = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(loadUnreadPlaces(undefined))
      if (live && answer.ok) setKnown((before) => merged(before, answer.value))
    }
    void ask()
    return () => {
      live = false
    }
  }, [dispatch, isListed, version])
  const set = useCallback((row: Row, isDone: boolean) => {
    setKnown((before) => new Map([...(before ?? []), [row.id, { ...row, isDone }]]))
  }, [])
  return {
    rows: known === undefined ? undefined : [...known.values()],
    done: async (row) => {
      const { cid, parentId } = row.place
      set(row, true)
      const { ok } = await (parentId === undefined
        ? dispatch(markManyRead({ cids: [cid] }))
        : dispatch(readThread({ cid, parentId })))
      if (!ok) set(row, false)
      return ok
    },
    undo: async (row) => {
      const { cid, parentId, firstId } = row.place
      const isThread = parentId !== undefined && firstId !== undefined
      const isBack = isThread
        ? (await dispatch(unreadThread({ cid, parentId, messageId: firstId }))).ok
        : await dispatch(undoRead([cid]))
      if (isBack) set(row, false)
      return isBack
    },
  }
}

/** Rows read elsewhere are removed; rows marked read here stay until the list is left. */
function merged(
  before: ReadonlyMap<string, Row> | undefined,
  places: readonly UnreadPlace[],
): ReadonlyMap<string, Row> {
  const now = new Map(places.map((place) => [rowId(place), place]))
  const remaining = [...(before?.values() ?? [])].flatMap((row): Row[] => {
    const place = now.get(row.id)
    if (place !== undefined) return [{ ...row, place, isDone: row.isDone && place.newestAt === row.place.newestAt }]
    return row.isDone ? [row] : []
  })
  const added = places
    .filter((place) => before?.has(rowId(place)) !== true)
    .toSorted((a, b) => Number(b.mentions > 0) - Number(a.mentions > 0) || b.newestAt - a.newestAt)
    .map((place): Row => ({ id: rowId(place), place, isDone: false }))
  return new Map([...remaining, ...added].map((row) => [row.id, row]))
}
