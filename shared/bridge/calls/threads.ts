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
   * The threads the viewer takes part in or follows, as the window `threads`: at once as last known, then refreshed (at
   * most once a second while open). Each id is a thread's first message, which comes along with its newest reply
   * (`Message.thread.lastReplyId`). How many have something unread stands in the entity `inbox`.
   */
  openInbox: call<void>()(v.undefined()),
  closeInbox: call<void>()(v.undefined()),
  /** The next page of it (`hasNext`). Nothing happens when there is none, or no connection. */
  pageInbox: call<void>()(v.undefined()),
  markRead: call<void>()(v.object({ cid, parentId: messageId })),
  /**
   * Unread from this reply on, or from the first one. As in a channel, on this computer alone where the server
   * takes no such mark. Rejects with `network/offline`.
   */
  markUnread: call<void>()(v.object({ cid, parentId: messageId, messageId: v.optional(messageId) })),
  /**
   * Follows a thread or leaves it: only a followed one is ever unread. Kept on this computer, since the contract knows no
   * following; anyone who takes part follows by itself.
   */
  follow: call<void>()(v.object({ cid, parentId: messageId, follows: v.boolean() })),
  /**
   * Gives a thread a name for everyone; an empty one takes it away. Rejects with `network/offline`, `message/gone` and
   * `server/not-allowed`.
   */
  rename: call<void>()(
    v.object({ cid, parentId: messageId, title: v.pipe(v.string(), v.trim(), v.maxLength(MAX_TITLE)) }),
  ),
}
