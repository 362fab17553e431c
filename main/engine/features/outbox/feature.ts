import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { outboxCalls } from './calls.ts'
import { type ActiveUploads, activeUploads, LOSSLESS } from '../uploads/active-uploads.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Number of unsent intents of this account, to warn before signing out. */
    unsentCount(): number
    /** Uploads that quitting would interrupt or leave for the next start. */
    sending(): ActiveUploads
  }
}

type Parts = Pick<
  Core,
  'background' | 'collector' | 'memory' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stagingFolder' | 'stores'
>

export const outboxFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { outbox: outboxCalls(core) },
    offers: {
      unsentCount: () => core.outbox.all().filter((intent) => !LOSSLESS.has(intent.kind)).length,
      sending: () => activeUploads(core),
    },
  }),
})
