import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { emojiCalls } from './calls.ts'
import { emojiEvents } from './events.ts'

type Parts = Pick<
  Core,
  'api' | 'background' | 'cache' | 'isHealthy' | 'life' | 'memory' | 'ports' | 'stagingFolder' | 'write'
>

export const emojiFeature = defineFeature({
  events: emojiEvents,
  create: (core: Parts) => ({ calls: { emoji: emojiCalls(core) } }),
})
