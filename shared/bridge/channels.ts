import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { UnreadExplained } from '#shared/domain/unread.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { cid, key, messageId, nothing, shortText, userId } from './schemas.ts'

/** Channels: opening and paging their timelines, reading, muting, making new ones. */
export const channels = {
  /**
   * Opens (or re-aims) the timeline window of a channel. Answers when the cached page is on its way; the network follows.
   * `around` puts the window around a message, loading it when it is not cached. Rejects with `message/gone`.
   */
  open: call<void>()(v.object({ cid, around: v.optional(messageId) })),
  /** Closes the window: nothing but counters arrives for this channel afterwards. */
  close: call<void>()(v.object({ cid })),
  /** Grows the window by a page. No error when there is nothing more. */
  page: call<void>()(v.object({ cid, direction: v.picklist(['older', 'newer']) })),
  /** Moves the window to the newest page. */
  latest: call<void>()(v.object({ cid })),
  /** Everything up to the newest message is read. Throttled to one request a second in the engine, never lost. */
  markRead: call<void>()(v.object({ cid })),
  /**
   * Why a channel (or one of its threads, by `parentId`) is unread, or is not: by reason, what was left out, and where the
   * mark stands. From this computer alone.
   */
  whyUnread: call<UnreadExplained>()(v.object({ cid, parentId: v.optional(messageId) })),
  /** This message and all after it are unread again. */
  markUnread: call<void>()(v.object({ cid, messageId })),
  mute: call<void>()(v.object({ cid, muted: v.boolean() })),
  pin: call<void>()(v.object({ cid, pinned: v.boolean() })),
  /** Tells others that the user types (sent at most every 2 s), or has stopped. */
  typing: call<void>()(v.object({ cid, parentId: v.optional(messageId), typing: v.boolean() })),
  /** Makes a channel and answers its cid. Needs a connection; rejects with `network/offline` without one. */
  create: call<Cid>()(
    v.object({
      name: v.pipe(shortText, v.minLength(1)),
      isPrivate: v.boolean(),
      memberIds: v.pipe(v.array(userId), v.maxLength(100)),
    }),
  ),
  /** Opens the direct conversation with these people, making it when there is none. */
  direct: call<Cid>()(v.object({ userIds: v.pipe(v.array(userId), v.minLength(1), v.maxLength(20)) })),
  /** Members of a channel from the cache, refreshed from the server; the newest answer wins. */
  members: call<readonly UserId[]>()(v.object({ cid })),
  /**
   * People one may write to: those known already, refreshed from the server (its first hundred). A person who shares no
   * channel with the viewer is known from then on. Never rejects for want of a connection.
   */
  people: call<readonly UserId[]>()(nothing),
  /** Loads the channel list again after it failed. */
  reload: call<void>()(nothing),
  /** Opens the list of pinned messages as a window `pinned:<cid>`. */
  openPinned: call<void>()(v.object({ cid })),
  closePinned: call<void>()(v.object({ cid: key })),
}
