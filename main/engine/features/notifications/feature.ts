import type { Interruptions } from '#shared/domain/notification.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type AboutArrival, aboutArrival } from './about.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleChannel } from '../../changes/visible.ts'
import { createInterruptions } from './interruptions.ts'

/** `name` is empty in a conversation of two. */
type DigestPlace = { readonly name: string; readonly unread: number; readonly muted: boolean }

declare module '../../registry/feature.ts' {
  interface Offers {
    /** A message for a notification; absent if the message or its channel is not stored (anymore). */
    aboutArrival(messageId: MessageId): AboutArrival | undefined
    /** A notification of this channel was shown. */
    countInterruption(cid: Cid): void
    /** How many were, in the last seven days. */
    interruptions(): Interruptions
    /** A channel as its digest needs it; absent: the viewer has left or hidden it. */
    digestPlace(cid: Cid): DigestPlace | undefined
    /** When the digest of a channel was last sent, or first waited for: epoch milliseconds of this device. */
    digestedAt(cid: Cid): number | undefined
    digested(cid: Cid, at: number): void
    /** Forgets when the digests of all other channels were sent: they have none anymore. */
    keepDigests(cids: readonly string[]): void
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
        digestPlace: (cid: Cid) => digestPlace(core.context, cid),
        digestedAt: (cid: Cid) => interruptions.digestedAt(cid),
        digested: (cid: Cid, at: number) => interruptions.digested(cid, at),
        keepDigests: (cids: readonly string[]) => interruptions.keepDigests(cids),
      },
    }
  },
})

function digestPlace(context: ReadContext, cid: Cid): DigestPlace | undefined {
  const channel = visibleChannel(context, cid)
  if (channel === undefined || !channels.isListed(context.cache, cid)) return undefined
  const { directUserId, unread, muted } = channel
  return { name: directUserId === undefined ? channel.name : '', unread, muted }
}
