import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { typingEvents } from './events.ts'

export const typingFeature = defineFeature({
  events: typingEvents,
  create: ({ typing }: Pick<Core, 'typing'>) => ({
    stop: [{ phase: 'memory', order: 10, run: () => typing.clear() }],
  }),
})
