import * as v from 'valibot'
import type { Ban } from '#shared/domain/ban.ts'
import { call } from '#shared/lib/contract.ts'
import { cid, duration, shortText, userId } from '../schemas.ts'

/**
 * Channel bans. All need a connection and `ban-channel-members`; they reject with `network/offline` and
 * `server/not-allowed`.
 */
export const moderation = {
  /**
   * `forMs`: rounded up to whole minutes; absent: until unbanned. `shadow`: their new messages are visible only to
   * themselves. `erase`: their messages in the channel are also deleted, for everyone. A second ban replaces the first.
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
  /** Removes either kind of ban. Succeeds if there is none. */
  unban: call<void>()(v.object({ cid, userId })),
  /**
   * Bans of a channel that have not expired, newest first, or that of one person. `more`: the server has further ones.
   */
  bans: call<{ readonly bans: readonly Ban[]; readonly more: boolean }>()(
    v.object({ cid, userId: v.optional(userId) }),
  ),
}
