/** Upper bounds in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Counts the responses of all ports since the start. */
export class Meter {
  readonly #byStatus = new Map<number, number>()
  /** How many took at most as long as the bound at the same place. */
  readonly #within = BOUNDS.map(() => 0)
  #count = 0
  #seconds = 0

  add(status: number, seconds: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
    for (const [at, bound] of BOUNDS.entries()) if (seconds <= bound) this.#within[at] = (this.#within[at] ?? 0) + 1
    this.#count += 1
    this.#seconds += seconds
  }

  /** By status, in ascending order. */
  statuses(): readonly (readonly [status: number, count: number])[] {
    return [...this.#byStatus].toSorted(([one], [other]) => one - other)
  }

  durations() {
    const within = BOUNDS.map((bound, at) => [bound, this.#within[at] ?? 0] as const)
    return { within, count: this.#count, seconds: this.#seconds }
  }
}
