import type { Interruptions } from '#shared/domain/notification.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type AboutArrival, aboutArrival } from './about.ts'
import { createInterruptions } from './interruptions.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** A message for a notification; absent if the message or its channel is not stored (anymore). */
    aboutArrival(messageId: MessageId): AboutArrival | undefined
    /** A notification of this channel was shown. */
    countInterruption(cid: Cid): void
    /** How many were, in the last seven days. */
    interruptions(): Interruptions
    /** When the digest of a channel was last sent, or first waited for: epoch milliseconds of this device. */
    digestedAt(cid: Cid): number | undefined
    /** `others`: all channels with a digest; the times of any others are forgotten. */
    digested(cid: Cid, at: number, others: readonly string[]): void
  }
}

export const notificationsFeature = defineFeature({
  create: (core: Pick<Core, 'context' | 'log' | 'ports' | 'stores'>) => {
    const interruptions = createInterruptions(core)
    return {
      offers: {
        aboutArrival: (messageId: MessageId) => aboutArrival(core.context, messageId),
        countInterruption: (cid: Cid) => interruptions.count(cid),
        interruptions: () => interruptions.week(),
        digestedAt: (cid: Cid) => interruptions.digestedAt(cid),
        digested: (cid: Cid, at: number, others: readonly string[]) => interruptions.digested(cid, at, others),
      },
    }
  },
})
