import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** One timer for every "5 minutes ago" on screen; runs only while there is one. */
const minuteListeners = new Set<() => void>()
let minuteTimer: ReturnType<typeof setInterval> | undefined
let minute = Date.now()

function subscribeMinute(listener: () => void): () => void {
  minuteListeners.add(listener)
  if (minuteTimer === undefined) {
    minute = Date.now()
    minuteTimer = setInterval(tickMinute, 60_000)
  }
  return () => {
    minuteListeners.delete(listener)
    if (minuteListeners.size > 0) return
    clearInterval(minuteTimer)
    minuteTimer = undefined
  }
}

function tickMinute(): void {
  minute = Date.now()
  for (const listener of minuteListeners) listener()
}

function readMinute(): number {
  // After the page was suspended, the first render shows the right minute.
  if (Date.now() - minute >= 60_000) minute = Date.now()
  return minute
}

/** The current time, updated once a minute. Epoch milliseconds. */
export const useMinute = (): number => useSyncExternalStore(subscribeMinute, readMinute)

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

/** True once `on` has lasted `delayMs`; false at once when it ends. Keeps skeletons from flashing. */
export function useDelayed(on: boolean, delayMs: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const timer = setTimeout(() => setLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, delayMs])
  return on && late
}

/** Calls `onEnd` once after `durationMs` without the paused time. */
export function useCountdown(durationMs: number, paused: boolean, onEnd: () => void): void {
  const left = useRef(durationMs)
  useEffect(() => {
    if (paused) return undefined
    const startedAt = performance.now()
    const timer = setTimeout(onEnd, left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(0, left.current - (performance.now() - startedAt))
    }
  }, [paused, onEnd])
}
