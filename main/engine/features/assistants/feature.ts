import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { assistantWork } from '#shared/rules/channels/typing.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { nameOf } from '../../decode/read.ts'
import type { Appliers } from '../../sync/ingest.ts'

const place = ({ cid, parent_id }: HandledEvent<'ai_indicator.clear'>): string =>
  composerKey(asCid(cid), parent_id === undefined ? undefined : asMessageId(parent_id))

/** Only live events count: synchronized ones are outdated. See docs/wire.md 4.9. */
const assistantEvents: Appliers = {
  'ai_indicator.update': (_tx, event, { live, assistants }) => {
    const work = assistantWork(event.ai_state)
    if (!live || work === undefined) return
    const { user } = event
    const by = user && { userId: asUserId(user.id), name: nameOf(user['name']) ?? user.id }
    assistants.note(place(event), { ...work, ...by })
  },
  'ai_indicator.clear': (_tx, event, { assistants }) => assistants.forget(place(event)),
}

export const assistantsFeature = defineFeature({
  events: assistantEvents,
  ignored: { 'ai_indicator.stop': 'a request to an assistant' },
  create: ({ assistants }: Pick<Core, 'assistants'>) => ({
    stop: [{ phase: 'memory', order: 20, run: () => assistants.clear() }],
  }),
})
