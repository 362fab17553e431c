import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cid, key, messageId, shortText, text, userId } from './schemas.ts'

const reactionType = v.pipe(v.string(), v.minLength(1), v.maxLength(30))

/** Messages: everything that goes through the outbox, so it works with no network. */
export const messages = {
  /**
   * Accepts a message. The answer comes only after it is committed to disk: from then on it is never lost.
   * Rejects with `composer/empty`, `composer/too-long`, `composer/uploads-in-progress`, `outbox/full` or `disk/full`;
   * the caller keeps the text in all of them.
   */
  send: call<MessageId>()(
    v.object({
      cid,
      text,
      parentId: v.optional(messageId),
      quotedId: v.optional(messageId),
      showInChannel: v.optional(v.boolean(), false),
      mentionedUserIds: v.optional(v.pipe(v.array(userId), v.maxLength(100)), []),
      uploadIds: v.optional(v.pipe(v.array(key), v.maxLength(30)), []),
      /** "Send when ready" (ruling 14), and always while offline: the message waits in the outbox for its files. */
      whenReady: v.optional(v.boolean(), false),
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
      keptAttachments: v.optional(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.maxLength(100))),
    }),
  ),
  /** Deletes an own message for everybody; an unsent one is only dropped. */
  delete: call<void>()(v.object({ messageId })),
  /** Adds the reaction, or takes it back when it is already the viewer's. */
  toggleReaction: call<void>()(v.object({ messageId, type: reactionType })),
  pin: call<void>()(v.object({ messageId, pinned: v.boolean() })),
  /** Reports a message to those who moderate. Rejects with `network/offline`, `message/gone`, `server/not-allowed`. */
  flag: call<void>()(v.object({ messageId, reason: v.optional(shortText) })),
}
