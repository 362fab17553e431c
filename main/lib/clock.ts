import { uptime } from 'node:os'

/** Time for the services. Tests use a manual clock. */
export type Clock = {
  /** Wall time, epoch milliseconds. May jump. For display, never for measuring. */
  now(): number
  /** Monotonic milliseconds. For timeouts and liveness. */
  monotonic(): number
  /** Milliseconds since the device was started, including sleep; accurate to about a second. Absent: unknown. */
  up?(): number
  /** Runs `fn` once after `ms`. Call the result to cancel. */
  after(ms: number, fn: () => void): Stop
}

export type Stop = () => void

/** Repeats with the same delay until stopped; the next run is scheduled when the timer fires. */
export function every(clock: Clock, ms: number, fn: () => void): Stop {
  let stop = clock.after(ms, turn)
  function turn(): void {
    stop = clock.after(ms, turn)
    fn()
  }
  return () => stop()
}

/** Resolves after `ms`; resolves early when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const stop = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    function onAbort(): void {
      stop()
      resolve()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  up: () => uptime() * 1_000,
  after(ms, fn) {
    // A timer of no time takes a millisecond and more; this is as soon as what has arrived was read.
    if (ms <= 0) {
      const soon = setImmediate(fn)
      return () => clearImmediate(soon)
    }
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

/** Runs `fn` after the current turn of the event loop, to batch the work of that turn. */
export function endOfTurn(fn: () => void): void {
  setImmediate(fn)
}

/** Runs `fn` when the code that is running has ended, before anything else: to join what one step does. */
export function endOfStep(fn: () => void): void {
  queueMicrotask(fn)
}

/** Resolves after the event loop has turned once: windows and the network come in between. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
