/** A tooltip opens after this delay, or at once when another one was open a moment ago. */
const DELAY_MS = 500
const WARM_MS = 400

/** When any tooltip of the page was last hidden. */
let lastHiddenAt = -Infinity

/** Decides when the tooltip of a control opens and closes. */
export class HoverTimer {
  readonly #show: (anchor: Element | undefined) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #shown = false

  constructor(show: (anchor: Element | undefined) => void) {
    this.#show = show
  }

  enter(anchor: Element): void {
    this.stop()
    const warm = performance.now() - lastHiddenAt < WARM_MS
    this.#timer = setTimeout(
      () => {
        this.#shown = true
        this.#show(anchor)
      },
      warm ? 0 : DELAY_MS,
    )
  }

  leave(): void {
    this.stop()
    if (!this.#shown) return
    this.#shown = false
    lastHiddenAt = performance.now()
    this.#show(undefined)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
