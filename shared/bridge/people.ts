import * as v from 'valibot'
import type { UserId } from '#shared/lib/brand.ts'
import { call } from '#shared/lib/contract.ts'
import { duration, nothing, shortText, userId } from './schemas.ts'

/** What the viewer decides about another person. All need a connection and reject with `network/offline` without one. */
export const people = {
  /** Their messages stay but count nowhere and tell nobody. `forMs`: rounded up to whole minutes, absent is for good. */
  mute: call<void>()(v.object({ userId, muted: v.boolean(), forMs: v.optional(duration) })),
  /** A blocked person can write to the viewer no more. Rejects with `server/not-found`. */
  block: call<void>()(v.object({ userId, blocked: v.boolean() })),
  /** Whom the viewer has blocked, as far as this computer knows; also without a connection. */
  blocked: call<readonly { readonly id: UserId; readonly name: string }[]>()(nothing),
  /** Reports a person to those who moderate. */
  flag: call<void>()(v.object({ userId, reason: v.optional(shortText) })),
}
