import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { cid, key, messageId, text } from './schemas.ts'

/**
 * Drafts are always kept on disk; an empty one is removed. With the setting `syncDrafts` the words (not the files) are
 * also kept by the server, at most one request in two seconds for each composer, and follow the viewer to other
 * computers: then the entity `drafts` changes by itself, the newest words win, and the losing ones stand in `conflict`.
 */
export const drafts = {
  save: call<void>()(
    v.object({
      cid,
      parentId: v.optional(messageId),
      text,
      quotedId: v.optional(messageId),
      uploadIds: v.optional(v.pipe(v.array(key), v.maxLength(30)), []),
      caret: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
      showInChannel: v.optional(v.boolean(), false),
    }),
  ),
  discard: call<void>()(v.object({ key })),
  /** The words in `Draft.conflict` were taken over or are not wanted: they are forgotten. */
  dismissConflict: call<void>()(v.object({ key })),
}
