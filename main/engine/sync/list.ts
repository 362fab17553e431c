import { asCid, type Cid } from '#shared/lib/brand.ts'
import { CHANNEL_LIST_RETRIES, CHANNEL_LIST_RETRY_MS, MESSAGE_PAGE, RECOVERY_PAGE } from '#shared/constants.ts'
import { OPEN_CHANNELS, queryChannels, type ChannelListBody } from '#shared/wire/channels.ts'
import type { WireChannelState } from '#shared/wire/objects.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core, Timelines } from '../core.ts'
import { asList, asWire, idOf } from '../decode/read.ts'
import { writeChannelState } from './write.ts'

/** Members requested with each channel of the list. */
const LIST_MEMBERS = 30

/** The newest channels, fetched without pauses. Most accounts have no more. */
const FIRST_PAGES = 10
/** Pause between later pages: together with all other requests at most 40 queries in the first 30 s. */
export const PACE_MS = 2_000
const NEWEST_FIRST = [{ field: 'last_message_at', direction: -1 }] as const
const LATEST_MADE = [{ field: 'created_at', direction: -1 }] as const

type PageRequest = {
  readonly filter: ChannelListBody['filter_conditions']
  readonly sort: NonNullable<ChannelListBody['sort']>
  readonly offset: number
}

type ListPage = {
  /** Channels that the server named, including those this version cannot read. */
  readonly cids: readonly Cid[]
  readonly returned: number
  /** Creation time of each channel, as the server wrote it. */
  readonly made: readonly string[]
}

/** One page of the list, watched, with the newest messages of each channel. Stored when this resolves. */
async function fetchPage(core: Timelines, { filter, sort, offset }: PageRequest): Promise<ListPage> {
  const asOf = core.asOf()
  const watch = core.isHealthy()
  const reply = await core.api.send(queryChannels, {
    body: {
      filter_conditions: filter,
      sort,
      state: true,
      ...(watch ? { watch, presence: true } : {}),
      limit: RECOVERY_PAGE,
      offset,
      message_limit: MESSAGE_PAGE,
      member_limit: LIST_MEMBERS,
    },
    signal: core.life,
  })
  const states = asList(reply.channels)
  const made = states.flatMap((wire) => madeAt(wire) ?? [])
  return { cids: writeStates(core, states, { asOf, watch }), returned: states.length, made }
}

function madeAt(wire: unknown): string | undefined {
  const time = asWire(asWire(wire)?.['channel'])?.['created_at']
  return typeof time === 'string' ? time : undefined
}

function writeStates(
  core: Pick<Core, 'isHealthy' | 'memory' | 'watched' | 'write'>,
  states: readonly unknown[],
  { asOf, watch }: { asOf: number; watch: boolean },
): Cid[] {
  return core.write((tx) =>
    states.flatMap((wire) => {
      const state = (asWire(wire) ?? {}) as Partial<WireChannelState>
      const facts = writeChannelState(tx, state, { asOf }, { query: { kind: 'newest' }, requested: MESSAGE_PAGE })
      const named = idOf(asWire(state.channel)?.['cid'])
      if (!facts) return named === undefined ? [] : [asCid(named)]
      const { cid } = facts.channel
      if (watch && core.isHealthy()) core.watched.add(cid)
      if (facts.watcherCount !== undefined) core.memory.watchers.set(cid, facts.watcherCount)
      return [cid]
    }),
  )
}

export type Listed = {
  readonly cids: ReadonlySet<Cid>
  /** The list has no other channels. */
  readonly complete: boolean
}

/** Filter of the list: channels of the viewer; for a guest everything that the server shows to everyone. */
function listFilter(core: Pick<Core, 'cache' | 'me' | 'syncState'>): ChannelListBody['filter_conditions'] {
  if (core.cache.reader.isGuest !== true) return { members: { $in: [core.me] } }
  return core.syncState.onlyOpenTypes ? OPEN_CHANNELS : {}
}

type Parts = Timelines & Pick<Core, 'cache' | 'delivery' | 'me' | 'ports' | 'syncState'>

