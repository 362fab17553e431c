import * as v from 'valibot'
import type { TrackPoint } from '#shared/domain/place.ts'
import { call } from '../../lib/contract.ts'
import {
  FILE_PIECE_BYTES,
  MAX_POLL_OPTIONS,
  MIN_LOCATION_SHARE_MS,
  MAX_FILES_PER_MESSAGE,
  REACTION_SCORE_LIMIT,
  WAVEFORM_STEPS,
} from '../../constants.ts'
import type { MessageRevision, NearestMention } from '../../domain/message.ts'
import type { MessageId, UserId, Cid } from '../../lib/brand.ts'
import { cid, key, longText, messageId, pageCursor, shortText, text, userId, line, nothing } from '../schemas.ts'
import type { LinkPreview, Upload } from '../../domain/attachment.ts'
import { EMOJI_ALIASES, EMOJI_BYTES, EMOJI_NAME_LENGTH, EMOJI_TYPES } from '../../domain/emoji.ts'
import type { DraftVersion } from '../../domain/draft.ts'
import type { SentPlace } from '../../domain/intent.ts'
import type { PollDefinition } from '../../domain/poll.ts'

const place = v.pipe(v.number(), v.integer(), v.minValue(0))
const time = v.pipe(v.number(), v.finite(), v.minValue(0))
const undoForMs = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)))
const broadcasts = v.optional(v.pipe(v.array(v.picklist(['channel', 'here'])), v.maxLength(2)))
const reactionType = v.pipe(v.string(), v.minLength(1), v.maxLength(30))

