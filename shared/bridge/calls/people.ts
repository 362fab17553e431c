import * as v from 'valibot'
import type { UserId } from '#shared/lib/brand.ts'
import { call } from '#shared/lib/contract.ts'
import { PERSON_NAME_LENGTH, STATUS_LENGTH } from '#shared/constants.ts'
import { duration, nothing, picture, line, shortText, userId } from '../schemas.ts'

/** What the viewer says of themselves, and decides about others. All but `block` need a connection and reject with `network/offline` without one. */
export const people = {
  /** Their messages stay but count nowhere and tell no one. `forMs`: rounded up to whole minutes, absent is for good. */
  mute: call<void>()(v.object({ userId, muted: v.boolean(), forMs: v.optional(duration) })),
  /**
   * A blocked person can write to the viewer no more. Works without a connection: shown at once and sent later; a refusal
   * stands in the outbox.
   */
  block: call<void>()(v.object({ userId, blocked: v.boolean() })),
  /** Whom the viewer has blocked or asked to block, as far as this computer knows; also without a connection. */
  blocked: call<readonly { readonly id: UserId; readonly name: string }[]>()(nothing),
  /**
   * The viewer's own name, and the words beside it; empty words are taken away. Others hear of it. Rejects with
   * `server/not-allowed` where the server lets no one change themselves.
   */
  changeProfile: call<void>()(
    v.object({
      name: v.optional(v.pipe(line, v.maxLength(PERSON_NAME_LENGTH))),
      statusText: v.optional(v.pipe(shortText, v.trim(), v.maxLength(STATUS_LENGTH))),
    }),
  ),
  /** The viewer's own picture; without one it is taken away. Rejects also with `upload/blocked`. */
  setPortrait: call<void>()(v.object({ picture: v.optional(picture) })),
  /** Reports a person to those who moderate. */
  flag: call<void>()(v.object({ userId, reason: v.optional(shortText) })),
}
