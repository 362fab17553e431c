import * as v from 'valibot'
import {
  REVIEW_ACTIONS,
  type ContextMessage,
  type FiledReport,
  type OwnReport,
  type ReviewAction,
  type ReviewedAuthor,
  type ReviewItem,
  type SameText,
} from '../../domain/manage/review.ts'
import { call } from '../../lib/contract.ts'
import { cid, key, messageId, nothing, pageCursor, shortText, userId } from '../schemas.ts'

/** A page of a list that the server numbers. */
const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), 0)
const moment = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(8.64e15))

const filters = {
  cid: v.optional(cid),
  reason: v.optional(shortText),
  reporterId: v.optional(userId),
  authorId: v.optional(userId),
  /** Only what is newer. */
  since: v.optional(moment),
}

/** Several at once: one request for each. */
const MAX_AT_ONCE = 100
const several = <Schema extends v.GenericSchema>(item: Schema) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(MAX_AT_ONCE))

/** Ten years. */
const MAX_MINUTES = 10 * 365 * 24 * 60

const ban = v.object({
  scope: v.picklist(['channel', 'everywhere']),
  minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_MINUTES))),
  reason: v.optional(v.pipe(shortText, v.trim())),
  shadow: v.optional(v.boolean()),
  messages: v.optional(v.picklist(['soft', 'pruning', 'hard'])),
})

/**
 * The review queue. What reads it needs a connection and the right to review; it rejects with `network/offline`,
 * `manage/not-allowed`, `server/not-allowed`.
 */
export const review = {
  /**
   * Items that wait, newest first, or those that were decided, the last decision first; 100 at most. `next`: a cursor for
   * further ones. `actions`: what this server can do with messages and with people.
   */
  list: call<{
    readonly items: readonly ReviewItem[]
    readonly next?: string
    readonly actions: { readonly message: readonly ReviewAction[]; readonly person: readonly ReviewAction[] }
  }>()(v.object({ decided: v.optional(v.boolean(), false), cursor: v.optional(pageCursor), ...filters })),
  /** These items as they are now; those that no longer exist are left out. */
  items: call<readonly ReviewItem[]>()(v.object({ ids: several(key) })),
  /** Reports, newest first, 100 at most. */
  reports: call<{ readonly reports: readonly FiledReport[]; readonly more: boolean }>()(
    v.object({
      cid: filters.cid,
      reason: filters.reason,
      reporterId: filters.reporterId,
      since: filters.since,
      offset,
    }),
  ),
  /** Messages around one, oldest first, with itself. `refused`: the viewer may not read that channel. */
  context: call<{ readonly messages: readonly ContextMessage[]; readonly refused: boolean }>()(
    v.object({ cid, messageId, parentId: v.optional(messageId) }),
  ),
  author: call<ReviewedAuthor>()(v.object({ userId })),
  /**
   * Other messages with the same text, 100 at most: from our own server those that the viewer may search there, else from
   * this device. Also without a connection. Null: nothing can be searched.
   */
  sameText: call<SameText | null>()(v.object({ messageId, text: v.pipe(v.string(), v.maxLength(20_000)) })),
  /** Reports these messages, unless they are in the queue already. Returns the items of those that wait. */
  gather: call<{ readonly ids: readonly string[] }>()(
    v.object({ messageIds: several(messageId), reason: v.optional(shortText) }),
  ),
  /**
   * Decides about items; works without a connection. Not applied to an item that another moderator decided after
   * `seenAt`: that one is shown in the queue and in the outbox with the reason. Returns the ids of the decisions, for
   * `undo`. Rejects with `outbox/full` and `disk/full`; then nothing is queued.
   */
  decide: call<{ readonly ids: readonly string[] }>()(
    v.object({
      action: v.picklist(REVIEW_ACTIONS),
      items: several(
        v.object({
          id: key,
          /** `updatedAt` of the item that the viewer saw. */
          seenAt: moment,
          /** Identifies it in the outbox. */
          summary: shortText,
          cid: v.optional(cid),
        }),
      ),
      /** With `ban` and `unban`. */
      ban: v.optional(ban),
    }),
  ),
  /**
   * Takes decisions of this run back: queued ones are dropped, of the others the opposite is queued. `undone`: how many;
   * what was deleted for good stays so.
   */
  undo: call<{ readonly undone: number }>()(v.object({ ids: several(key) })),
  /** Called every 30 seconds while a window shows the queue: asks servers that do not notify of changes. */
  refresh: call<void>()(nothing),
  /**
   * What the viewer reported, and what became of it, newest first, 100 at most. For everyone; rejects with
   * `server/not-allowed` where the server does not show it.
   */
  mine: call<{ readonly reports: readonly OwnReport[]; readonly more: boolean }>()(v.object({ offset })),
}
