import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { MessageRevision, NearestMention } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { MAX_FILES_PER_MESSAGE, REACTION_SCORE_LIMIT } from '#shared/constants.ts'
import { cid, key, longText, messageId, shortText, text, userId } from '../schemas.ts'

const place = v.pipe(v.number(), v.integer(), v.minValue(0))
const time = v.pipe(v.number(), v.finite(), v.minValue(0))
const undoForMs = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)))
const reach = v.optional(v.pipe(v.array(v.picklist(['channel', 'here'])), v.maxLength(2)))
const reactionType = v.pipe(v.string(), v.minLength(1), v.maxLength(30))

/** Messages: everything that goes through the outbox, so it works with no network. */
export const messages = {
  /**
   * Accepts a message. The answer comes only after it is committed to disk: from then on it is never lost.
   * Rejects with `composer/empty`, `composer/too-long`, `composer/uploads-in-progress`, `outbox/full` or `disk/full`,
   * and with `message/just-sent` where another window of the person sent the same within seconds (see `again`);
   * the caller keeps the text in all of them.
   */
  send: call<MessageId>()(
    v.object({
      /** Made by the window, so that what is handed in a second time, because no answer came, is the same message. */
      id: v.optional(v.pipe(v.string(), v.uuid())),
      cid,
      text: longText,
      parentId: v.optional(messageId),
      quotedId: v.optional(messageId),
      showInChannel: v.optional(v.boolean(), false),
      mentionedUserIds: v.optional(v.pipe(v.array(userId), v.maxLength(100)), []),
      /** Calls everyone of the channel, or those who are there. Kept only where the text says so too. */
      reach,
      uploadIds: v.optional(v.pipe(v.array(key), v.maxLength(30)), []),
      /** Files of other messages that go along, by their address: see `rules/forward`. `message/gone` when one is not held. */
      files: v.optional(v.pipe(v.array(v.object({ messageId, index: place })), v.maxLength(MAX_FILES_PER_MESSAGE)), []),
      /** Links whose previews go along: addresses `links.preview` answered. One no longer known is left out. */
      previewUrls: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_048))), v.maxLength(10))),
      /** The server is to look at no link of it. Links that settings forbid are never looked at, whatever is said here. */
      skipEnrich: v.optional(v.boolean()),
      /** "Send when ready", and always while offline: the message waits in the outbox for its files. */
      whenReady: v.optional(v.boolean(), false),
      /** No one is notified of it, and it counts as unread for no one. */
      silent: v.optional(v.boolean()),
      /** "Send later": in the outbox until then, outside every lane. Epoch milliseconds of this computer. */
      sendAt: v.optional(time),
      /** Held back so long, in sight, that `outbox.takeBack` can undo it. */
      undoForMs,
      /**
       * Words too long for one message go as several, in order and all or none of them (`rules/split-text`); the answer names
       * the first. Files and the quote go with it. Without this they are refused as `composer/too-long`.
       */
      split: v.optional(v.boolean()),
      /** It was not written in the composer of its place: what stands there stays. */
      keepsDraft: v.optional(v.boolean()),
      /** The draft of its place as this window knew it (`draftRevisions`): what another window wrote since stays there. */
      draftRevision: v.optional(v.number()),
      /** Meant, although another window has just sent the same. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * Changes the words of an own message; merged into it when it is still unsent. `keptAttachments` are the `index` of the
   * attachments that stay (absent: all that are shown); those of an unsent message stay.
   */
  edit: call<void>()(
    v.object({
      messageId,
      text,
      mentionedUserIds: v.optional(v.pipe(v.array(userId), v.maxLength(100)), []),
      reach,
      keptAttachments: v.optional(v.pipe(v.array(place), v.maxLength(100))),
    }),
  ),
  /**
   * Deletes a file of an own message on the server, for everyone and wherever else it is named; the message goes on naming
   * it until an edit takes it out. `index` is the attachment's. What the server does not have any more is deleted. Rejects
   * with `network/offline`, `message/gone`, `server/not-allowed`.
   */
  deleteFile: call<void>()(v.object({ messageId, index: place })),
  /**
   * Deletes an own message for everyone; an unsent one is only dropped. With `undoForMs` nothing of it leaves this
   * computer so long, and `undelete` brings it back; a message still unsent is held back with it.
   */
  delete: call<void>()(v.object({ messageId, undoForMs })),
  /** Undoes a deletion that is still held back. Rejects with `message/deletion-done` when it is not. */
  undelete: call<void>()(v.object({ messageId })),
  /** Adds the reaction, or takes it back when it is already the viewer's. */
  toggleReaction: call<void>()(v.object({ messageId, type: reactionType })),
  /** Gives a reaction with this score, or raises the viewer's own to it; a lower one than it has changes nothing. */
  scoreReaction: call<void>()(
    v.object({
      messageId,
      type: reactionType,
      score: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(REACTION_SCORE_LIMIT)),
    }),
  ),
  pin: call<void>()(v.object({ messageId, pinned: v.boolean() })),
  /**
   * The next message by someone else before or after this one that names the viewer, held or not: the server is asked where
   * something between may be missing. Never rejects for want of a line: `isWhole` says whether it could be asked.
   */
  nearestMention: call<NearestMention>()(
    v.object({ cid, parentId: v.optional(messageId), messageId, direction: v.picklist(['older', 'newer']) }),
  ),
  /** Shows an own reply in the channel too, from now on. Rejects with `network/offline`, or as the server refuses. */
  alsoInChannel: call<void>()(v.object({ messageId })),
  /**
   * Presses a button of a command's answer. Rejects with `network/offline`, and with `message/answer-over` when the server
   * no longer knows the answer; then it is gone from the screen too.
   */
  press: call<void>()(
    v.object({ messageId, name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)), value: shortText }),
  ),
  /** Takes a command's answer or an error of the server off the screen: no one else ever saw it. */
  dismiss: call<void>()(v.object({ messageId })),
  /** Words an edited message had before, oldest first, as far as this computer saw them. */
  revisions: call<readonly MessageRevision[]>()(v.object({ messageId })),
  /** Reports a message to those who moderate. Rejects with `network/offline`, `message/gone`, `server/not-allowed`. */
  flag: call<void>()(v.object({ messageId, reason: v.optional(shortText) })),
}
