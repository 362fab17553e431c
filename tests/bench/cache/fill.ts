import { join } from 'node:path'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { aChannelRow, aMemberRow, aMessageRow, aReadRow, aUserRow } from '#kit/rows.ts'
import { openStores, type Stores } from '#main/cache/files/open.ts'
import * as docs from '#main/cache/search/docs.ts'
import { searchableOf } from '#main/cache/search/query.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as users from '#main/cache/people/users.ts'
import { silentSink } from '#main/lib/logger.ts'
import { benchFolder } from '../folders.ts'
import { channelCid, channelId, personId, VIEWER } from '../seeds.ts'

/** A cache with a history, written through the tables that the engine uses, and indexed as its upkeep does. */
export type History = { readonly stores: Stores; readonly folder: string; readonly total: number }

const CHANNELS = 200
const PEOPLE = 1_000
const BATCH = 500
const START = Date.parse('2024-01-01T00:00:00Z')
const STEP_MS = 60_000
export const END = (total: number): number => START + total * STEP_MS

/**
 * Words with a Zipf distribution, as in real texts: the first is in every third message, the last ones in a few of a
 * million. Some are written with Polish letters.
 */
const WORDS = Array.from({ length: 30_000 }, (_, rank) => wordOf(rank))

export function wordOf(rank: number): string {
  const syllables = ['ka', 'ro', 'mi', 'te', 'lo', 'su', 'na', 'pi', 'ża', 'ło', 'be', 'du', 'ge', 'fa', 'vo', 'zi']
  let left = rank + 16
  let word = ''
  while (left > 0) {
    word += syllables[left % 16] ?? ''
    left = Math.floor(left / 16)
  }
  return word
}

export function fill(total: number, log: (text: string) => void): History {
  const ids = seededIds(11)
  const random = (): number => ids.random()
  const folder = benchFolder(`history-${total}`)
  const stores = openStores({
    folder: join(folder, 'account'),
    viewerId: asUserId(VIEWER),
    clock: { now: () => START, monotonic: () => performance.now() },
    ids: { uuid: () => 'bench', random },
    log: silentSink,
  })
  const { cache } = stores
  cache.transaction((tx) => {
    for (let n = 0; n < PEOPLE; n += 1)
      users.put(tx, aUserRow({ id: asUserId(personId(n)), name: `Osoba ${wordOf(n)}` }))
    for (let n = 0; n < CHANNELS; n += 1) {
      const cid = asCid(channelCid(n))
      channels.put(
        tx,
        aChannelRow({ cid, id: channelId(n), type: 'team', name: `Room ${n}`, capabilities: ['read-events'] }),
      )
      members.put(tx, aMemberRow({ cid, userId: asUserId(VIEWER) }))
      reads.put(tx, aReadRow({ cid, lastReadAt: END(total) - 1_000 * STEP_MS, countedAt: END(total) }))
    }
  })
  for (let from = 0; from < total; from += BATCH) {
    cache.transaction((tx) => {
      for (let n = from; n < Math.min(total, from + BATCH); n += 1) messages.put(tx, messageOf(n, random))
    })
    const read = (id: string) => searchableOf(cache.reader, id)
    cache.transaction((tx) => docs.step(tx, { limit: BATCH, enough: () => false, read }))
    if (from % 100_000 === 0 && from > 0) log(`  ${from} messages …`)
  }
  cache.transaction((tx) => {
    for (let n = 0; n < CHANNELS; n += 1) {
      const first = { createdAt: START, id: '' }
      const last = { createdAt: END(total), id: '\u{10FFFF}' }
      ranges.merge(tx, `timeline:${channelCid(n)}`, { kind: 'newest' }, [first, last], 3)
    }
  })
  stores.checkpoint()
  return { stores, folder, total }
}

function messageOf(n: number, random: () => number) {
  const count = 4 + Math.floor(random() ** 2 * 20)
  const text = Array.from({ length: count }, () => WORDS[Math.floor(random() ** 4 * WORDS.length)] ?? '').join(' ')
  const createdAt = START + n * STEP_MS
  return aMessageRow({
    id: asMessageId(`message-${String(n).padStart(8, '0')}-${Math.floor(random() * 1e9).toString(36)}`),
    cid: asCid(channelCid(n % CHANNELS)),
    userId: asUserId(personId(1 + Math.floor(random() ** 2 * (PEOPLE - 1)))),
    text,
    createdAt,
    ...(n % 40 === 0 ? { attachments: [{ kind: 'image', title: `photo ${n}.jpg`, raw: {} }] } : {}),
    asOf: createdAt,
  })
}
