import { decodeHeardDraft } from '../../decode/heard-draft.ts'
import type { Appliers } from '../../sync/appliers.ts'

/** Drafts stand in the other database, so they are written once this batch is. See docs/wire.md 4.10. */
export const draftEvents: Appliers = {
  'draft.updated': (tx, event, { at, later, drafts }) => {
    const draft = decodeHeardDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().heard({ ...draft, at }))
  },
  'draft.deleted': (tx, event, { at, later, drafts }) => {
    const draft = decodeHeardDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().removed(draft.key, at))
  },
}
