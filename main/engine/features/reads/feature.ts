import type { IntentFor } from '#shared/domain/intent.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { readEvents } from './events.ts'
import { storeQueuedMarks } from './traceless.ts'

type Parts = Pick<Core, 'memory' | 'outbox' | 'readMarker' | 'serverNow' | 'stores'>

export const readsFeature = defineFeature({
  events: readEvents,
  kinds: {
    'mark-read': {
      perform: ({ sendMark }: Pick<Core, 'sendMark'>, intent: IntentFor<'mark-read'>, signal: AbortSignal) =>
        sendMark()(intent, signal),
    },
  },
  create: (core: Parts) => ({
    stop: [{ phase: 'flush', order: 10, run: () => core.readMarker().flush() }],
    onSettings: [{ order: 10, run: (before) => storeQueuedMarks(core, before) }],
  }),
})