/** Messages: everything here goes through the outbox unless noted, so it works offline. */
export const messages = {
  /**
   * Accepts a message. Resolves only after it is committed to disk, so that it cannot be lost. Rejects with
   * `composer/empty`, `composer/too-long`, `composer/uploads-in-progress`, `outbox/full` or `disk/full`, and with
   * `message/just-sent` where another window of the person sent the same within seconds (see `again`); in all of these
   * cases the caller must preserve the text.
   */
  send: call<MessageId>()(
    v.object({
      /** Created by the window, so that a retry after a missing response is the same message. */
      id: v.optional(v.pipe(v.string(), v.uuid())),
      cid,
      text: longText,
      parentId: v.optional(messageId),
      quotedId: v.optional(messageId),
      showInChannel: v.optional(v.boolean(), false),
      /** Those whom the text names: the window found them in it. */
      mentionedUserIds: v.optional(v.pipe(v.array(userId), v.maxLength(100)), []),
      /** Mentions everyone in the channel, or those who are online. Only if the text contains the mention too. */
      reach: broadcasts,
      uploadIds: v.optional(v.pipe(v.array(key), v.maxLength(30)), []),
      /**
       * Forwarded files of other messages, by address: see `rules/forward`. Rejects with `message/gone` if one is not
       * cached.
       */
      files: v.optional(v.pipe(v.array(v.object({ messageId, index: place })), v.maxLength(MAX_FILES_PER_MESSAGE)), []),
      /** Links whose previews are sent along: URLs that `links.preview` resolved. Unknown ones are left out. */
      previewUrls: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_048))), v.maxLength(10))),
      /** The server must not preview its links. Links that settings forbid are never previewed, whatever this is. */
      skipEnrich: v.optional(v.boolean()),
      /** "Send when ready", and always while offline: the message stays in the outbox until its files are uploaded. */
      whenReady: v.optional(v.boolean(), false),
      /** No notification, and it does not count as unread for anyone. */
      silent: v.optional(v.boolean()),
      /** "Send later": in the outbox until then, in no lane. Epoch milliseconds on this device's clock. */
      sendAt: v.optional(time),
      /** The delay before sending, during which the message is visible and `outbox.takeBack` can undo it. */
      undoForMs,
      /**
       * Text too long for one message is sent as several, in order and all or none of them (`rules/split-text`); the
       * result is the id of the first, which carries the files and the quote. Without this, long text rejects with
       * `composer/too-long`.
       */
      split: v.optional(v.boolean()),
      /** It was not written in the composer of its channel or thread: the draft there is preserved. */
      keepsDraft: v.optional(v.boolean()),
      /** It was sent from elsewhere, without opening the channel: what is unread there stays unread. */
      keepsUnread: v.optional(v.boolean()),
      /**
       * The revision of the draft (`draftRevisions`) this window knew: newer changes of another window are preserved.
       */
      draftRevision: v.optional(v.number()),
      /** Sends even though another window has just sent the same. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * Changes the text of the user's own message; merged into it if it is still unsent. `keptAttachments` are the `index`
   * of the attachments that remain (absent: all that are shown); those of an unsent message remain.
   */
  edit: call<void>()(
    v.object({
      messageId,
      text,
      mentionedUserIds: v.optional(v.pipe(v.array(userId), v.maxLength(100)), []),
      reach: broadcasts,
      keptAttachments: v.optional(v.pipe(v.array(place), v.maxLength(100))),
    }),
  ),
  /**
   * Deletes a file of the user's own message on the server, for everyone and wherever else it is referenced; the
   * message still references it until an edit removes it. `index` is the attachment's. A file that the server no longer
   * has counts as deleted. Rejects with `network/offline`, `message/gone`, `server/not-allowed`.
   */
  deleteFile: call<void>()(v.object({ messageId, index: place })),
  /**
   * Deletes the user's own message for everyone; an unsent one is only dropped. With `undoForMs` nothing is sent for
   * that time and `undelete` restores it; an unsent message is held back with it.
   */
  delete: call<void>()(v.object({ messageId, undoForMs })),
  /** Undoes a deletion that is still held back. Otherwise rejects with `message/deletion-done`. */
  undelete: call<void>()(v.object({ messageId })),
  /** Adds the reaction, or removes the viewer's own. */
  toggleReaction: call<void>()(v.object({ messageId, type: reactionType })),
  /** Adds a reaction with this score, or raises the viewer's own to it; a lower score changes nothing. */
  scoreReaction: call<void>()(
    v.object({
      messageId,
      type: reactionType,
      score: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(REACTION_SCORE_LIMIT)),
    }),
  ),
  /** `until`: when the pin ends, null: never; absent: unchanged. For a pinned message only its end changes. */
  pin: call<void>()(v.object({ messageId, pinned: v.boolean(), until: v.optional(v.nullable(time)) })),
  /**
   * The next message by someone else before or after this one that mentions the viewer, cached or not: the server is
   * queried if messages in between may be missing. Never rejects for lack of a connection: `isWhole` says whether it
   * could be queried.
   */
  nearestMention: call<NearestMention>()(
    v.object({ cid, parentId: v.optional(messageId), messageId, direction: v.picklist(['older', 'newer']) }),
  ),
  /** Also shows the user's own reply in the channel. Rejects with `network/offline`, or as the server refuses. */
  alsoInChannel: call<void>()(v.object({ messageId })),
  /**
   * Presses a button of a command's response. Rejects with `network/offline`, and with `message/answer-over` if the
   * server no longer knows the response; it is then removed from the screen too.
   */
  press: call<void>()(
    v.object({ messageId, name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)), value: shortText }),
  ),
  /** Removes a command's response or a server error from the screen; only the viewer could see it. */
  dismiss: call<void>()(v.object({ messageId })),
  /** Who reacted to a message with this, newest first, 100 at most. `next` absent: there are no more. */
  reactors: call<{ readonly userIds: readonly UserId[]; readonly next?: string }>()(
    v.object({ messageId, type: reactionType, next: v.optional(pageCursor) }),
  ),
  /** Earlier texts of an edited message, oldest first, as far as this device received them. */
  revisions: call<readonly MessageRevision[]>()(v.object({ messageId })),
  /** Reports a message to moderators. Rejects with `network/offline`, `message/gone`, `server/not-allowed`. */
  flag: call<void>()(v.object({ messageId, reason: v.optional(shortText) })),
}

const url = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https?:\/\/[^\s/]+\.[^\s]+$/i))

/** Link previews. Only the server fetches the page; neither the window nor this device does. */
export const links = {
  /**
   * Requests a preview from the server, once per URL while the program runs. Rejects with `network/offline`, with
   * `link/no-preview` if the page has no metadata or is not allowed, and otherwise with the server's error.
   */
  preview: call<LinkPreview>()(v.object({ url })),
  /** Cancels the request: the preview is no longer needed. */
  stop: call<void>()(v.object({ url })),
}

/**
 * Uploads. The renderer never names a path: it streams the bytes of a drop, a paste or a file field, and main copies
 * them to the staging folder before it resolves.
 */
