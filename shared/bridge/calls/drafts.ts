import * as v from 'valibot'
import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import { call } from '#shared/lib/contract.ts'
import type { DraftVersion } from '#shared/domain/draft.ts'
import { cid, key, longText, messageId, nothing, shortText, text } from '../schemas.ts'

const place = v.pipe(v.number(), v.integer(), v.minValue(0))
const field = v.pipe(v.string(), v.maxLength(100))

/** {@link PollForm}, as it is being written. */
const pollForm = v.object({
  name: shortText,
  description: v.pipe(v.string(), v.maxLength(5_000)),
  options: v.pipe(v.array(v.object({ id: place, text: shortText })), v.maxLength(MAX_POLL_OPTIONS)),
  enforceUniqueVote: v.boolean(),
  maxVotes: field,
  anonymous: v.boolean(),
  allowSuggestions: v.boolean(),
  allowAnswers: v.boolean(),
  closes: v.exactOptional(v.object({ date: field, time: field })),
})

const indexes: v.GenericSchema<readonly number[], number[]> = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
  v.maxLength(100),
)

/**
 * Drafts are always kept on disk; an empty one is removed. With the setting `syncDrafts` the words (not the files) are
 * also kept by the server, at most one request in two seconds for each composer, and follow the viewer to other
 * computers: then the entity `drafts` changes by itself, the newest words win, and the losing ones stand in `conflict`.
 *
 * All windows of a person show the same draft: the entity `draftRevisions` rises with every change and with the end of one.
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
      /** The entity `draftRevisions` as this window knew it. What another window wrote since stays, as `conflict`. Absent: it goes. */
      basedOn: v.optional(v.number()),
      /** An edit under way in the same composer: see {@link DraftEdit}. */
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
  /** Puts words under what stands in a composer already: nothing of either is lost. */
  add: call<void>()(v.object({ cid, parentId: v.optional(messageId), text: longText })),
  /**
   * Keeps a poll that is being written with the draft of its channel; without a form it is forgotten. `of`: `NEW_POLL`, or
   * the item of the outbox whose poll was taken back to be changed.
   */
  keepPoll: call<void>()(v.object({ cid, of: key, form: v.optional(pollForm) })),
  discard: call<void>()(v.object({ key })),
  /** The words in `Draft.conflict` were taken over or are not wanted: they are forgotten. */
  dismissConflict: call<void>()(v.object({ key })),
  /**
   * What stood in one composer, or in all, within the last seven days; the newest first, at most 200. Words that were sent
   * are not kept. With `forgetHistory` all of it is gone at once.
   */
  history: call<readonly DraftVersion[]>()(v.object({ key: v.optional(key) })),
  forgetHistory: call<void>()(nothing),
}
