import type { Requests } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { moderationCalls } from './calls.ts'

export const moderationFeature = defineFeature({
  create: (core: Requests) => ({ calls: { moderation: moderationCalls(core) } }),
})
