import { useEffect, useState } from 'react'

const TURN_MS = 30_000
/** A timer may fire a little early. */
const LEAST_MS = 50

/** The current time, updated when the next of `ends` is reached and every half minute until then. */
export function useLiveClock(ends: readonly number[]): number {
  const [now, setNow] = useState(() => Date.now())
  const next = Math.min(...ends.filter((end) => end > now), now + TURN_MS)
  const running = ends.some((end) => end > now)
  useEffect(() => {
    if (!running) return undefined
    const timer = setTimeout(() => setNow(Date.now()), Math.max(LEAST_MS, next - Date.now()))
    return () => clearTimeout(timer)
  }, [next, running])
  return now
}
