import { useEffect, useLayoutEffect } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppStore, useObject } from '../../../store/hooks.ts'
import { saveLeftPlace } from './left-places.ts'
import type { ListNavigation } from '../list/list-navigation.ts'
import type { ListView } from '../list/list-view.ts'
import { PLACES, type ListPosition } from './places.ts'

/** The position is saved after this time without scrolling, so at most this much is lost in a crash. */
const REST_MS = 1_000

type Options = {
  readonly who: string
  readonly list: string
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly navigation: ListNavigation
  readonly currentPosition: () => ListPosition
}

/** Saves where a channel was left: in memory for Back, on disk for the next start. */
export function useLeftPlace({ who, list, cid, remembers, view, navigation, currentPosition }: Options): void {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const places = useObject(PLACES)
  useLayoutEffect(
    () => () => {
      if (!remembers || !isThere(navigation, view)) return
      const listPosition = currentPosition()
      const newestAt = store.getState().entities.channels[cid]?.lastMessageAt ?? 0
      places.leave(list, { listPosition, newestAt, leftAt: Date.now() })
      void dispatch(saveLeftPlace({ who, cid, listPosition, now: Date.now() }))
    },
    [store, places, dispatch, remembers, who, list, cid, currentPosition, navigation, view],
  )
  useEffect(() => {
    if (!remembers) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = (): void => {
      clearTimeout(timer)
      if (isThere(navigation, view))
        void dispatch(saveLeftPlace({ who, cid, listPosition: currentPosition(), now: Date.now() }))
    }
    const rested = (): void => {
      clearTimeout(timer)
      timer = setTimeout(save, REST_MS)
    }
    const letGo = view.followTopRow(rested)
    window.addEventListener('pagehide', save)
    return () => {
      clearTimeout(timer)
      letGo()
      window.removeEventListener('pagehide', save)
    }
  }, [dispatch, remembers, who, cid, currentPosition, navigation, view])
}

/** During a jump, or without rows, a list has no position. */
const isThere = (navigation: ListNavigation, { rows }: ListView): boolean =>
  navigation.pending === undefined && rows.length > 0
