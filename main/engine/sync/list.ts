import { asCid, type Cid } from '#shared/lib/brand.ts'
import { CHANNEL_LIST_RETRIES, CHANNEL_LIST_RETRY_MS, MESSAGE_PAGE, RECOVERY_PAGE } from '#shared/constants.ts'
import { queryChannels, type ChannelListBody } from '#shared/wire/channels.ts'
import type { WireChannelState } from '#shared/wire/objects.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import type { Core } from '../core.ts'
import { asList, asWire, idOf } from '../decode/read.ts'
import { writeChannelState } from './write.ts'

/** Members that come with each channel of the list. */
const LIST_MEMBERS = 30

type ListPage = {
  /** Channels the server named, those this version cannot read included. */
  readonly cids: readonly Cid[]
  readonly returned: number
}

/** One page of the list, watched, with the newest messages of each channel. Written when this resolves. */
async function fetchPage(core: Core, filter: ChannelListBody['filter_conditions'], offset: number): Promise<ListPage> {
  const asOf = core.asOf()
  const watch = core.isHealthy()
  const reply = await core.api.send(queryChannels, {
    body: {
      filter_conditions: filter,
      sort: [{ field: 'last_message_at', direction: -1 }],
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
  return { cids: writeStates(core, states, { asOf, watch }), returned: states.length }
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

/** All channels the viewer is a member of, in pages. Answers their cids. Source: wire contract 7.4 and 7.10. */
export async function fetchList(core: Core): Promise<ReadonlySet<Cid>> {
  const seen = new Set<Cid>()
  for (let offset = 0; ; offset += RECOVERY_PAGE) {
    const { cids, returned } = await retried(core, () => fetchPage(core, { members: { $in: [core.me] } }, offset))
    const before = seen.size
    for (const cid of cids) seen.add(cid)
    if (returned < RECOVERY_PAGE || seen.size === before) return seen
  }
}

/** Which of these channels the server still shows; their state is written. */
export async function fetchThese(core: Core, cids: readonly Cid[]): Promise<ReadonlySet<Cid>> {
  const seen = new Set<Cid>()
  for (let at = 0; at < cids.length; at += RECOVERY_PAGE) {
    const wanted = cids.slice(at, at + RECOVERY_PAGE)
    const { cids: shown } = await retried(core, () => fetchPage(core, { cid: { $in: wanted } }, 0))
    for (const cid of shown) seen.add(cid)
  }
  return seen
}

/** Up to three more tries, a second apart. Source: behaviour spec, section 7 "Handling of answers". */
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
