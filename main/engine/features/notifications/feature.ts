import type { MessageId } from '#shared/lib/brand.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type AboutArrival, aboutArrival } from './about.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** A message for a notification; absent if the message or its channel is not stored (anymore). */
    aboutArrival(messageId: MessageId): AboutArrival | undefined
  }
}

export const notificationsFeature = defineFeature({
  create: ({ context }: Pick<Core, 'context'>) => ({
    offers: { aboutArrival: (messageId: MessageId) => aboutArrival(context, messageId) },
  }),
})
