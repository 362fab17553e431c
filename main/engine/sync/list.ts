import { asCid, type Cid } from '#shared/lib/brand.ts'
import { CHANNEL_LIST_RETRIES, CHANNEL_LIST_RETRY_MS, MESSAGE_PAGE, RECOVERY_PAGE } from '#shared/constants.ts'
import { OPEN_CHANNELS, queryChannels, type ChannelListBody } from '#shared/wire/channels.ts'
import type { WireChannelState } from '#shared/wire/objects.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import * as answers from '#main/cache/answered-lists.ts'
import type { Core } from '../core.ts'
import { asList, asWire, idOf } from '../decode/read.ts'
import { writeChannelState } from './write.ts'

/** Members that come with each channel of the list. */
const LIST_MEMBERS = 30

/** What is looked at first: the newest ones, asked for without a pause. Most accounts have no more. */
const FIRST_PAGES = 10
/** Between two pages of what lies further down: with all else, at most 40 queries in the first 30 s. */
export const PACE_MS = 2_000
const NEWEST_FIRST = [{ field: 'last_message_at', direction: -1 }] as const
const LATEST_MADE = [{ field: 'created_at', direction: -1 }] as const

type PageRequest = {
  readonly filter: ChannelListBody['filter_conditions']
  readonly sort: NonNullable<ChannelListBody['sort']>
  readonly offset: number
}

type ListPage = {
  /** Channels the server named, those this version cannot read included. */
  readonly cids: readonly Cid[]
  readonly returned: number
  /** When each of them was made, as the server wrote it. */
  readonly made: readonly string[]
}

/** One page of the list, watched, with the newest messages of each channel. Written when this resolves. */
async function fetchPage(core: Core, { filter, sort, offset }: PageRequest): Promise<ListPage> {
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

function writeStates(core: Core, states: readonly unknown[], { asOf, watch }: { asOf: number; watch: boolean }): Cid[] {
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
  /** There are no others. */
  readonly complete: boolean
}

/** What the list is of: where the viewer is a member; for a guest everything that the server shows to everyone. */
function wanted(core: Core): ChannelListBody['filter_conditions'] {
  if (core.cache.reader.isGuest !== true) return { members: { $in: [core.me] } }
  return core.line.onlyOpenTypes ? OPEN_CHANNELS : {}
}

/** The newest channels of the list, as many as are looked at first. See docs/wire.md 7.4 and 7.10. */
export async function fetchFirst(core: Core): Promise<Listed> {
  try {
    return await fetchNewestPages(core)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.class === 'forbidden'
    if (core.cache.reader.isGuest !== true || core.line.onlyOpenTypes || !isRefused) throw error
    // Some servers answer no list that could hold what may not be read. See docs/wire.md 1.7, code 70.
    core.line.onlyOpenTypes = true
    return fetchNewestPages(core)
  }
}

async function fetchNewestPages(core: Core): Promise<Listed> {
  const seen = new Set<Cid>()
  for (let page = 0; page < FIRST_PAGES; page += 1) {
    const request = { filter: wanted(core), sort: NEWEST_FIRST, offset: page * RECOVERY_PAGE }
    const { cids, returned } = await retried(core, () => fetchPage(core, request))
    const before = seen.size
    for (const cid of cids) seen.add(cid)
    if (page === 0) core.write((tx) => answers.note(tx, 'channels'))
    if (returned < RECOVERY_PAGE || seen.size === before) return { cids: seen, complete: true }
  }
  return { cids: seen, complete: false }
}

/**
 * All channels, slowly, by when they were made: that order stands still while messages move channels up, and the server
 * counts no further than to a thousand. `from` is where an earlier walk was cut off: it goes on there, and takes what
 * lies before in the end. Yields each page once it is written; nothing any more after `isCurrent` says no.
 */
export async function* walkList(
  core: Core,
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
        ...wanted(core),
        ...(at === undefined && downTo === undefined ? {} : { created_at: bounds }),
      }
      const { cids, returned, made } = await retried(core, () => fetchPage(core, { filter, sort: LATEST_MADE, offset }))
      if (!isCurrent()) return
      const last = made.at(-1)
      // Of those made in the moment where the next page begins, these have been seen.
      const same = made.filter((time) => time === last).length
      offset = last === undefined || last === at ? offset + returned : same
      at = last ?? at
      done = returned < RECOVERY_PAGE || (cids.length > 0 && cids.every((cid) => seen.has(cid)))
      for (const cid of cids) seen.add(cid)
      yield { cids, at }
    }
  }
}

/** The same to its end, for a list that could not be had when the connection began. */
export async function walkAll(core: Core, isCurrent: () => boolean): Promise<void> {
  for await (const { cids } of walkList(core, undefined, isCurrent)) for (const cid of cids) core.delivery.note(cid)
}

/** Which of these channels the server still shows; their state is written. */
export async function fetchThese(
  core: Core,
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

/** Up to three more tries, a second apart. */
async function retried<T>(core: Core, work: () => Promise<T>): Promise<T> {
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
