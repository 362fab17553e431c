/** A tooltip opens after this delay, or at once when another one was open a moment ago. */
const DELAY_MS = 500
const WARM_MS = 400
/** It stays this long after the pointer left its control: long enough to move onto the tooltip itself. */
const GRACE_MS = 150

/** When any tooltip of the page was last hidden. */
let lastHiddenAt = -Infinity
/** The one that is open: the next one replaces it. */
let hideOpen: (() => void) | undefined

/** Decides when the tooltip of a control opens and closes. */
export class HoverTimer {
  readonly #show: (anchor: Element | undefined) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #shown = false
  readonly #hide = (): void => this.hide()

  constructor(show: (anchor: Element | undefined) => void) {
    this.#show = show
  }

  enter(anchor: Element): void {
    this.stop()
    if (hideOpen !== this.#hide) hideOpen?.()
    const warm = performance.now() - lastHiddenAt < WARM_MS
    this.#timer = setTimeout(
      () => {
        this.#shown = true
        hideOpen = this.#hide
        this.#show(anchor)
      },
      warm ? 0 : DELAY_MS,
    )
  }

  /** The pointer left the control or the tooltip; it may be on its way from one to the other. */
  leave(): void {
    this.stop()
    if (this.#shown) this.#timer = setTimeout(() => this.hide(), GRACE_MS)
  }

  /** Keeps an open tooltip, on which the pointer is now. */
  stay(): void {
    if (this.#shown) this.stop()
  }

  /** Hides it at once. */
  hide(): void {
    this.stop()
    if (!this.#shown) return
    this.#shown = false
    if (hideOpen === this.#hide) hideOpen = undefined
    lastHiddenAt = performance.now()
    this.#show(undefined)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
