import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { draftCalls } from './calls.ts'
import { draftEvents } from './events.ts'
import { dropDraft, sendDraft } from './intents.ts'

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
