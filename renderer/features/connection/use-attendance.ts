import { useEffect } from 'react'
import { useConnection, useEngine } from '../../store/hooks.ts'

const SIGNS = ['keydown', 'pointerdown', 'online'] as const
/** Main counts for itself as well; this only keeps typing from crossing the bridge. */
const EVERY_MS = 1_000

/** While something is missing, anyone who presses a key or comes into another network does not wait for a planned try. */
export function useAttendance(): void {
  const engine = useEngine()
  const { state, stillLoading } = useConnection()
  const isMissing = state !== 'healthy' || stillLoading !== undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let toldAt = Number.NEGATIVE_INFINITY
    const notify = (): void => {
      if (performance.now() - toldAt < EVERY_MS) return
      toldAt = performance.now()
      engine.session.attend().catch(() => {
        // Without the bridge there is nothing to hurry; the window says so itself.
      })
    }
    for (const sign of SIGNS) window.addEventListener(sign, notify, { passive: true, capture: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, notify, { capture: true })
    }
  }, [engine, isMissing])
}
