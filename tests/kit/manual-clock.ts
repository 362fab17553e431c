import type { Clock, Stop } from '#main/lib/clock.ts'

type Timer = { readonly at: number; readonly order: number; readonly fn: () => void }

/** Turns of the promise queue that {@link ManualClock.settle} lets pass before it assumes that nothing more happens. */
const QUIET_TURNS = 60

/**
 * Time that does not pass until a test moves it. Timers run in the order of their due time, then of their creation;
 * each sees `monotonic()` equal to its own due time.
 */
export class ManualClock implements Clock {
  #wall: number
  #monotonic = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  constructor(startsAt = Date.parse('2026-03-02T09:00:00Z')) {
    this.#wall = startsAt
  }

  now(): number {
    return this.#wall
  }

  monotonic(): number {
    return this.#monotonic
  }

  after(ms: number, fn: () => void): Stop {
    const timer: Timer = { at: this.#monotonic + Math.max(0, ms), order: (this.#order += 1), fn }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Timers still waiting: a stopped part must leave none. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer, if any. */
  get nextIn(): number | undefined {
    const next = this.#next()
    return next && next.at - this.#monotonic
  }

  /** Moves time forward, running what becomes due and letting promises settle in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#monotonic + ms
    await this.settle()
    for (let next = this.#next(); next && next.at <= until; next = this.#next()) {
      this.#moveTo(next.at)
      this.#run(next)
      await this.settle()
    }
    this.#moveTo(until)
    await this.settle()
  }

  /** Runs what is due now and every promise that follows from it, without moving time. */
  async settle(): Promise<void> {
    for (;;) {
      await quiet()
      const next = this.#next()
      if (!next || next.at > this.#monotonic) return
      this.#run(next)
    }
  }

  /** The wall clock jumps (set by the user, or by time synchronization); timers do not notice. */
  jumpWall(ms: number): void {
    this.#wall += ms
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic
    this.#monotonic = monotonic
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer)
    timer.fn()
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    }
    return first
  }
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn += 1) await Promise.resolve()
}
