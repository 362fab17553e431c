import type { MessageDraft } from '../messages/message-input.ts'
import type { MessageRow } from '../messages/message-table.ts'

/** A command's answer with buttons, kept in memory only: it is no one's message until it is sent. */
export type Ephemeral = {
  readonly row: MessageRow
  readonly draft: MessageDraft
  readonly command: string
  readonly args: string
}

const MOST = 1_000

/** The newest answers; the oldest leave, and all leave with the process. */
export class Ephemerals {
  readonly #kept = new Map<string, Ephemeral>()

  put(ephemeral: Ephemeral): void {
    this.#kept.delete(ephemeral.row.id)
    if (this.#kept.size >= MOST) this.#kept.delete(this.#kept.keys().next().value ?? '')
    this.#kept.set(ephemeral.row.id, ephemeral)
  }

  get(id: string): Ephemeral | undefined {
    return this.#kept.get(id)
  }

  drop(id: string): void {
    this.#kept.delete(id)
  }
}
