import { useEffect, useState } from 'react'

/** Whole seconds until a time (epoch milliseconds), counting down; 0 once it has come, or without one. */
export function useSecondsTo(time: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const left = time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1_000))
  const waiting = left > 0
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [waiting])
  return left
}
