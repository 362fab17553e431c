import { useSyncExternalStore } from 'react'

/** One timer for every "5 minutes ago" on screen; runs only while someone looks. */
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
  // A page that slept shows the right minute as soon as it is drawn again.
  if (Date.now() - now >= 60_000) now = Date.now()
  return now
}

/** The time, renewed once a minute. Epoch milliseconds. */
export const useMinute = (): number => useSyncExternalStore(subscribe, read)
