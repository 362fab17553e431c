import * as v from 'valibot'
import type { SentPlace } from '#shared/domain/intent.ts'
import type { PollDefinition } from '#shared/domain/poll.ts'
import { call } from '#shared/lib/contract.ts'
import { key, nothing } from '../schemas.ts'

/** The outbox panel: what is queued, and what needs attention. */
export const outbox = {
  open: call<void>()(nothing),
  close: call<void>()(nothing),
  /** Tries a parked item again. */
  retry: call<void>()(v.object({ id: key })),
  /** Drops an item. Rejects with `outbox/in-flight` while it is in flight. */
  discard: call<void>()(v.object({ id: key })),
  /**
   * Changes the time of a scheduled message; without `at` it is sent now. Epoch milliseconds on this device's clock.
   * Rejects with `outbox/gone` if it is no longer scheduled.
   */
  schedule: call<void>()(v.object({ id: key, at: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))) })),
  /**
   * Takes an unsent message back: drops the item and returns its content for the composer. A poll or a location is
   * parked instead, until its form is sent with `replaces`. Rejects with `outbox/in-flight` or `outbox/gone`.
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
