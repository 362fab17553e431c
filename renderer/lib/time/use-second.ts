import { useEffect, useState } from 'react'

/** Now, in epoch milliseconds, moved on every second for as long as `runs` says so of the time it was last told. */
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
