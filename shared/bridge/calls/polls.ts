import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { NonVoters, OpenPoll, PollAnswersPage, PollVotersPage } from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cid, key, line, messageId, pageCursor } from '../schemas.ts'

const vote = v.object({ messageId, optionId: key })

/** The poll of a message. Votes go through the outbox: shown at once, sent when a connection allows. */
export const polls = {
  /**
   * Votes for an option; where votes are unique it replaces the one before. Nothing happens when it is already the
   * viewer's. Rejects with `poll/closed`, `poll/vote-limit`, `message/gone` or `outbox/full`.
   */
  castVote: call<void>()(vote),
  /** Takes an own vote back. Rejects with `poll/closed`, `message/gone` or `outbox/full`. */
  removeVote: call<void>()(vote),
  /**
   * Makes a poll and sends it as a message, through the outbox. `maxVotes` only without `enforceUniqueVote`. `replaces` is
   * an item that was taken back to be changed. What the server refuses is parked and told as a notice. Rejects with
   * `server/not-allowed`, `outbox/full`, `outbox/too-big`, `disk/full`.
   */
  create: call<MessageId>()(
    v.object({
      cid,
      name: line,
      description: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(5_000)), ''),
      /** Texts that differ. */
      options: v.pipe(v.array(line), v.minLength(1), v.maxLength(100)),
      enforceUniqueVote: v.optional(v.boolean(), true),
      maxVotes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10))),
      allowAnswers: v.optional(v.boolean(), false),
      allowSuggestions: v.optional(v.boolean(), false),
      anonymous: v.optional(v.boolean(), false),
      /** When it closes by itself, epoch milliseconds of the server. */
      closesAt: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
      replaces: v.optional(key),
      /** Meant, although another window has just sent the same: otherwise `message/just-sent`. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * Changes what is asked while people vote: words, options merged into others with their votes, taken out with them, or
   * added. The parts are sent one by one; what was done before one failed stays. Rejects with `message/gone`,
   * `poll/closed`, `network/offline`, `server/not-allowed`, and `poll/not-merged` where a server cannot merge.
   */
  edit: call<void>()(
    v.object({
      messageId,
      name: v.optional(line),
      description: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(5_000))),
      renamed: v.pipe(v.array(v.object({ id: key, text: line })), v.maxLength(100)),
      merged: v.pipe(v.array(v.object({ id: key, into: key })), v.maxLength(100)),
      removed: v.pipe(v.array(key), v.maxLength(100)),
      added: v.pipe(v.array(line), v.maxLength(100)),
    }),
  ),
  /** Ends the voting for good. Rejects with `message/gone`, `network/offline`, `server/not-allowed`. */
  close: call<void>()(v.object({ messageId })),
  /** Suggests an option. Rejects with `message/gone`, `poll/closed`, `network/offline`, `server/not-allowed`. */
  addOption: call<void>()(v.object({ messageId, text: line })),
  /** The viewer's answer in own words, in the place of the one before. Rejects as {@link addOption} does. */
  answer: call<void>()(v.object({ messageId, text: line })),
  /** Takes the own answer back. Nothing happens without one. Rejects as {@link addOption} does. */
  removeAnswer: call<void>()(v.object({ messageId })),
  /**
   * Answers in words, newest first, 25 a page; `cursor` is `next` of the page before. Rejects with `message/gone`,
   * `network/offline`, `server/not-allowed`.
   */
  answers: call<PollAnswersPage>()(v.object({ messageId, cursor: v.optional(pageCursor) })),
  /**
   * Who chose an option and when, newest first, 25 a page; `cursor` is `next` of the page before. Of an anonymous poll only
   * the viewer's own. Rejects as {@link answers} does.
   */
  voters: call<PollVotersPage>()(v.object({ messageId, optionId: key, cursor: v.optional(pageCursor) })),
  /**
   * Members of the channel who have no vote in it, of the first five hundred. Rejects as {@link answers} does, and with
   * `poll/anonymous` where no one may know.
   */
  nonVoters: call<NonVoters>()(v.object({ messageId })),
  /** Open polls in which the viewer has no vote, newest first, at most a hundred, of what this computer holds. */
  unvoted: call<readonly OpenPoll[]>()(v.undefined()),
}
