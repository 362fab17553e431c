import { useEffect, useLayoutEffect, useState, type FocusEvent } from 'react'
import { useAppDispatch, useAppSelector, useAppStore } from '../../store/hooks.ts'
import { sidebarSettled } from '../../store/window/ui.ts'
import { selectPlan, selectUnsettled, selectWanted } from './selectors.ts'

/** The list is sorted this long after pointer and focus left it. */
const IDLE_MS = 1_000

/**
 * Nothing in the list moves while the pointer or the focus is in it; a second after both have left, it is sorted. The
 * user's own changes apply at once.
 *
 * @returns handlers for the element that contains the list
 */
export function useSteady(): {
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
} {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const unsettled = useAppSelector(selectUnsettled)
  const arranged = useAppSelector((state) => JSON.stringify(selectPlan(state)))
  const isThere = useAppSelector((state) => selectWanted(state).sections.length > 0)
  useLayoutEffect(() => {
    if (isThere && arranged !== '') dispatch(sidebarSettled(selectWanted(store.getState()).sections))
  }, [dispatch, store, arranged, isThere])
  const busy = pointed || focused
  useEffect(() => {
    if (busy || !unsettled) return undefined
    const timer = setTimeout(() => dispatch(sidebarSettled(selectWanted(store.getState()).sections)), IDLE_MS)
    return () => clearTimeout(timer)
  }, [dispatch, store, busy, unsettled])
  return {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    },
  }
}
