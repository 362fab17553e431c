import { INITIAL_CONNECT_MS, INITIAL_CONNECT_WITH_FALLBACK_MS, LONGPOLL_CONNECT_MS } from '#shared/constants.ts'
import type { Transport } from './transport.ts'

/** Failed attempts with the first transport in a row before the fallback is tried. */
const DIALS_BEFORE_FALLBACK = 2

/** Chooses the transport: the first, and the fallback where the first does not get through. */
export class TransportChoice {
  readonly first: Transport
  readonly #fallback: Transport | undefined
  #now: Transport
  #failedDials = 0

  constructor(first: Transport, fallback: Transport | undefined) {
    this.first = first
    this.#fallback = fallback
    this.#now = first
  }

  get now(): Transport {
    return this.#now
  }

  get onFallback(): boolean {
    return this.#now !== this.first
  }

  /** Time limit of one connection attempt. */
  get dialLimitMs(): number {
    if (!this.#fallback) return INITIAL_CONNECT_MS
    return this.onFallback ? LONGPOLL_CONNECT_MS : INITIAL_CONNECT_WITH_FALLBACK_MS
  }

  /**
   * A connection attempt failed. Returns true if the fallback should be tried at once, after enough failures of the first
   * transport. If the fallback fails too, it returns to the first one, with back-off.
   */
  dialFailed(): boolean {
    if (!this.#fallback) return false
    this.#failedDials += 1
    if (this.onFallback) {
      this.#now = this.first
      this.#failedDials = 0
      return false
    }
    if (this.#failedDials < DIALS_BEFORE_FALLBACK) return false
    this.#now = this.#fallback
    return true
  }

  forgetFailures(): void {
    this.#failedDials = 0
  }

  /** The first transport works again. */
  back(): void {
    this.#now = this.first
  }
}
