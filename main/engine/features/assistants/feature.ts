import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { assistantEvents } from './events.ts'

export const assistantsFeature = defineFeature({
  events: assistantEvents,
  ignored: { 'ai_indicator.stop': 'a request to an assistant' },
  create: ({ assistants }: Pick<Core, 'assistants'>) => ({
    stop: [{ phase: 'memory', order: 20, run: () => assistants.clear() }],
  }),
})
