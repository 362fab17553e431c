import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { UnreadExplained, UnreadPlace } from '#shared/domain/unread.ts'
import type { ChannelInvite } from '#shared/domain/channel.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { aim, cid, duration, key, line, messageId, nothing, picture, shortText, userId } from '../schemas.ts'

const people = v.pipe(v.array(userId), v.minLength(1), v.maxLength(100))

/** Channels: opening and paging their timelines, reading, muting, making new ones. */
export const channels = {
  /** Opens the timeline window of a channel, or moves it: see {@link aim}. */
  open: call<MessageId | null>()(v.object({ cid, ...aim })),
  /** Closes the window: nothing but counters arrives for this channel afterwards. */
  close: call<void>()(v.object({ cid })),
  /** Grows the window by a page. No error when there is nothing more. */
  page: call<void>()(v.object({ cid, direction: v.picklist(['older', 'newer']) })),
  /** Everything up to the newest message is read. Throttled to one request a second in the engine, never lost. */
  markRead: call<void>()(v.object({ cid })),
  /**
   * Why a channel (or one of its threads, by `parentId`) is unread, or is not: by reason, what was left out, and where the
   * mark stands. From this computer alone.
   */
  whyUnread: call<UnreadExplained>()(v.object({ cid, parentId: v.optional(messageId) })),
  /**
   * This message and all after it are unread again; where the server takes no such mark, on this computer alone, and a
   * notice says so. Rejects with `network/offline`.
   */
  markUnread: call<void>()(v.object({ cid, messageId })),
  /** Everything in every channel is read. Without a connection the marks wait in the outbox. */
  markAllRead: call<number>()(nothing),
  /** As {@link markAllRead}, for some channels. Both answer how many were unread. */
  markManyRead: call<number>()(v.object({ cids: v.pipe(v.array(cid), v.maxLength(5_000)) })),
  /**
   * Undoes the last {@link markAllRead} and {@link markManyRead}, wholly or for some channels: each is unread again from
   * the very message it was. Answers how many. Rejects with `network/offline` where the server knows already.
   */
  undoRead: call<number>()(v.object({ cids: v.optional(v.pipe(v.array(cid), v.maxLength(5_000))) })),
  /** Channels and threads with something unread, in the order of the list. From this computer alone. */
  unreadPlaces: call<readonly UnreadPlace[]>()(nothing),
  /** Loads a channel or thread again, so that what is counted is right. Rejects with `network/offline`. */
  recount: call<void>()(v.object({ cid, parentId: v.optional(messageId) })),
  /** `forMs`: milliseconds after which the channel speaks again by itself. Rejects with `network/offline`. */
  mute: call<void>()(v.object({ cid, muted: v.boolean(), forMs: v.optional(duration) })),
  /** On top of the viewer's own list. Rejects with `network/offline`. */
  pin: call<void>()(v.object({ cid, pinned: v.boolean() })),
  /** Out of the viewer's own list, and back. Rejects with `network/offline`. */
  archive: call<void>()(v.object({ cid, archived: v.boolean() })),
  /**
   * Takes the channel off the viewer's list until someone writes in it, or puts it back. `clearHistory` also drops for
   * the viewer what was written so far. Rejects with `network/offline`.
   */
  hide: call<void>()(v.object({ cid, hidden: v.boolean(), clearHistory: v.optional(v.boolean(), false) })),
  /** The viewer is a member no longer. Rejects with `network/offline`, `server/not-allowed`. */
  leave: call<void>()(v.object({ cid })),
  /** The viewer becomes a member by themselves. Rejects with `network/offline`, `server/not-allowed`. */
  join: call<void>()(v.object({ cid })),
  /** For everyone and for good. Needs `delete-channel`. Rejects with `network/offline`, `server/not-allowed`. */
  delete: call<void>()(v.object({ cid })),
  /** Takes away all that was written so far, for everyone. Needs `update-channel`. Rejects as {@link delete} does. */
  clearHistory: call<void>()(v.object({ cid })),
  /**
   * Changes what is given and leaves the rest; an empty `topic` is taken away. Needs `update-channel`; `frozen` needs
   * `freeze-channel`, `cooldown` (seconds) `set-channel-cooldown`. Rejects with `network/offline`, `server/not-allowed`.
   */
  update: call<void>()(
    v.object({
      cid,
      name: v.optional(line),
      topic: v.optional(v.pipe(shortText, v.trim())),
      frozen: v.optional(v.boolean()),
      cooldown: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(120))),
      typingEvents: v.optional(v.boolean()),
      sharedLocations: v.optional(v.boolean()),
    }),
  ),
  /**
   * The channel's picture, at most 600 kB; without one it is taken away. Needs `update-channel` and `upload-file`.
   * Rejects as {@link update} does, and with `upload/blocked` when the server does not take it.
   */
  setImage: call<void>()(
    v.object({
      cid,
      image: v.optional(picture),
    }),
  ),
  /** Needs `update-channel-members`. Rejects with `network/offline`, `server/not-allowed`. */
  addMembers: call<void>()(v.object({ cid, userIds: people })),
  removeMembers: call<void>()(v.object({ cid, userIds: people })),
  /** Gives a member the channel's moderation, or takes it back. Rejects as {@link addMembers} does. */
  moderate: call<void>()(v.object({ cid, userId, moderator: v.boolean() })),
  /** Asks people in: they become members when they accept. Rejects as {@link addMembers} does. */
  invite: call<void>()(v.object({ cid, userIds: people })),
  /** Invitations that wait for the viewer's answer. Empty without a connection. */
  invites: call<readonly ChannelInvite[]>()(nothing),
  /** An accepted channel joins the list. Rejects with `network/offline`, `server/not-found`. */
  answerInvite: call<void>()(v.object({ cid, accept: v.boolean() })),
  /** Tells others that the user types (sent at most every 2 s), or has stopped. */
  typing: call<void>()(v.object({ cid, parentId: v.optional(messageId), typing: v.boolean() })),
  /** Asks an assistant to leave its answer at that. Rejects with `network/offline` without a connection. */
  stopAssistant: call<void>()(v.object({ cid, parentId: v.optional(messageId) })),
  /** Makes a channel and answers its cid. Needs a connection; rejects with `network/offline` without one. */
  create: call<Cid>()(
    v.object({
      name: line,
      /** Absent: made from the name. */
      id: v.optional(v.pipe(shortText, v.minLength(1))),
      isPrivate: v.boolean(),
      memberIds: v.pipe(v.array(userId), v.maxLength(100)),
    }),
  ),
  /**
   * Opens the direct conversation with these people, making it when there is none; with the viewer alone their notes to
   * themselves. Rejects with `network/offline`, or `channel/notes-shared` when someone else is in them.
   */
  direct: call<Cid>()(v.object({ userIds: v.pipe(v.array(userId), v.minLength(1), v.maxLength(20)) })),
  /**
   * Members of a channel from the cache, refreshed from the server (its first hundred); with `text` those whose names
   * begin so are brought along (ten of them), for channels with more. Without a connection those held.
   */
  members: call<readonly UserId[]>()(v.object({ cid, text: v.optional(v.pipe(shortText, v.trim()), '') })),
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
