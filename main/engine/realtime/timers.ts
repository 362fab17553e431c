import type { Clock, Stop } from '#main/lib/clock.ts'

/** One timer per purpose: setting it again replaces it, and all can be cleared at once. */
export class Timers<Name extends string> {
  readonly #clock: Clock
  readonly #running = new Map<Name, Stop>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(name: Name, ms: number, fn: () => void): void {
    this.clear(name)
    const stop = this.#clock.after(ms, () => {
      this.#running.delete(name)
      fn()
    })
    this.#running.set(name, stop)
  }

  has(name: Name): boolean {
    return this.#running.has(name)
  }

  clear(name: Name): void {
    this.#running.get(name)?.()
    this.#running.delete(name)
  }

  clearAll(): void {
    for (const stop of this.#running.values()) stop()
    this.#running.clear()
  }
}
