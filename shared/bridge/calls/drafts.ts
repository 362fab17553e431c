import * as v from 'valibot'
import { MAX_POLL_OPTIONS } from '../../constants.ts'
import { call } from '../../lib/contract.ts'
import type { DraftVersion } from '../../domain/draft.ts'
import { cid, key, longText, messageId, nothing, shortText, text } from '../schemas.ts'
import type { SentPlace } from '../../domain/intent.ts'
import type { PollDefinition } from '../../domain/poll.ts'

const place = v.pipe(v.number(), v.integer(), v.minValue(0))
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
