import type { Clock, Stop } from '#main/lib/clock.ts'
import { MS, type Micros } from './time.ts'

/** Rings once, at the earliest of the times it was set to. Set it from within a request for what ends soon. */
export class Alarm {
  readonly #clock: Clock
  #ring: (() => void) | undefined
  #at = Number.POSITIVE_INFINITY
  #stop: Stop | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Who is woken; before that the times are only remembered. */
  start(ring: () => void): void {
    this.#ring = ring
    if (this.#at !== Number.POSITIVE_INFINITY) this.#plan()
  }

  set(at: Micros): void {
    if (at >= this.#at) return
    this.#at = at
    this.#plan()
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#ring = undefined
    this.#at = Number.POSITIVE_INFINITY
  }

  #plan(): void {
    this.#stop?.()
    const ring = this.#ring
    if (!ring) return
    const wait = Math.min(Math.max(0, Math.ceil(this.#at / MS - this.#clock.now())), MAX_WAIT_MS)
    this.#stop = this.#clock.after(wait, () => {
      this.#at = Number.POSITIVE_INFINITY
      this.#stop = undefined
      ring()
    })
  }
}

/** Longest single timer of the platform; whoever is woken early finds nothing to do and sets the alarm again. */
const MAX_WAIT_MS = 2_000_000_000
