import { useEffect } from 'react'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectLock } from '../../store/window/lock.ts'
import { reportActivity } from './commands.ts'

const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** Main checks every 15 s, so more frequent reports are useless. */
const AT_MOST_EVERY_MS = 15_000

/** Reports input in this window to main, which prevents the automatic lock. */
export function useActivityReport(): void {
  const dispatch = useAppDispatch()
  const wanted = useAppSelector((state) => selectLock(state).on && !selectLock(state).locked)
  useEffect(() => {
    if (!wanted) return undefined
    let shown = -Infinity
    const onInput = (): void => {
      const now = performance.now()
      if (now - shown < AT_MOST_EVERY_MS) return
      shown = now
      void dispatch(reportActivity(undefined))
    }
    for (const name of INPUT_EVENTS) window.addEventListener(name, onInput, { capture: true, passive: true })
    return () => {
      for (const name of INPUT_EVENTS) window.removeEventListener(name, onInput, true)
    }
  }, [dispatch, wanted])
}
