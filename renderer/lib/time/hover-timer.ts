/** After 500 ms, at once when moving between neighbours. */
const DELAY_MS = 500
const WARM_MS = 400

/** When some tooltip of the page was last hidden: neighbours then open at once. */
let lastHiddenAt = -Infinity

/** Decides when the words beside a control appear and go. */
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
