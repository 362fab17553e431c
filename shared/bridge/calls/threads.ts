import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { aim, cid, messageId } from '../schemas.ts'

/** See docs/wire.md 3.5. */
const MAX_TITLE = 255

/** Threads: the replies to one message, as a window `thread:<parentId>`. */
export const threads = {
  /** Opens the window of a thread, or moves it: see {@link aim}. */
  open: call<MessageId | null>()(v.object({ cid, parentId: messageId, ...aim })),
  close: call<void>()(v.object({ parentId: messageId })),
  page: call<void>()(v.object({ parentId: messageId, direction: v.picklist(['older', 'newer']) })),
  /**
   * The threads the viewer takes part in or follows, as the window `threads`: the cached ones at once, then refreshed
   * (at most once a second while open). Each id is a thread's first message, which is included with its newest reply
   * (`Message.thread.lastReplyId`). The number of unread threads is in the entity `inbox`.
   */
  openInbox: call<void>()(v.undefined()),
  closeInbox: call<void>()(v.undefined()),
  /** Its next page (`hasNext`). Does nothing if there is none, or without a connection. */
  pageInbox: call<void>()(v.undefined()),
  markRead: call<void>()(v.object({ cid, parentId: messageId })),
  /**
   * Unread from this reply on, or from the first one. As in a channel, on this device only if the server does not
   * support such a mark. Rejects with `network/offline`.
   */
  markUnread: call<void>()(v.object({ cid, parentId: messageId, messageId: v.optional(messageId) })),
  /**
   * Follows or unfollows a thread: only a followed one is ever unread. Stored on this device, since the contract has no
   * following; participants follow automatically.
   */
  follow: call<void>()(v.object({ cid, parentId: messageId, follows: v.boolean() })),
  /**
   * Sets the title of a thread for everyone; an empty one removes it. Rejects with `network/offline`, `message/gone`
   * and `server/not-allowed`.
   */
  rename: call<void>()(
    v.object({ cid, parentId: messageId, title: v.pipe(v.string(), v.trim(), v.maxLength(MAX_TITLE)) }),
  ),
}
