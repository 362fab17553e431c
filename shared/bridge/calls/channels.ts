import * as v from 'valibot'
import { call } from '../../lib/contract.ts'
import type { UnreadExplained, UnreadPlace, CatchUpPage } from '../../domain/unread.ts'
import type { ChannelInvite, BrowsePage, ChannelAbout, MemberPage, MediaPage } from '../../domain/channel.ts'
import type { Cid, MessageId, UserId } from '../../lib/brand.ts'
import { aim, cid, duration, key, line, messageId, nothing, picture, shortText, userId } from '../schemas.ts'

const people = v.pipe(v.array(userId), v.minLength(1), v.maxLength(100))
/** Epoch milliseconds. */
const moment = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))

/** Channels: opening and paging their timelines, reading, muting, creating. */
export const channels = {
  /** Opens the timeline window of a channel, or moves it: see {@link aim}. */
  open: call<MessageId | null>()(v.object({ cid, ...aim })),
  /** Closes the window: only counters are pushed for this channel afterwards. */
  close: call<void>()(v.object({ cid })),
  /** Grows the window by a page. Succeeds if there is nothing more to load. */
  page: call<void>()(v.object({ cid, direction: v.picklist(['older', 'newer']) })),
  /** Everything up to the newest message is read. Throttled to one request a second in the engine, never lost. */
  markRead: call<void>()(v.object({ cid })),
  /**
   * Why a channel (or one of its threads, by `parentId`) is unread or not: counts by reason, messages not counted, and
   * the position of the read mark. Computed from the cache only.
   */
  whyUnread: call<UnreadExplained>()(v.object({ cid, parentId: v.optional(messageId) })),
  /**
   * Marks this message and all after it unread; if the server does not support such a mark, on this device only, with a
   * notice. Rejects with `network/offline`.
   */
  markUnread: call<void>()(v.object({ cid, messageId })),
  /**
   * Marks every channel read. Returns how many were unread. Without a connection the marks are queued in the outbox.
   */
  markAllRead: call<number>()(nothing),
  /** Like {@link markAllRead}, for some channels. */
  markManyRead: call<number>()(v.object({ cids: v.pipe(v.array(cid), v.maxLength(5_000)) })),
  /**
   * Undoes the last {@link markAllRead} and {@link markManyRead}, entirely or for some channels: each is unread again
   * from exactly the message it was. Returns how many. Rejects with `network/offline` if the server has already
   * received the marks.
   */
  undoRead: call<number>()(v.object({ cids: v.optional(v.pipe(v.array(cid), v.maxLength(5_000))) })),
  /** Channels and threads with something unread, in list order. Computed from the cache only. */
  unreadPlaces: call<readonly UnreadPlace[]>()(nothing),
  /**
   * What matters since a time, in groups of at most 50, from the cache only; with `cid`, of that channel alone. `unread`:
   * only what is after the read marks. The bars count the messages of `barCount` parts of equal length, from `barsFrom`
   * to now.
   */
  catchUp: call<CatchUpPage>()(
    v.object({
      since: moment,
      unread: v.boolean(),
      cid: v.optional(cid),
      keywords: v.optional(v.pipe(v.array(shortText), v.maxLength(50)), []),
      barsFrom: moment,
      barCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
    }),
  ),
  /**
   * Loads messages of channels back to a time, up to 500 of each. Returns the channels that could not be loaded. Rejects
   * with `network/offline`.
   */
  loadSince: call<readonly Cid[]>()(v.object({ cids: v.pipe(v.array(cid), v.maxLength(200)), since: moment })),
  /** Loads a channel or thread again to correct its unread count. Rejects with `network/offline`. */
  recount: call<void>()(v.object({ cid, parentId: v.optional(messageId) })),
  /** `forMs`: milliseconds after which the mute ends automatically. Rejects with `network/offline`. */
  mute: call<void>()(v.object({ cid, muted: v.boolean(), forMs: v.optional(duration) })),
  /** Pins to the top of the viewer's own list. Rejects with `network/offline`. */
  pin: call<void>()(v.object({ cid, pinned: v.boolean() })),
  /** Removes the channel from the viewer's own list, or restores it. Rejects with `network/offline`. */
  archive: call<void>()(v.object({ cid, archived: v.boolean() })),
  /**
   * Removes the channel from the viewer's list until someone writes in it, or puts it back. `clearHistory` also removes
   * earlier messages for the viewer. Rejects with `network/offline`.
   */
  hide: call<void>()(v.object({ cid, hidden: v.boolean(), clearHistory: v.optional(v.boolean(), false) })),
  /** Ends the viewer's membership. Rejects with `network/offline`, `server/not-allowed`. */
  leave: call<void>()(v.object({ cid })),
  /** Adds the viewer as a member. Rejects with `network/offline`, `server/not-allowed`. */
  join: call<void>()(v.object({ cid })),
  /** Permanent, for everyone. Needs `delete-channel`. Rejects with `network/offline`, `server/not-allowed`. */
  delete: call<void>()(v.object({ cid })),
  /** Deletes all messages so far, for everyone. Needs `update-channel`. Rejects as {@link delete} does. */
  clearHistory: call<void>()(v.object({ cid })),
  /**
   * Changes the given fields and leaves the rest; an empty `topic` removes it. Needs `update-channel`; `frozen` needs
   * `freeze-channel`, `cooldown` (seconds) `set-channel-cooldown`. Rejects with `network/offline`,
   * `server/not-allowed`.
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
   * The channel's picture, at most 600 kB; absent removes it. Needs `update-channel` and `upload-file`. Rejects as
   * {@link update} does, and with `upload/blocked` if the server refuses it.
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
  /** Makes a member a moderator of the channel, or removes that role. Rejects as {@link addMembers} does. */
  moderate: call<void>()(v.object({ cid, userId, moderator: v.boolean() })),
  /** Roles that a member may be given, by name. Rejects with `network/offline`. */
  memberRoles: call<readonly string[]>()(nothing),
  /** Gives a member a role in the channel. Rejects as {@link addMembers} does. */
  assignRole: call<void>()(v.object({ cid, userId, role: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)) })),
  /** Invites people: they become members when they accept. Rejects as {@link addMembers} does. */
  invite: call<void>()(v.object({ cid, userIds: people })),
  /** Invitations that the viewer has not answered. Empty without a connection. */
  invites: call<readonly ChannelInvite[]>()(nothing),
  /** An accepted channel joins the list. Rejects with `network/offline`, `server/not-found`. */
  answerInvite: call<void>()(v.object({ cid, accept: v.boolean() })),
  /** Sends that the user is typing (at most every 2 s) or has stopped. */
  typing: call<void>()(v.object({ cid, parentId: v.optional(messageId), typing: v.boolean() })),
  /** Asks an assistant to stop generating. Rejects with `network/offline` without a connection. */
  stopAssistant: call<void>()(v.object({ cid, parentId: v.optional(messageId) })),
  /** Creates a channel and returns its cid. Rejects with `network/offline` without a connection. */
  create: call<Cid>()(
    v.object({
      name: line,
      /** Absent: derived from the name. */
      id: v.optional(v.pipe(shortText, v.minLength(1))),
      isPrivate: v.boolean(),
      memberIds: v.pipe(v.array(userId), v.maxLength(100)),
    }),
  ),
  /**
   * Opens the direct conversation with these people and creates it if needed; with the viewer alone, their notes to
   * self. Rejects with `network/offline`, or `channel/notes-shared` if someone else is a member of the notes.
   */
  direct: call<Cid>()(v.object({ userIds: v.pipe(v.array(userId), v.minLength(1), v.maxLength(20)) })),
  /**
   * Members of a channel from the cache, refreshed from the server (its first hundred); with `text`, up to ten whose
   * names start with it are added, for larger channels. Without a connection, the cached ones.
   */
  members: call<readonly UserId[]>()(v.object({ cid, text: v.optional(v.pipe(shortText, v.trim()), '') })),
  /**
   * People the viewer can write to: cached ones, refreshed from the server (its first hundred). People who share no
   * channel with the viewer are cached from then on. Never rejects for lack of a connection.
   */
  people: call<readonly UserId[]>()(nothing),
  /** Loads the channel list again after a failure. */
  reload: call<void>()(nothing),
  /** Opens the list of pinned messages as a window `pinned:<cid>`. */
  openPinned: call<void>()(v.object({ cid })),
  closePinned: call<void>()(v.object({ cid: key })),
}

