import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import {
  POLL_VIEWS,
  type ListedPoll,
  type NonVoters,
  type PollAnswersPage,
  type PollVotersPage,
} from '#shared/domain/poll.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cid, key, line, messageId, pageCursor } from '../schemas.ts'

const vote = v.object({ messageId, optionId: key })

/** The poll of a message. Votes go through the outbox: shown at once, sent when connected. */
export const polls = {
  /**
   * Votes for an option; if votes are unique it replaces the previous one. Does nothing if the viewer has voted for it
   * already. Rejects with `poll/closed`, `poll/vote-limit`, `message/gone` or `outbox/full`.
   */
  castVote: call<void>()(vote),
  /** Removes the viewer's vote. Rejects with `poll/closed`, `message/gone` or `outbox/full`. */
  removeVote: call<void>()(vote),
  /**
   * Creates a poll and sends it as a message, through the outbox. `maxVotes` only without `enforceUniqueVote`.
   * `replaces` is an item that was withdrawn to be changed. If the server refuses, the item is parked and a notice is
   * shown. Rejects with `server/not-allowed`, `outbox/full`, `outbox/too-big`, `disk/full`.
   */
  create: call<MessageId>()(
    v.object({
      cid,
      name: line,
      description: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(5_000)), ''),
      /** Must be distinct. */
      options: v.pipe(v.array(line), v.minLength(1), v.maxLength(100)),
      enforceUniqueVote: v.optional(v.boolean(), true),
      maxVotes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10))),
      allowAnswers: v.optional(v.boolean(), false),
      allowSuggestions: v.optional(v.boolean(), false),
      anonymous: v.optional(v.boolean(), false),
      /** When it closes automatically, epoch milliseconds of the server. */
      closesAt: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
      replaces: v.optional(key),
      /** Sends even though another window has just sent the same; otherwise that rejects with `message/just-sent`. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * Changes a poll during voting: its texts, options merged into others with their votes, options removed with theirs,
   * or added. Each part is a separate request; those sent before a failure are not undone. Rejects with
   * `message/gone`, `poll/closed`, `network/offline`, `server/not-allowed`, and `poll/not-merged` if the server cannot
   * merge.
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
  /** Closes the poll permanently. Rejects with `message/gone`, `network/offline`, `server/not-allowed`. */
  close: call<void>()(v.object({ messageId })),
  /** Deletes the poll with its votes, for its creator and those who may change any message. Rejects as {@link close} does. */
  remove: call<void>()(v.object({ messageId })),
  /** Suggests an option. Rejects with `message/gone`, `poll/closed`, `network/offline`, `server/not-allowed`. */
  addOption: call<void>()(v.object({ messageId, text: line })),
  /** The viewer's text answer; replaces the previous one. Rejects as {@link addOption} does. */
  answer: call<void>()(v.object({ messageId, text: line })),
  /** Removes the viewer's answer. Does nothing without one. Rejects as {@link addOption} does. */
  removeAnswer: call<void>()(v.object({ messageId })),
  /**
   * Text answers, newest first, 25 a page; `cursor` is `next` of the previous page. Rejects with `message/gone`,
   * `network/offline`, `server/not-allowed`.
   */
  answers: call<PollAnswersPage>()(v.object({ messageId, cursor: v.optional(pageCursor) })),
  /**
   * Who chose an option and when, newest first, 25 a page; `cursor` is `next` of the previous page. For an anonymous
   * poll, only the viewer's own vote. Rejects as {@link answers} does.
   */
  voters: call<PollVotersPage>()(v.object({ messageId, optionId: key, cursor: v.optional(pageCursor) })),
  /**
   * Members of the channel who have not voted, among the first five hundred. Rejects as {@link answers} does, and with
   * `poll/anonymous` for anonymous polls.
   */
  nonVoters: call<NonVoters>()(v.object({ messageId })),
  /** Cached polls, newest first, at most a hundred. Needs no connection. */
  list: call<readonly ListedPoll[]>()(v.object({ view: v.picklist(POLL_VIEWS) })),
}
