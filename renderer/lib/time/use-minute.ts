import { useSyncExternalStore } from 'react'

/** One timer for every "5 minutes ago" on screen; runs only while there is one. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, 60_000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function read(): number {
  // After the page was suspended, the first render shows the right minute.
  if (Date.now() - now >= 60_000) now = Date.now()
  return now
}

/** The current time, updated once a minute. Epoch milliseconds. */
export const useMinute = (): number => useSyncExternalStore(subscribe, read)
