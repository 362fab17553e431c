import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, asUserId, type UserId } from '#shared/lib/brand.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { nameOf } from '../../decode/read.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'

const place = ({ cid, parent_id }: HandledEvent<'typing.start'>): string =>
  composerKey(asCid(cid), parent_id === undefined ? undefined : asMessageId(parent_id))

const isOther = (context: ApplyContext, id: UserId): boolean => context.live && id !== context.me

/** Only live events count: a synchronization replays outdated typing. Nothing is stored. */
const typingEvents: Appliers = {
  'typing.start': (_tx, event, context) => {
    const id = asUserId(event.user.id)
    if (isOther(context, id)) context.typing.start(place(event), { id, name: nameOf(event.user['name']) ?? id })
  },
  'typing.stop': (_tx, event, context) => {
    const id = asUserId(event.user.id)
    if (isOther(context, id)) context.typing.stop(place(event), id)
  },
}

export const typingFeature = defineFeature({
  events: typingEvents,
  create: ({ typing }: Pick<Core, 'typing'>) => ({
    stop: [{ phase: 'memory', order: 10, run: () => typing.clear() }],
  }),
})