export const uploads = {
  /** Announces a file; returns the upload with its rejection reason, if any, before any byte is sent. */
  begin: call<Upload>()(
    v.object({
      cid,
      /** The thread of the composer; absent: the channel itself. */
      parentId: v.optional(messageId),
      name: v.pipe(shortText, v.minLength(1)),
      sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      mimeType: shortText,
      width: v.optional(v.number()),
      height: v.optional(v.number()),
      /** A voice recording: seconds, and its loudness 0..1. */
      voice: v.optional(
        v.object({
          duration: v.pipe(v.number(), v.finite(), v.minValue(0)),
          waveform: v.pipe(v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), v.maxLength(WAVEFORM_STEPS)),
        }),
      ),
      /** Sends an image as a plain file, without a preview. */
      asFile: v.optional(v.boolean()),
      /** Alternative text of an image. */
      alt: v.optional(shortText),
      /**
       * The unsent upload of the same channel that it takes the place of, which does not count against the limits. It
       * stays until `cancel`.
       */
      replaces: v.optional(key),
    }),
  ),
  /**
   * A range of a staged file, for what the window draws on: pages cannot fetch. From `start`, at most `length` bytes,
   * fewer at the end of the file. Rejects with `upload/unknown` once it was sent, and while it is still being copied.
   */
  bytes: call<{ readonly base64: string; readonly sizeBytes: number }>()(
    v.object({
      id: key,
      start: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
      length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_PIECE_BYTES)),
    }),
  ),
  /** Appends a base64 chunk (at most 512 KiB of bytes). Rejects with `upload/unknown` or `disk/full`. */
  chunk: call<void>()(v.object({ id: key, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** All chunks were sent: the staged file is complete and the upload starts when connected. */
  finish: call<Upload>()(v.object({ id: key })),
  /** Tries a failed upload again, and resumes a paused one. */
  retry: call<void>()(v.object({ id: key })),
  /** Stops one upload until `retry`, also across restarts. Nothing happens if it has finished meanwhile. */
  pause: call<void>()(v.object({ id: key })),
  /**
   * Changes the file name and the alternative text; empty values remove them. Rejects with `upload/unknown` after it
   * was sent, and with `upload/name-refused` if the server does not accept that name.
   */
  describe: call<void>()(v.object({ id: key, alt: v.optional(shortText), name: v.optional(line) })),
  /** Removes it; without a message, a file that the server already has is deleted there too, once there is a connection. */
  cancel: call<void>()(v.object({ id: key })),
}

const emojiName = v.pipe(v.string(), v.minLength(1), v.maxLength(EMOJI_NAME_LENGTH))
const emojiAliases = v.pipe(v.array(emojiName), v.maxLength(EMOJI_ALIASES + 1))

/**
 * Custom emoji of the workspace, if the server has them. They arrive as entities; changing them needs a connection. All
 * reject with `network/offline`, `server/not-allowed`, `emoji/not-here`, and for names with `emoji/form`,
 * `emoji/reserved` or `emoji/taken` (the parameter `name` is the name in question).
 */
export const emoji = {
  /** Adds one. Rejects also with `emoji/full`, and with `emoji/picture` if the server refuses the image. */
  add: call<void>()(
    v.object({
      name: emojiName,
      aliases: v.optional(emojiAliases, []),
      base64: v.pipe(v.string(), v.maxLength(Math.ceil(EMOJI_BYTES / 3) * 4 + 4), v.base64()),
      mimeType: v.picklist(EMOJI_TYPES),
    }),
  ),
  /** Changes the name and the aliases; the previous name becomes an alias. Rejects also with `emoji/gone`. */
  change: call<void>()(v.object({ name: emojiName, to: emojiName, aliases: emojiAliases })),
  /** Texts that use it are unchanged. Rejects also with `emoji/gone`. */
  remove: call<void>()(v.object({ name: emojiName })),
}

const field = v.pipe(v.string(), v.maxLength(100))

/** {@link PollForm} while it is being edited. */
export const pollForm = v.object({
  name: shortText,
  description: v.pipe(v.string(), v.maxLength(5_000)),
  options: v.pipe(v.array(v.object({ id: place, text: shortText })), v.maxLength(MAX_POLL_OPTIONS)),
  enforceUniqueVote: v.boolean(),
  maxVotes: field,
  anonymous: v.boolean(),
  allowSuggestions: v.boolean(),
  allowAnswers: v.boolean(),
  closes: v.optional(v.object({ date: field, time: field })),
})

const indexes: v.GenericSchema<readonly number[], number[]> = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
  v.maxLength(100),
)

/**
 * Drafts are always saved on disk; an empty one is removed. With the setting `syncDrafts` the text (not the files) is
 * also stored on the server, at most one request in two seconds for each composer, and follows the viewer to other
 * devices: the entity `drafts` then changes without local input, the newest text wins, and the overwritten text is in
 * `conflict`.
 *
 * All windows of a person show the same draft: the entity `draftRevisions` increases with every change and when a draft
 * ends.
 */
export const drafts = {
  save: call<{ readonly revision: number }>()(
    v.object({
      cid,
      parentId: v.optional(messageId),
      text: longText,
      quotedId: v.optional(messageId),
      uploadIds: v.optional(v.pipe(v.array(key), v.maxLength(30)), []),
      caret: v.optional(place, 0),
      selectedTo: v.optional(place),
      showInChannel: v.optional(v.boolean(), false),
      /**
       * The entity `draftRevisions` as this window knew it. Newer changes of another window are preserved as
       * `conflict`. Absent: they are overwritten.
       */
      basedOn: v.optional(v.number()),
      /** An edit in progress in the same composer: see {@link DraftEdit}. */
      edit: v.optional(
        v.object({
          messageId,
          text: longText,
          original: text,
          dropped: v.optional(indexes),
          erased: v.optional(indexes),
        }),
      ),
    }),
  ),
  /** Appends text to a composer: nothing of either text is lost. */
  add: call<void>()(v.object({ cid, parentId: v.optional(messageId), text: longText })),
  /**
   * Saves a poll that is being edited with the draft of its channel; without a form it is removed. `of`: `NEW_POLL`, or
   * the outbox item whose poll was withdrawn to be changed.
   */
  savePoll: call<void>()(v.object({ cid, of: key, form: v.optional(pollForm) })),
  discard: call<void>()(v.object({ key })),
  /** The user restored or dismissed the text in `Draft.conflict`: it is deleted. */
  dismissConflict: call<void>()(v.object({ key })),
  /**
   * Earlier contents of one composer, or of all, within the last seven days; newest first, at most 200. Text that was
   * sent is not included. `forgetHistory` deletes all of it.
   */
  history: call<readonly DraftVersion[]>()(v.object({ key: v.optional(key) })),
  forgetHistory: call<void>()(nothing),
}

/** The outbox panel: what is queued, and what needs attention. */
export const outbox = {
  open: call<void>()(nothing),
  close: call<void>()(nothing),
  /** Tries a parked item again; resumes a paused upload. */
  retry: call<void>()(v.object({ id: key })),
  /** Stops an upload until `retry`, as `uploads.pause`; other items go on. */
  pause: call<void>()(v.object({ id: key })),
  /** Drops an item. Rejects with `outbox/in-flight` while it is in flight. */
  discard: call<void>()(v.object({ id: key })),
  /**
   * Changes the time of a scheduled message; without `at` it is sent now. Epoch milliseconds on this device's clock.
   * Rejects with `outbox/gone` if it is no longer scheduled.
   */
  schedule: call<void>()(v.object({ id: key, at: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))) })),
  /**
   * Takes an unsent message back: drops the item and returns its content for the composer. A poll or a location is
   * parked instead, until its form is sent with `replaces`. Rejects with `outbox/in-flight` or `outbox/gone`.
   */
  takeBack: call<{
    readonly text: string
    readonly cid: string
    readonly parentId?: string
    readonly quotedId?: string
    readonly uploadIds?: readonly string[]
    readonly showInChannel?: boolean
    readonly poll?: PollDefinition
    readonly place?: SentPlace
  }>()(v.object({ id: key })),
}

