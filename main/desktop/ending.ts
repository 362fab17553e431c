import type { HostTranslate, EndingCapability } from '#main/hosts/host.ts'

/** What is being sent and would be interrupted, of all accounts. */
export type Sending = {
  /** Files that are being uploaded or queued. */
  readonly files: number
  /** Fraction of their bytes already sent: 0 to 1. */
  readonly share: number
  /** Queued messages and other intents. */
  readonly texts: number
}

export const NOTHING_SENDING: Sending = { files: 0, share: 0, texts: 0 }

export const sumOfSending = (each: readonly (Sending & { readonly bytes: number })[]): Sending => {
  const bytes = each.reduce((sum, one) => sum + one.bytes, 0)
  return {
    files: each.reduce((sum, { files }) => sum + files, 0),
    share: bytes === 0 ? 0 : each.reduce((sum, one) => sum + one.share * one.bytes, 0) / bytes,
    texts: each.reduce((sum, { texts }) => sum + texts, 0),
  }
}

type Options = {
  readonly ending: EndingCapability
  readonly translate: HostTranslate
  /** On connected accounts: what a quit interrupts. */
  readonly running: () => Sending
  /** On all accounts: what is left to be sent. */
  readonly left: () => Sending
  readonly closing: () => void
  readonly stop: () => Promise<void>
}

const BUTTONS = ['quit', 'wait', 'cancel'] as const

/**
 * Quits Parlor during uploads as the user chooses: now, or when they are finished. Either way nothing is lost: the rest
 * is sent after the next start.
 */
export class Ending {
  readonly #options: Options
  #waiting = false

  constructor(options: Options) {
    this.#options = options
    options.ending.set({
      mustAsk: () => options.running().files > 0,
      ask: () => this.#ask(),
      closing: options.closing,
      stop: options.stop,
    })
  }

  /** Something may have been sent. */
  touched(): void {
    if (!this.#waiting) return
    const { files, texts } = this.#options.left()
    if (files > 0 || texts > 0) return
    this.#waiting = false
    void this.#options.ending.begin()
  }

  async #ask(): Promise<boolean> {
    const { ending, translate, running } = this.#options
    const { files, texts: messages } = running()
    const lines = [
      ...(messages === 0 ? [] : [translate('desktop', 'leave.messages', { count: messages })]),
      translate('desktop', 'leave.text'),
    ]
    const response = await ending.ask({
      message: translate('desktop', 'leave.title', { count: files }),
      detail: lines.join('\n'),
      buttons: BUTTONS.map((key) => translate('desktop', `leave.${key}`)),
      cancel: BUTTONS.indexOf('cancel'),
    })
    const chosen = BUTTONS[response] ?? 'cancel'
    this.#waiting = chosen === 'wait'
    if (this.#waiting) {
      ending.hideWindows()
      // Everything may have been sent while the question was open.
      this.touched()
    }
    return chosen === 'quit'
  }
}
