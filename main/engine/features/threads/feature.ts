import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { threadCalls } from './calls.ts'
import { threadEvents } from './events.ts'

type Parts = Recovery &
  Pick<Core, 'background' | 'context' | 'log' | 'notify' | 'outbox' | 'readMarker' | 'serverNow' | 'stores' | 'threads'>

export const threadsFeature = defineFeature({
  events: threadEvents,
  create: (core: Parts) => ({
    calls: { threads: threadCalls(core, core.readMarker()) },
    stop: [{ phase: 'timers', order: 20, run: () => core.threads().stop() }],
  }),
})