const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000))
const cursor = v.object({ createdAt: v.number(), id: v.pipe(v.string(), v.maxLength(255)) })

const tab = v.picklist(['media', 'files', 'links', 'polls'])
const ask = v.optional(v.picklist(['cache', 'server']), 'cache')

const mediaFilter = v.object({
  userId: v.optional(userId),
  kind: v.optional(v.picklist(['image', 'video', 'audio', 'file'])),
  minBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  from: v.optional(v.pipe(v.number(), v.minValue(0))),
})

/** Channel details: its members, its media, and the channels one can browse. */
export const details = {
  /** From the cache only. Rejects with `server/not-found` if the channel is not cached. */
  about: call<ChannelAbout>()(v.object({ cid })),
  /**
   * Who has the channel open now, from the server: at most thirty. Empty without a connection. Rejects as the server
   * does.
   */
  here: call<readonly UserId[]>()(v.object({ cid })),
  /**
   * Members. Without `offset`, the cached ones at once; with it, the server is queried for the hundred after that
   * offset (in join order), or for those matching `text`, and the result is everyone cached afterwards. Never rejects
   * for lack of a connection.
   */
  members: call<MemberPage>()(v.object({ cid, offset: v.optional(offset), text: v.optional(shortText) })),
  /**
   * Images and videos, files, links or polls of a channel, newest first, that match all words of `text` and every given
   * filter of `only`: author, kind, minimum bytes, earliest time. Call twice for the best of both, as in
   * `search.messages`. Rejects with `search/unavailable`.
   */
  media: call<MediaPage>()(
    v.object({
      cid,
      tab,
      text: v.optional(shortText, ''),
      only: v.optional(mediaFilter, {}),
      cursor: v.optional(cursor),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 30),
      ask,
    }),
  ),
  /**
   * Everyone who has something in a media tab of a channel, unordered. `ask: 'server'` also searches for items of up to
   * a hundred members matching `text` (the first ones if it is empty); for links and polls the contract has no such
   * query, and it never rejects for lack of a connection. Rejects with `search/unavailable`.
   */
  mediaPeople: call<readonly UserId[]>()(v.object({ cid, tab, text: v.optional(shortText, ''), ask })),
  /**
   * Channels the viewer can see, from the server: thirty after `offset`, including joined ones. Rejects with
   * `network/offline`.
   */
  browse: call<BrowsePage>()(
    v.object({
      text: v.optional(shortText, ''),
      sort: v.optional(v.picklist(['activity', 'members', 'name']), 'activity'),
      offset: v.optional(offset, 0),
    }),
  ),
  /** Loads channels that were hidden on another device. Does nothing without a connection. */
  hidden: call<void>()(v.undefined()),
  /** Channels that both the viewer and this person are in, as far as they are cached. */
  shared: call<readonly Cid[]>()(v.object({ userId })),
}

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
