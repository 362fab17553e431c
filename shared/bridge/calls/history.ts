import * as v from 'valibot'
import type { HistoryEntry, MessageVersion } from '../../domain/manage/history.ts'
import { call } from '../../lib/contract.ts'
import { cid, messageId, pageCursor, userId } from '../schemas.ts'

export const historyFilter = v.object({
  byId: v.optional(userId),
  targetId: v.optional(userId),
  cid: v.optional(cid),
  actions: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z_.]{1,64}$/))), v.maxLength(64))),
  from: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/**
 * What moderators and administrators did. All need a connection and the right `history`; they reject with
 * `network/offline`, `manage/not-allowed`, `server/not-allowed`.
 */
export const history = {
  /**
   * Newest first, 50 at most. `since`: the time of the oldest entry of all; `keptDays`: after how many days the server
   * deletes entries. `next` absent: there are no more.
   */
  list: call<{
    readonly entries: readonly HistoryEntry[]
    readonly since?: number
    readonly keptDays?: number
    readonly next?: string
  }>()(v.object({ filter: historyFilter, next: v.optional(pageCursor) })),
  /** Ends a ban, or restores a deleted message; restoring needs a server token. */
  undo: call<void>()(
    v.variant('undo', [
      v.object({ undo: v.literal('unban'), userId, cid: v.optional(cid) }),
      v.object({ undo: v.literal('restore'), messageId }),
    ]),
  ),
  /** All versions of a message, newest first, and who wrote each. Needs a server token. */
  versions: call<readonly MessageVersion[]>()(v.object({ messageId })),
}
