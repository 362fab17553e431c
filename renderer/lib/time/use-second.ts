import { useEffect, useState } from 'react'

/** The current time in epoch milliseconds, updated every second while `runs` returns true for it. */
export function useSecond(runs: (now: number) => boolean): number {
  const [now, setNow] = useState(() => Date.now())
  const isRunning = runs(now)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
