import type { Intent } from '#shared/domain/intent.ts'
import type { Clock } from '#main/lib/clock.ts'

/** Pause before an intent is tried again for which a quick attempt will not help; also the longest after a restart. */
export const SLOW_RETRY_MS = 10_000

type Delay = {
  /** Monotonic time before which the intent is not tried. */
  readonly at: number
  /** A new connection ends the wait early. */
  readonly lifts: boolean
}

/** When each failed intent is tried again, and for how long it was tried while online. */
export class Retries {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>
  readonly #delays = new Map<string, Delay>()
  /** Time online since the start. */
  readonly #online: Stopwatch
  /** Reading of {@link #online} up to which the attempts of an intent are counted. */
  readonly #countedUntil = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>, intents: readonly Intent[]) {
    this.#clock = clock
    this.#online = new Stopwatch(clock)
    for (const { id, state, nextAt } of intents) {
      if (state === 'waiting') this.delay(id, Math.min(Math.max(0, nextAt - clock.now()), SLOW_RETRY_MS), true)
    }
  }

  connected(): void {
    this.#online.start()
    this.liftAll()
  }

  disconnected(): void {
    this.#online.stop()
  }

  /** Milliseconds until this intent may be tried; not positive if it may be tried now. */
  dueIn(id: string): number {
    const delay = this.#delays.get(id)
    return delay === undefined ? 0 : delay.at - this.#clock.monotonic()
  }

  delay(id: string, ms: number, lifts: boolean): void {
    this.#delays.set(id, { at: this.#clock.monotonic() + ms, lifts })
  }

  lift(id: string): void {
    this.#delays.delete(id)
  }

  liftAll(): void {
    for (const [id, { lifts }] of this.#delays) if (lifts) this.#delays.delete(id)
  }

  /** An attempt begins: time online counts from here, or from the first attempt. */
  started(id: string): void {
    if (!this.#countedUntil.has(id)) this.#countedUntil.set(id, this.#online.readMs())
  }

  /** How long this intent was tried while online. Stored with its reason, so that restarts do not reset it. */
  onlineMs({ id, reason }: Intent): number {
    const until = this.#online.readMs()
    const since = this.#countedUntil.get(id) ?? until
    this.#countedUntil.set(id, until)
    return Number(reason?.params?.['onlineMs'] ?? 0) + until - since
  }

  /** The intent was acknowledged or parked. */
  ended(id: string): void {
    this.#delays.delete(id)
    this.#countedUntil.delete(id)
  }
}

class Stopwatch {
  readonly #clock: Pick<Clock, 'monotonic'>
  #before = 0
  #since: number | undefined

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  readMs(): number {
    return this.#before + (this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since)
  }

  start(): void {
    this.#since ??= this.#clock.monotonic()
  }

  stop(): void {
    this.#before = this.readMs()
    this.#since = undefined
  }
}
