import { useEffect } from 'react'
import { useConnection, useEngine } from '../../store/hooks.ts'

const INPUT_EVENTS = ['keydown', 'pointerdown', 'online'] as const
/** Main limits the rate too; this only avoids a bridge call for every key. */
const EVERY_MS = 1_000

/** While data is missing, user input or a new network makes main retry at once instead of waiting for the planned try. */
export function useRetryOnInput(): void {
  const engine = useEngine()
  const { state, stillLoading } = useConnection()
  const isMissing = state !== 'healthy' || stillLoading !== undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (): void => {
      if (performance.now() - reportedAt < EVERY_MS) return
      reportedAt = performance.now()
      engine.session.reportActivity().catch(() => {
        // The bridge is lost, which the window shows elsewhere.
      })
    }
    for (const name of INPUT_EVENTS) window.addEventListener(name, report, { passive: true, capture: true })
    return () => {
      for (const name of INPUT_EVENTS) window.removeEventListener(name, report, { capture: true })
    }
  }, [engine, isMissing])
}
