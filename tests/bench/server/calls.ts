import { benchFolder, removeFolder } from '../folders.ts'
import type { ServerHost } from '../hosts/host.ts'
import { cpuMicrosOf } from '../processes.ts'
import { channelId, VIEWER, type SeedSize } from '../seeds.ts'
import { seedServer } from '../server-seed.ts'
import { figure, median, verdict, type Figure } from '../stats.ts'
import { callerOf, type Caller } from './client.ts'

/** A team of twelve. */
const SIZE: SeedSize = { name: 'S', people: 12, messages: Array.from({ length: 30 }, () => 121), members: 12 }

type Call = {
  readonly name: string
  /** Milliseconds of processor time. */
  readonly goal: number
  readonly stretch: number
  readonly run: (viewer: Caller, turn: number) => Promise<unknown>
}

const CALLS: readonly Call[] = [
  {
    name: '30 channels with 25 messages each',
    goal: 6,
    stretch: 3,
    run: (viewer) =>
      viewer.call('POST', '/channels', {
        filter_conditions: { members: { $in: [VIEWER] } },
        sort: [{ field: 'last_message_at', direction: -1 }],
        limit: 30,
        message_limit: 25,
        member_limit: 30,
        state: true,
      }),
  },
  {
    name: 'one message accepted, one after the other',
    goal: 1,
    stretch: 0.6,
    run: (viewer, turn) =>
      viewer.call('POST', `/channels/team/${channelId(turn % 30)}/message`, {
        message: { id: `one-${turn}`, text: `message ${turn}, of an ordinary length, to nobody who is there` },
      }),
  },
]

const CALLS_OF_A_ROUND = 20

/** What one call costs the server's processor: its own work, not the wait for the disk. */
export async function measureCalls(rounds: number, host: ServerHost): Promise<Figure[]> {
  const folder = benchFolder('calls')
  await seedServer(folder, SIZE)
  const server = await host.startServer(folder)
  const viewer = await callerOf(server.url, VIEWER)
  try {
    const figures: Figure[] = []
    for (const call of CALLS) figures.push(figureOf(call, await costs(call, viewer, server.pid, rounds)))
    return figures
  } finally {
    viewer.close()
    await server.stop()
    removeFolder(folder)
  }
}

/** Until the server's code is compiled as it is after a while. */
const WARM_UP_ROUNDS = 40

/** Milliseconds of each round's average call, once it is warm. */
async function costs(call: Call, viewer: Caller, pid: number, rounds: number): Promise<number[]> {
  const found: number[] = []
  let turn = 0
  for (let index = -WARM_UP_ROUNDS; index < rounds; index += 1) {
    const before = cpuMicrosOf(pid)
    for (let count = 0; count < CALLS_OF_A_ROUND; count += 1) await call.run(viewer, (turn += 1))
    if (index >= 0) found.push((cpuMicrosOf(pid) - before) / CALLS_OF_A_ROUND / 1_000)
  }
  return found
}

function figureOf({ name, goal, stretch }: Call, found: readonly number[]): Figure {
  const rounds = `${found.length} rounds of ${CALLS_OF_A_ROUND}`
  const note = `processor time of the server, ${rounds}; goal: ${goal}, stretch ${stretch}`
  return { ...figure(`server: ${name}`, 'ms', found, { note }), verdict: verdict(median(found), goal, stretch) }
}
