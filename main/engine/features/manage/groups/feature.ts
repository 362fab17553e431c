import { defineFeature } from '../../../registry/feature.ts'
import type { ApplyContext } from '../../../sync/appliers.ts'
import type { Tx } from '#main/cache/tx.ts'
import { topicChanged } from '../authority.ts'
import { groupsCalls } from './calls.ts'

/** Groups are not cached: screens that show them load them again. */
const changed = (_tx: Tx, _event: unknown, context: ApplyContext): void => topicChanged(context, 'people')

export const groupsFeature = defineFeature({
  events: {
    'user_group.created': changed,
    'user_group.updated': changed,
    'user_group.deleted': changed,
    'user_group.member_added': changed,
    'user_group.member_removed': changed,
  },
  create: (core: Parameters<typeof groupsCalls>[0]) => ({ calls: { groups: groupsCalls(core) } }),
})
