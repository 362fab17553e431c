import * as v from 'valibot'
import type { SentPlace } from '#shared/domain/intent.ts'
import type { PollDefinition } from '#shared/domain/poll.ts'
import { call } from '#shared/lib/contract.ts'
import { key, nothing } from '../schemas.ts'

/** The outbox panel: what waits, and what needs help. */
export const outbox = {
  open: call<void>()(nothing),
  close: call<void>()(nothing),
  /** Tries a parked item again. */
  retry: call<void>()(v.object({ id: key })),
  /** Drops an item that is not in flight. Rejects with `outbox/in-flight` while it is. */
  discard: call<void>()(v.object({ id: key })),
  /**
   * Another time for a message that is to be sent later; without `at` it goes now. Epoch milliseconds of this computer.
   * Rejects with `outbox/gone` when it is no longer scheduled.
   */
  schedule: call<void>()(v.object({ id: key, at: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))) })),
  /**
   * Takes an unsent message back: drops the item and answers what was in it so that the composer can go on with it. A poll
   * or a place stays, parked, until its form is sent with `replaces`. Rejects with `outbox/in-flight` or `outbox/gone`.
   */
  takeBack: call<{
    readonly text: string
    readonly cid: string
    readonly parentId?: string
    readonly quotedId?: string
    readonly uploadIds?: readonly string[]
    readonly showInChannel?: boolean
    readonly poll?: PollDefinition
    readonly place?: SentPlace
  }>()(v.object({ id: key })),
}