/** A live share of the viewer: its message, and when it ends automatically (epoch milliseconds). */
export type LiveShare = { readonly messageId: MessageId; readonly cid: Cid; readonly endAt: number }

const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
/** Milliseconds, from a minute to a day. */
const share = v.pipe(v.number(), v.integer(), v.minValue(MIN_LOCATION_SHARE_MS), v.maxValue(24 * 3_600_000))

/** Locations in messages (`Message.location`). They go through the outbox like text. */
export const locations = {
  /**
   * Sends a location as a separate message, rounded to its precision; with `forMs`, a live share that the server
   * ends. Never in a thread. A queued live share is dropped when less than a minute of it is left, and is not started
   * after a restart. `replaces` is an item that was withdrawn to be changed. If the server refuses, the item is parked
   * and a notice is shown. Rejects with `outbox/full`, `disk/full`.
   */
  share: call<MessageId>()(
    v.object({
      cid,
      latitude,
      longitude,
      precision: v.optional(v.picklist(['exact', 'near', 'city']), 'exact'),
      forMs: v.optional(share),
      /** This device's name for anyone who sees the location. Absent: not included. */
      device: v.optional(v.pipe(line, v.maxLength(60))),
      replaces: v.optional(key),
      /** Sends even though another window has just sent the same; otherwise that rejects with `message/just-sent`. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * The viewer moved: updates all live shares of this device, each with its own precision, at most every 3 s. Does
   * nothing without one.
   */
  move: call<void>()(v.object({ latitude, longitude })),
  /**
   * Ends a live share of the viewer now: this device sends no more updates, and without a connection the server is
   * informed as soon as there is one. Rejects with `message/gone`, or as the server refuses.
   */
  stop: call<void>()(v.object({ messageId })),
  /** Live shares of the viewer that are still active, from the server. Empty without a connection. */
  live: call<readonly LiveShare[]>()(v.undefined()),
  /**
   * The path of a live location, oldest first, as far as this device recorded it with the setting `locationTracks`.
   * Empty without the setting, and after the share has ended.
   */
  track: call<readonly TrackPoint[]>()(v.object({ messageId })),
}
