import { decodeServerDraft } from '../../decode/draft.ts'
import type { Appliers } from '../../sync/appliers.ts'

/** Drafts are in the other database, so they are written after this batch. See docs/wire.md 4.10. */
export const draftEvents: Appliers = {
  'draft.updated': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().received({ ...draft, at }))
  },
  'draft.deleted': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().removed(draft.key, at))
  },
}
