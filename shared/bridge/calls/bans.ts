import * as v from 'valibot'
import type { ListedBan, ListedMute } from '../../domain/manage/bans.ts'
import { call } from '../../lib/contract.ts'
import { cid, shortText, userId } from '../schemas.ts'

/** A page of a list that the server numbers. */
const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), 0)

/** Several at once: the server takes one per request. */
const MAX_AT_ONCE = 100

/**
 * Bans in all channels and in the whole workspace. All need a connection and the right to review; they reject with
 * `network/offline`, `manage/not-allowed`, `server/not-allowed`.
 */
export const bans = {
  /**
   * Bans in force, newest first, or those that are over, the latest first; 100 at most. `more`: the server has further
   * ones. `onlyExpired`: of the ended ones the server lists those whose time was over, and no others.
   */
  list: call<{ readonly bans: readonly ListedBan[]; readonly more: boolean; readonly onlyExpired?: true }>()(
    v.object({
      userId: v.optional(userId),
      byId: v.optional(userId),
      cid: v.optional(cid),
      /** A part of the reason, or of the name of the person. */
      query: v.optional(shortText),
      shadow: v.optional(v.boolean()),
      /** Only those in the whole workspace, not in a channel. */
      everywhere: v.optional(v.boolean(), false),
      ended: v.optional(v.boolean(), false),
      offset,
    }),
  ),
  /** Removes bans. `refused`: those that the server did not remove, each with its reason; the others are removed. */
  unban: call<{
    readonly refused: readonly { readonly userId: string; readonly cid?: string; readonly code: string }[]
  }>()(
    v.object({
      bans: v.pipe(v.array(v.object({ userId, cid: v.optional(cid) })), v.minLength(1), v.maxLength(MAX_AT_ONCE)),
    }),
  ),
  /**
   * Who muted whom, by pages of people: with the server token everyone's mutes, else the viewer's own. `more`: there are
   * further people; a page may be empty.
   */
  mutes: call<{ readonly mutes: readonly ListedMute[]; readonly more: boolean }>()(v.object({ offset })),
  /** Ends a mute. Another person's needs the server token. */
  unmute: call<void>()(v.object({ userId, byId: userId })),
}
