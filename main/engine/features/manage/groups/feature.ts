import { defineFeature } from '../../../registry/feature.ts'
import { groupsCalls } from './calls.ts'

const NOT_STORED = 'groups are not cached: they are fetched when they are shown'

export const groupsFeature = defineFeature({
  ignored: {
    'user_group.created': NOT_STORED,
    'user_group.updated': NOT_STORED,
    'user_group.deleted': NOT_STORED,
    'user_group.member_added': NOT_STORED,
    'user_group.member_removed': NOT_STORED,
  },
  create: (core: Parameters<typeof groupsCalls>[0]) => ({ calls: { groups: groupsCalls(core) } }),
})