/** The newest channels of the list. See docs/wire.md 7.4 and 7.10. */
export async function fetchFirst(core: Parts): Promise<Listed> {
  try {
    return await fetchNewestPages(core)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.class === 'forbidden'
    if (core.cache.reader.isGuest !== true || core.syncState.onlyOpenTypes || !isRefused) throw error
    // Some servers refuse any list that could contain unreadable channels. See docs/wire.md 1.7, code 70.
    core.syncState.onlyOpenTypes = true
    return fetchNewestPages(core)
  }
}

async function fetchNewestPages(core: Parts): Promise<Listed> {
  const seen = new Set<Cid>()
  for (let page = 0; page < FIRST_PAGES; page += 1) {
    const request = { filter: listFilter(core), sort: NEWEST_FIRST, offset: page * RECOVERY_PAGE }
    const { cids, returned } = await retried(core, () => fetchPage(core, request))
    const before = seen.size
    for (const cid of cids) seen.add(cid)
    if (page === 0) core.write((tx) => meta.noteAnswered(tx, 'channels'))
    if (returned < RECOVERY_PAGE || seen.size === before) return { cids: seen, complete: true }
  }
  return { cids: seen, complete: false }
}

/**
 * All channels, slowly, by creation time: that order is stable while new messages move channels up, and the server allows
 * offsets only up to a thousand. `from` is where an earlier walk was interrupted: it continues there and fetches the part
 * before it at the end. Yields each page once it is stored; stops when `isCurrent` returns false.
 */
export async function* walkList(
  core: Parts,
  from: string | undefined,
  isCurrent: () => boolean,
): AsyncGenerator<{ readonly cids: readonly Cid[]; readonly at: string | undefined }> {
  const seen = new Set<Cid>()
  const legs = from === undefined ? [{}] : [{ upTo: from }, { downTo: from }]
  for (const { upTo, downTo } of legs as readonly { upTo?: string; downTo?: string }[]) {
    let [at, offset, done] = [upTo, 0, false]
    while (!done) {
      await pause(core.ports.clock, PACE_MS, core.life)
      if (!isCurrent()) return
      const bounds = { ...(at === undefined ? {} : { $lte: at }), ...(downTo === undefined ? {} : { $gte: downTo }) }
      const filter = {
        ...listFilter(core),
        ...(at === undefined && downTo === undefined ? {} : { created_at: bounds }),
      }
      const { cids, returned, made } = await retried(core, () => fetchPage(core, { filter, sort: LATEST_MADE, offset }))
      if (!isCurrent()) return
      const last = made.at(-1)
      // The next page starts at the time of the last channel, so the channels of that time have been seen.
      const same = made.filter((time) => time === last).length
      offset = last === undefined || last === at ? offset + returned : same
      at = last ?? at
      done = returned < RECOVERY_PAGE || (cids.length > 0 && cids.every((cid) => seen.has(cid)))
      for (const cid of cids) seen.add(cid)
      yield { cids, at }
    }
  }
}

/** Walks the whole list if it could not be fetched when the connection began. */
export async function walkAll(core: Parts, isCurrent: () => boolean): Promise<void> {
  for await (const { cids } of walkList(core, undefined, isCurrent)) for (const cid of cids) core.delivery.note(cid)
}

/** Which of these channels the server still shows; their state is stored. */
export async function fetchThese(
  core: Parts,
  cids: readonly Cid[],
  isCurrent = () => true,
  more: { readonly hidden?: true } = {},
): Promise<ReadonlySet<Cid>> {
  const seen = new Set<Cid>()
  for (let at = 0; at < cids.length && isCurrent(); at += RECOVERY_PAGE) {
    if (at >= FIRST_PAGES * RECOVERY_PAGE) await pause(core.ports.clock, PACE_MS, core.life)
    const filter = { cid: { $in: cids.slice(at, at + RECOVERY_PAGE) }, ...more }
    const { cids: shown } = await retried(core, () => fetchPage(core, { filter, sort: NEWEST_FIRST, offset: 0 }))
    for (const cid of shown) seen.add(cid)
  }
  return seen
}

/** Runs `work` with up to three retries, a second apart. */
async function retried<T>(core: Pick<Core, 'isHealthy' | 'life' | 'ports'>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const mayHelp = error instanceof ApiError && error.verdict.query !== 'stop'
      if (!mayHelp || attempt >= CHANNEL_LIST_RETRIES || core.life.aborted || !core.isHealthy()) throw error
      await pause(core.ports.clock, CHANNEL_LIST_RETRY_MS, core.life)
    }
  }
}
