import * as v from 'valibot'
import { pollForm } from '#shared/bridge/calls/drafts.ts'
import { cid, key, longText, messageId, shortText, text, userId } from '#shared/bridge/schemas.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'

/** What an account file holds of one account's own database, entry by entry. See docs/account-file.md. */

const moment = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const indexes = v.optional(v.pipe(v.array(count), v.maxLength(100)))
const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))
const url = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https?:\/\//i))
/** An attachment in the form of the contract, as the server gave it. */
const wireAttachment = v.record(v.string(), v.unknown())

const draft = v.object({
  cid,
  parentId: v.optional(messageId),
  text: longText,
  quotedId: v.optional(messageId),
  showInChannel: v.boolean(),
  updatedAt: moment,
  /** A new poll that is being written. */
  poll: v.optional(pollForm),
  edit: v.optional(v.object({ messageId, text: longText, original: text, dropped: indexes, erased: indexes })),
})

const line = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
const poll = v.object({
  name: line,
  description: v.pipe(v.string(), v.maxLength(5_000)),
  options: v.pipe(v.array(line), v.minLength(1), v.maxLength(100)),
  enforceUniqueVote: v.boolean(),
  maxVotes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10))),
  anonymous: v.boolean(),
  allowSuggestions: v.boolean(),
  allowAnswers: v.boolean(),
  closesAt: v.optional(moment),
})

/** Without the picture of a preview or a quote: both are only on the device where it was written. */
const payload = v.object({
  text,
  mentionedUserIds: v.pipe(v.array(userId), v.maxLength(100)),
  reach: v.optional(v.pipe(v.array(v.picklist(['channel', 'here'])), v.maxLength(2))),
  showInChannel: v.boolean(),
  files: v.optional(
    v.pipe(
      v.array(
        v.object({
          kind: v.picklist(['image', 'video', 'audio', 'file', 'voiceRecording', 'giphy', 'link', 'other']),
          name: shortText,
          sizeBytes: count,
          mimeType: shortText,
          raw: wireAttachment,
        }),
      ),
      v.maxLength(MAX_FILES_PER_MESSAGE),
    ),
  ),
  previews: v.optional(
    v.pipe(
      v.array(
        v.object({
          shown: v.object({
            url,
            title: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
            text: v.optional(v.pipe(v.string(), v.maxLength(5_000))),
            siteName: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
          }),
          raw: wireAttachment,
        }),
      ),
      v.maxLength(10),
    ),
  ),
  skipEnrich: v.optional(v.boolean()),
  quotedId: v.optional(messageId),
  quoted: v.optional(v.object({ id: messageId, userId, text, deleted: v.boolean() })),
  pollId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
  poll: v.optional(poll),
  place: v.optional(
    v.object({
      latitude: degrees(90),
      longitude: degrees(180),
      precision: v.picklist(['exact', 'near', 'city']),
      device: v.optional(shortText),
    }),
  ),
  silent: v.optional(v.boolean()),
  unreadAfter: v.optional(moment),
  sendAt: v.optional(moment),
  part: v.optional(
    v.object({
      whole: messageId,
      after: v.pipe(v.string(), v.maxLength(100)),
      opened: v.pipe(v.string(), v.maxLength(1_000)),
      closed: v.pipe(v.string(), v.maxLength(1_000)),
    }),
  ),
  placedAt: moment,
})

/** An unsent message. Its id is the one that the server will know it by, whichever device sends it. */
const message = v.object({
  id: v.pipe(v.string(), v.uuid()),
  cid,
  parentId: v.optional(messageId),
  /** The message that has to be sent first. */
  dependsOn: v.optional(key),
  createdAt: moment,
  /** Present: it waits for the user, for this reason, and is not sent without them. */
  refused: v.optional(
    v.object({
      code: v.pipe(v.string(), v.maxLength(100)),
      params: v.optional(v.pipe(v.record(v.string(), v.union([shortText, v.number()])), v.maxEntries(20))),
      retryable: v.boolean(),
    }),
  ),
  payload,
})

/** A reminder that the server does not know yet. Without a time: saved for later. */
const reminder = v.object({
  messageId,
  cid,
  parentId: v.optional(messageId),
  remindAt: v.optional(moment),
  setAt: moment,
})

/** A completed reminder: no server has it. */
const doneReminder = v.object({ messageId, cid, doneAt: moment, remindAt: v.optional(moment) })

/** A thread that was followed or unfollowed by hand: no server has it. */
const follow = v.object({ parentId: messageId, cid, follows: v.boolean(), at: moment })

/** A read mark that is only on the device. */
const read = v.object({
  cid,
  threadId: v.optional(messageId),
  readAt: moment,
  upTo: v.optional(messageId),
  firstUnreadId: v.optional(messageId),
  at: moment,
})

export const carriedEntries = {
  drafts: draft,
  messages: message,
  reminders: reminder,
  done: doneReminder,
  follows: follow,
  reads: read,
}

export type CarriedKind = keyof typeof carriedEntries
export type Carried = { readonly [Kind in CarriedKind]: readonly v.InferOutput<(typeof carriedEntries)[Kind]>[] }
