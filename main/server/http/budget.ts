import type { Clock } from '#main/lib/clock.ts'

/** So many per minute and key, refilled steadily. */
export class Budget {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #left = new Map<string, { tokens: number; at: number }>()

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** False when there is none left. */
  take(key: string): boolean {
    const now = this.#clock.monotonic()
    const known = this.#left.get(key) ?? { tokens: this.#perMinute, at: now }
    const tokens = Math.min(this.#perMinute, known.tokens + ((now - known.at) / 60_000) * this.#perMinute)
    this.#left.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    return tokens >= 1
  }
}
