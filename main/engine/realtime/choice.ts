import { INITIAL_CONNECT_MS, INITIAL_CONNECT_WITH_FALLBACK_MS, LONGPOLL_CONNECT_MS } from '#shared/constants.ts'
import type { Transport } from './transport.ts'

/** Dials of the first transport that fail in a row before the fallback is tried. */
const DIALS_BEFORE_FALLBACK = 2

/** Which of two ways to the server is tried: the first, and where it cannot pass the second. */
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

  /** How long a dial may take. */
  get dialLimitMs(): number {
    if (!this.#fallback) return INITIAL_CONNECT_MS
    return this.onFallback ? LONGPOLL_CONNECT_MS : INITIAL_CONNECT_WITH_FALLBACK_MS
  }

  /**
   * A dial failed. Answers true when the other way shall be tried at once: the fallback after failed dials of the first.
   * From a fallback that fails too it goes back to the first, through the back-off.
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

  /** The first way works again. */
  back(): void {
    this.#now = this.first
  }
}
