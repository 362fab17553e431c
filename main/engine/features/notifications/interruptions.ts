import * as v from 'valibot'
import type { Interruptions } from '#shared/domain/notification.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../core.ts'

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

export function createInterruptions({ log, ports, stores: { outbox } }: Parts) {
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
