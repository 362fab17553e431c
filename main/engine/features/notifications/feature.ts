import * as v from 'valibot'
import type { Interruptions } from '#shared/domain/notification.ts'
import { type Cid, type MessageId, asCid } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type AboutArrival, aboutArrival } from './about.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleChannel } from '../../changes/visible.ts'

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

/**
 * How many notifications each channel raised on each of the last seven days, and when each digest was last sent. Only
 * channel ids and numbers, in the account's own file, which is deleted with the account.
 */
const KEY = 'interruptions'
const DIGESTS = 'digests'
const DAYS = 7

const numbers = v.record(v.string(), v.number())
const counters = v.pipe(v.string(), v.parseJson(), v.record(v.string(), numbers))
const times = v.pipe(v.string(), v.parseJson(), numbers)

type Parts = Pick<Core, 'log' | 'ports' | 'stores'>

/** Days are those of this device. */
const dayOf = (at: number): string => {
  const day = new Date(at)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

function createInterruptions({ log, ports, stores: { outbox } }: Parts) {
  const read = <Value>(key: string, schema: v.GenericSchema<unknown, Value>, none: Value): Value => {
    const parsed = v.safeParse(schema, meta.get(outbox.reader, key))
    return parsed.success ? parsed.output : none
  }
  /** Counting never gets in the way of a notification. */
  const write = (key: string, value: unknown): void => {
    try {
      outbox.transaction((tx) => meta.set(tx, key, JSON.stringify(value)))
    } catch {
      log('notifications').info('not-counted', { key })
    }
  }
  const firstDay = (): Date => {
    const day = new Date(ports.clock.now())
    day.setHours(0, 0, 0, 0)
    day.setDate(day.getDate() - (DAYS - 1))
    return day
  }
  const days = () => {
    const [first, today] = [firstDay().getTime(), ports.clock.now()].map(dayOf)
    // Days that are ahead were counted while the clock was wrong.
    return Object.entries(read(KEY, counters, {})).filter(([day]) => day >= String(first) && day <= String(today))
  }
  return {
    count(cid: Cid): void {
      const known = Object.fromEntries(days())
      const today = dayOf(ports.clock.now())
      const before = known[today] ?? {}
      write(KEY, { ...known, [today]: { ...before, [cid]: (before[cid] ?? 0) + 1 } })
    },
    week(): Interruptions {
      const totals = new Map<string, number>()
      for (const [, day] of days())
        for (const [cid, count] of Object.entries(day)) totals.set(cid, (totals.get(cid) ?? 0) + count)
      const channels = [...totals].map(([cid, count]) => ({ cid: asCid(cid), count }))
      return { from: firstDay().getTime(), channels: channels.toSorted((a, b) => b.count - a.count) }
    },
    digestedAt: (cid: Cid): number | undefined => read(DIGESTS, times, {})[cid],
    digested: (cid: Cid, at: number): void => write(DIGESTS, { ...read(DIGESTS, times, {}), [cid]: at }),
    /** Times of all other channels are removed. */
    keepDigests(cids: readonly string[]): void {
      const known = Object.entries(read(DIGESTS, times, {}))
      const kept = known.filter(([each]) => cids.includes(each))
      if (kept.length < known.length) write(DIGESTS, Object.fromEntries(kept))
    },
  }
}
