import * as v from 'valibot'
import type { Ban } from '#shared/domain/ban.ts'
import { call } from '#shared/lib/contract.ts'
import { cid, duration, shortText, userId } from '../schemas.ts'

/**
 * Who may not write in a channel. All need a connection and `ban-channel-members`; they reject with `network/offline` and
 * `server/not-allowed`.
 */
export const moderation = {
  /**
   * `forMs`: rounded up to whole minutes, absent is until lifted. `shadow`: they write on, but only they see it.
   * `erase`: what they wrote in the channel goes too, for everyone. A second ban takes the place of the first.
   */
  ban: call<void>()(
    v.object({
      cid,
      userId,
      forMs: v.optional(duration),
      reason: v.optional(v.pipe(shortText, v.trim())),
      shadow: v.optional(v.boolean(), false),
      erase: v.optional(v.boolean(), false),
    }),
  ),
  /** Lifts either kind. No error when there is none. */
  unban: call<void>()(v.object({ cid, userId })),
  /** Bans of a channel that have not ended, newest first, or that of one person. `more`: the server has further ones. */
  bans: call<{ readonly bans: readonly Ban[]; readonly more: boolean }>()(
    v.object({ cid, userId: v.optional(userId) }),
  ),
}
