import { useEffect, useLayoutEffect } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { keepLeftPlace } from './left-places.ts'
import type { Course } from '../list/course.ts'
import type { ListView } from '../list/list-view.ts'
import { placesOf, type Stood } from './places.ts'

/** The position is saved after this time without scrolling, so at most this much is lost in a crash. */
const REST_MS = 1_000

type Options = {
  readonly who: string
  readonly list: string
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly course: Course
  readonly standing: () => Stood
}

/** Saves where a channel was left: in memory for Back, on disk for the next start. */
export function useLeftPlace({ who, list, cid, remembers, view, course, standing }: Options): void {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const places = placesOf(store)
  useLayoutEffect(
    () => () => {
      if (!remembers || !isThere(course, view)) return
      const stood = standing()
      const newestAt = store.getState().entities.channels[cid]?.lastMessageAt ?? 0
      places.leave(who, list, { stood, newestAt, leftAt: Date.now() })
      void dispatch(keepLeftPlace({ who, cid, stood, now: Date.now() }))
    },
    [store, places, dispatch, remembers, who, list, cid, standing, course, view],
  )
  useEffect(() => {
    if (!remembers) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = (): void => {
      clearTimeout(timer)
      if (isThere(course, view)) void dispatch(keepLeftPlace({ who, cid, stood: standing(), now: Date.now() }))
    }
    const rested = (): void => {
      clearTimeout(timer)
      timer = setTimeout(keep, REST_MS)
    }
    const letGo = view.followTopRow(rested)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      letGo()
      window.removeEventListener('pagehide', keep)
    }
  }, [dispatch, remembers, who, cid, standing, course, view])
}

/** During a jump, or without rows, a list has no position. */
const isThere = (course: Course, { rows }: ListView): boolean => course.unfinished === undefined && rows.length > 0
