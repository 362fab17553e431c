import type { UserId } from '#shared/lib/brand.ts'
import type { Reader } from '#main/cache/tx.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Memory } from './memory.ts'

/** Everything that decides what is visible: facts, intents, memory, and the time (for mutes and the like). */
export type ReadContext = {
  readonly me: UserId
  readonly cache: Reader
  /** Reading side of `outbox.db`: drafts and uploads. */
  readonly pending: Reader
  readonly outbox: Outbox
  readonly memory: Memory
  /** Epoch milliseconds on the server's clock. */
  readonly now: () => number
}
