/** Largest number of selected messages. */
const MAX_SELECTED = 100

/** The selected messages of one list. Outside of React state, so that selecting one renders one row. */
export class Selection {
  #picked: ReadonlySet<string> = new Set()
  /** Start of a range. */
  #anchor: string | undefined
  readonly #listeners = new Set<() => void>()

  /** Stable, for `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly ids = (): ReadonlySet<string> => this.#picked

  has(id: string): boolean {
    return this.#picked.has(id)
  }

  toggle(id: string): void {
    const next = new Set(this.#picked)
    if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
    this.#anchor = id
    this.#put(next)
  }

  /** Selects everything between the anchor and `to`, in the order of the list. */
  extendTo(to: string, from: string, order: readonly string[]): void {
    const start = this.#anchor !== undefined && this.#picked.has(this.#anchor) ? this.#anchor : from
    this.#anchor = start
    const [low, high] = [order.indexOf(start), order.indexOf(to)].toSorted((a, b) => a - b)
    if (low === undefined || high === undefined || low < 0) return
    this.#put(new Set(order.slice(low, high + 1).slice(0, MAX_SELECTED)))
  }

  clear(): void {
    this.#anchor = undefined
    if (this.#picked.size > 0) this.#put(new Set())
  }

  #put(next: ReadonlySet<string>): void {
    this.#picked = next
    for (const listener of this.#listeners) listener()
  }
}
