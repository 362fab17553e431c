import * as v from 'valibot'
import type { CampaignReading, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import * as meta from '#main/cache/meta.ts'
import { fromJson, toJson } from '#main/cache/sql.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

/** No server tells how a campaign went over time: this device remembers what it was told, and when. */
const KEY = 'campaign-readings'
const CAMPAIGNS = 100
/** Of more, every second one is dropped: the whole course stays, less finely. */
const READINGS = 60

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const reading = v.object({
  at: v.number(),
  usersSent: count,
  usersDelivered: v.optional(count),
  usersRead: count,
  messagesSent: count,
  channelsCreated: count,
})
const stored = v.record(v.string(), v.array(reading))
type Stored = Readonly<Record<string, readonly CampaignReading[]>>

/** Oldest first. */
export const readingsOf = (reader: Reader, id: string): readonly CampaignReading[] => read(reader)[id] ?? []

/** Remembers the figures of campaigns that are on their way or over, where they have changed. `at`: server time. */
export function noteReadings(tx: Tx, campaigns: readonly ListedCampaign[], at: number): void {
  const known = read(tx)
  const changed = campaigns.flatMap(({ id, stats }): [string, readonly CampaignReading[]][] => {
    const { usersSent, usersDelivered, usersRead, messagesSent, channelsCreated } = stats
    const next = { at, usersSent, usersDelivered, usersRead, messagesSent, channelsCreated }
    const before = known[id] ?? []
    return stats.startedAt === undefined || isSame(before.at(-1), next) ? [] : [[id, thinned([...before, next])]]
  })
  if (changed.length === 0) return
  const all = Object.entries({ ...known, ...Object.fromEntries(changed) })
  const newest = all.toSorted(([, a], [, b]) => (b.at(-1)?.at ?? 0) - (a.at(-1)?.at ?? 0))
  write(tx, Object.fromEntries(newest.slice(0, CAMPAIGNS)))
}

export function forgetReadings(tx: Tx, id: string): void {
  const { [id]: gone, ...others } = read(tx)
  if (gone !== undefined) write(tx, others)
}

const isSame = (a: CampaignReading | undefined, b: CampaignReading): boolean =>
  a !== undefined && toJson({ ...a, at: b.at }) === toJson(b)

const thinned = (all: readonly CampaignReading[]): readonly CampaignReading[] =>
  all.length <= READINGS ? all : all.filter((_, at) => at % 2 === 0 || at === all.length - 1)

function read(reader: Reader): Stored {
  const text = meta.get(reader, KEY)
  if (text === undefined) return {}
  const checked = v.safeParse(stored, fromJson(reader.db, text))
  return checked.success ? checked.output : {}
}

const write = (tx: Tx, all: Stored): void => meta.set(tx, KEY, toJson(all))
