import { useEffect } from 'react'
import { useConnection, useEngine } from '../../store/hooks.ts'

const SIGNS = ['keydown', 'pointerdown', 'online'] as const
/** Main limits the rate too; this only avoids a bridge call for every key. */
const EVERY_MS = 1_000

/** While data is missing, user input or a new network makes main retry at once instead of waiting for the planned try. */
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
        // The bridge is lost, which the window shows elsewhere.
      })
    }
    for (const sign of SIGNS) window.addEventListener(sign, notify, { passive: true, capture: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, notify, { capture: true })
    }
  }, [engine, isMissing])
}
