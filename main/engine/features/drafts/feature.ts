import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { decodeServerDraft } from '../../decode/draft.ts'
import type { Appliers } from '../../sync/appliers.ts'
import { draftCalls } from './calls.ts'
import { dropDraft, sendDraft } from './intents.ts'

/** Drafts are in the other database, so they are written after this batch. See docs/wire.md 4.10. */
const draftEvents: Appliers = {
  'draft.updated': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().received({ ...draft, at }))
  },
  'draft.deleted': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().removed(draft.key, at))
  },
}

type Parts = Pick<
  Core,
  | 'background'
  | 'draftRevisions'
  | 'drafts'
  | 'life'
  | 'memory'
  | 'outbox'
  | 'ports'
  | 'runner'
  | 'stagingFolder'
  | 'stores'
>

export const draftsFeature = defineFeature({
  events: draftEvents,
  kinds: { 'create-draft': { perform: sendDraft }, 'delete-draft': { perform: dropDraft } },
  create: (core: Parts) => ({
    calls: { drafts: draftCalls(core) },
    stop: [{ phase: 'flush', order: 20, run: () => core.drafts().flush() }],
    onSettings: [
      {
        order: 30,
        run(before) {
          if (before.syncDrafts !== core.memory.settings.syncDrafts) core.drafts().settingsChanged()
        },
      },
    ],
  }),
})
