import { defineFeature } from '../../registry/feature.ts'
import { moderationCalls } from './calls.ts'

export const moderationFeature = defineFeature({
  create: (core: Parameters<typeof moderationCalls>[0]) => ({ calls: { moderation: moderationCalls(core) } }),
})
