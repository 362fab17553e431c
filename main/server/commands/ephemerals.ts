import type { MessageDraft } from '../messages/message-input.ts'
import type { MessageRow } from '../messages/message-table.ts'

/** A command's reply with buttons, in memory only: it becomes a message when it is sent. */
export type Ephemeral = {
  readonly row: MessageRow
  readonly draft: MessageDraft
  readonly command: string
  readonly args: string
}

const MAX_REPLIES = 1_000

/** The newest replies; the oldest are dropped, and all are lost when the process ends. */
export class Ephemerals {
  readonly #byId = new Map<string, Ephemeral>()

  put(ephemeral: Ephemeral): void {
    this.#byId.delete(ephemeral.row.id)
    if (this.#byId.size >= MAX_REPLIES) this.#byId.delete(this.#byId.keys().next().value ?? '')
    this.#byId.set(ephemeral.row.id, ephemeral)
  }

  get(id: string): Ephemeral | undefined {
    return this.#byId.get(id)
  }

  drop(id: string): void {
    this.#byId.delete(id)
  }
}
