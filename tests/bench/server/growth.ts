import { benchFolder, removeFolder } from '../folders.ts'
import type { Runs, ServerHost } from '../hosts/host.ts'
import { cpuMicrosOf, type Running } from '../processes.ts'
import { channelCid, channelId, personId, VIEWER } from '../seeds.ts'
import { median } from '../stats.ts'
import { callerOf, type Caller } from './client.ts'
import { COMMON_WORD, messageId, RARE_WORD, SIZES, sizedFolder, SMALLEST, type Growth } from './sizes.ts'

/** A server that holds one size, and a client that calls it. */
type Bed = {
  readonly size: Growth
  readonly server: Running
  readonly viewer: Caller
  readonly folder: string
  /** Ids of messages sent here, the newest last. */
  readonly sent: string[]
}

type Operation = { readonly name: string; readonly run: (bed: Bed, turn: number) => Promise<unknown> }

/** One operation at one size. */
export type Cost = {
  readonly operation: string
  readonly size: string
  /** Processor time of the server for each call: the median of the rounds. */
  readonly cpuMicros: number
  /** From the call to its response. */
  readonly ms: number
}

const LARGEST = `/channels/team/${channelId(0)}`
const OWN = { members: { $in: [VIEWER] } }
const search = (text: string, operator = '$q', more: object = {}, channels: object = OWN) => ({
  filter_conditions: channels,
  message_filter_conditions: { text: { [operator]: text }, ...more },
  limit: 20,
})
const page = (messages: object) => ({ state: true, messages: { limit: 25, ...messages }, members: { limit: 30 } })
const middle = ({ size }: Bed): string => messageId(size, 0, Math.floor((size.messages[0] ?? 0) / 2))

async function send(bed: Bed): Promise<void> {
  const id = `bench-${bed.size.label}-${bed.sent.length}`
  const text = `the ${bed.sent.length}th message of the bench about the route`
  await bed.viewer.call('POST', `${LARGEST}/message`, { message: { id, text } })
  bed.sent.push(id)
}

async function sync(bed: Bed): Promise<unknown> {
  const last_sync_at = new Date(Date.now() - 3_600_000).toISOString()
  return bed.viewer.call('POST', '/sync', { channel_cids: [channelCid(1), channelCid(2)], last_sync_at })
}

const OPERATIONS: readonly Operation[] = [
  { name: 'channel query, newest page', run: ({ viewer }) => viewer.call('POST', `${LARGEST}/query`, page({})) },
  {
    name: 'channel query, around the middle',
    run: (bed) => bed.viewer.call('POST', `${LARGEST}/query`, page({ id_around: middle(bed) })),
  },
  {
    name: 'channel query, older than the middle',
    run: (bed) => bed.viewer.call('POST', `${LARGEST}/query`, page({ id_lt: middle(bed) })),
  },
  { name: 'message send', run: send },
  {
    name: 'message edit',
    run: ({ viewer, sent }, turn) =>
      viewer.call('POST', `/messages/${sent.at(-1) ?? ''}`, { message: { text: `another text ${turn}` } }),
  },
  { name: 'message delete', run: ({ viewer, sent }) => viewer.call('DELETE', `/messages/${sent.pop() ?? ''}`) },
  { name: 'mark read', run: ({ viewer }) => viewer.call('POST', `${LARGEST}/read`, {}) },
  {
    name: 'channel list, 10 by activity',
    run: ({ viewer }) =>
      viewer.call('POST', '/channels', {
        filter_conditions: OWN,
        sort: [{ field: 'last_message_at', direction: -1 }],
        limit: 10,
        message_limit: 10,
        member_limit: 30,
        state: true,
      }),
  },
  { name: 'search, a rare word', run: ({ viewer }) => viewer.call('GET', '/search', search(RARE_WORD)) },
  { name: 'search, a common word', run: ({ viewer }) => viewer.call('GET', '/search', search(COMMON_WORD)) },
  { name: 'search, two words', run: ({ viewer }) => viewer.call('GET', '/search', search('zażółć build')) },
  { name: 'search, a prefix', run: ({ viewer }) => viewer.call('GET', '/search', search('sum', '$autocomplete')) },
  {
    name: 'search, a rare word in one channel',
    run: ({ viewer }) =>
      viewer.call('GET', '/search', search(RARE_WORD, '$q', {}, { cid: { $in: [channelCid(SMALLEST)] } })),
  },
  {
    // A page of them would be longer in the larger stores: in the smallest a person has five messages.
    name: 'search, a common word by one person, the newest message',
    run: ({ viewer }) =>
      viewer.call('GET', '/search', { ...search(COMMON_WORD, '$q', { user_id: personId(199) }), limit: 1 }),
  },
  { name: 'missed events (/sync)', run: sync },
  { name: 'unread counts', run: ({ viewer }) => viewer.call('GET', '/unread') },
]

/** Calls of one round; the sizes take turns, so that what disturbs the machine disturbs them alike. */
const CALLS = 8

/**
 * Every operation at every size, all sizes up at once, in rounds; each operation's costs are reported as soon as they
 * are measured.
 */
export async function* measureGrowth({ runs, log, host }: Runs<ServerHost>): AsyncGenerator<Cost[]> {
  const beds: Bed[] = []
  try {
    for (const size of SIZES) beds.push(await createBed(size, host, log))
    for (const operation of OPERATIONS) yield await measure(operation, beds, runs)
  } finally {
    for (const bed of beds) {
      bed.viewer.close()
      await bed.server.stop()
      removeFolder(bed.folder)
    }
  }
}

async function createBed(size: Growth, host: ServerHost, log: (text: string) => void): Promise<Bed> {
  const folder = benchFolder(`growth-${size.label}`)
  sizedFolder(folder, size, log)
  const server = await host.startServer(folder)
  const bed = { size, folder, server, viewer: await callerOf(server.url, VIEWER), sent: [] }
  for (let index = 0; index < 300; index += 1) await send(bed)
  return bed
}

async function measure(operation: Operation, beds: readonly Bed[], rounds: number): Promise<Cost[]> {
  const cpu = new Map(beds.map((bed) => [bed, [] as number[]]))
  const wall = new Map(beds.map((bed) => [bed, [] as number[]]))
  for (let round = -1; round < rounds; round += 1) {
    for (const index of beds.keys()) {
      const bed = beds[(index + Math.max(0, round)) % beds.length]
      if (!bed) continue
      const before = cpuMicrosOf(bed.server.pid)
      const times: number[] = []
      for (let turn = 0; turn < CALLS; turn += 1) {
        const startedAt = performance.now()
        await operation.run(bed, round * CALLS + turn)
        times.push(performance.now() - startedAt)
      }
      // The first round only warms up.
      if (round < 0) continue
      cpu.get(bed)?.push((cpuMicrosOf(bed.server.pid) - before) / CALLS)
      wall.get(bed)?.push(...times)
    }
  }
  return beds.map((bed) => ({
    operation: operation.name,
    size: bed.size.label,
    cpuMicros: median(cpu.get(bed) ?? []),
    ms: median(wall.get(bed) ?? []),
  }))
}
