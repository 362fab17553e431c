import { useEffect } from 'react'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectLock } from '../../store/window/lock.ts'
import { reportActivity } from './commands.ts'

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** Main checks every 15 s, so more frequent reports are useless. */
const AT_MOST_EVERY_MS = 15_000

/** Reports input in this window to main, which prevents the automatic lock. */
export function useTouches(): void {
  const dispatch = useAppDispatch()
  const wanted = useAppSelector((state) => selectLock(state).on && !selectLock(state).locked)
  useEffect(() => {
    if (!wanted) return undefined
    let shown = -Infinity
    const onSign = (): void => {
      const now = performance.now()
      if (now - shown < AT_MOST_EVERY_MS) return
      shown = now
      void dispatch(reportActivity(undefined))
    }
    for (const sign of SIGNS) window.addEventListener(sign, onSign, { capture: true, passive: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, onSign, true)
    }
  }, [dispatch, wanted])
}
