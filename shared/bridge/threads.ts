import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { cid, messageId } from './schemas.ts'

/** Threads: the replies to one message, as a window `thread:<parentId>`. */
export const threads = {
  open: call<void>()(v.object({ cid, parentId: messageId, around: v.optional(messageId) })),
  close: call<void>()(v.object({ parentId: messageId })),
  page: call<void>()(v.object({ parentId: messageId, direction: v.picklist(['older', 'newer']) })),
  /**
   * The threads the viewer takes part in, as the window `threads`: at once as last known, then refreshed (at most once a
   * second while open). Each id is a thread's first message, which comes along with its newest reply
   * (`Message.thread.lastReplyId`). How many have something unread stands in the entity `inbox`.
   */
  openInbox: call<void>()(v.undefined()),
  closeInbox: call<void>()(v.undefined()),
  /** The next page of it (`hasNext`). Nothing happens when there is none, or no connection. */
  pageInbox: call<void>()(v.undefined()),
  markRead: call<void>()(v.object({ cid, parentId: messageId })),
}
