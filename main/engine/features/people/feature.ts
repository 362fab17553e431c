import type { Core, Timelines } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { block } from './blocking.ts'
import { peopleCalls } from './calls.ts'

type Parts = Timelines &
  Pick<
    Core,
    | 'background'
    | 'cache'
    | 'context'
    | 'delivery'
    | 'me'
    | 'outbox'
    | 'ports'
    | 'runner'
    | 'serverNow'
    | 'stagingFolder'
    | 'syncState'
  >

const GROUPS = 'groups are not cached: they are fetched when they are shown'

export const peopleFeature = defineFeature({
  ignored: {
    'user_group.created': GROUPS,
    'user_group.updated': GROUPS,
    'user_group.deleted': GROUPS,
    'user_group.member_added': GROUPS,
    'user_group.member_removed': GROUPS,
  },
  kinds: { 'block-person': { perform: block }, 'unblock-person': { perform: block } },
  create: (core: Parts) => ({ calls: { people: peopleCalls(core) } }),
})
