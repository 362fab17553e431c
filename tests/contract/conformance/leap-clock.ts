import type { Clock, Stop } from '#main/lib/clock.ts'

type Timer = { readonly at: number; readonly fn: () => void; readonly stop: () => void }

/** The system's time, which a test can also advance at once: what becomes due on the way runs, in order. */
export class LeapClock implements Clock {
  #ahead = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return Date.now() + this.#ahead
  }

  monotonic(): number {
    return performance.now() + this.#ahead
  }

  after(ms: number, fn: () => void): Stop {
    const real = setTimeout(() => run(), ms)
    const timer: Timer = { at: this.monotonic() + ms, fn, stop: () => clearTimeout(real) }
    const run = (): void => {
      this.#timers.delete(timer)
      fn()
    }
    this.#timers.add(timer)
    return () => {
      timer.stop()
      this.#timers.delete(timer)
    }
  }

  leap(ms: number): void {
    const until = this.monotonic() + ms
    for (let next = this.#next(); next && next.at <= until; next = this.#next()) {
      this.#ahead += Math.max(0, next.at - this.monotonic())
      next.stop()
      this.#timers.delete(next)
      next.fn()
    }
    this.#ahead += Math.max(0, until - this.monotonic())
  }

  #next(): Timer | undefined {
    return [...this.#timers].toSorted((a, b) => a.at - b.at)[0]
  }
}
