import { FakeSockets } from './fake-sockets.ts'
import { ManualClock } from './manual-clock.ts'
import { seededIds } from './seeded-ids.ts'
import type { Connection } from '#shared/domain/session.ts'
import { type LogSink, silentSink } from '#main/lib/logger.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager, type TokenSource } from '#main/engine/session/token.ts'
import { createConnection } from '#main/engine/realtime/connection.ts'
import { type ConnectionHandlers, type ConnectionOptions, websocketTransport } from '#main/engine/realtime/transport.ts'

export const ME = { id: 'ann', name: 'Ann' }

export function createNewConnection(
  source: TokenSource = { kind: 'static', token: 'T1' },
  seed = 1,
  log: LogSink = silentSink,
  people: Pick<ConnectionOptions, 'probe'> & Pick<ConnectionHandlers, 'isFocused'> = {},
) {
  const clock = new ManualClock()
  const sockets = new FakeSockets()
  const ids = seededIds(seed)
  const seen = { states: [] as Connection[], healthy: [] as unknown[], batches: [] as string[][] }
  const connection = createConnection({
    ports: { clock, ids, log },
    transport: websocketTransport({
      baseUrl: 'https://chat.example',
      apiKey: 'K',
      clientName: 'parlor',
      sockets,
      clock,
    }),
    tokens: createTokenManager(source),
    serverClock: createServerClock(clock),
    user: ME,
    probe: people.probe,
    handlers: {
      isFocused: people.isFocused,
      onState: (state) => seen.states.push(state),
      onHealthy: (healthy) => seen.healthy.push(healthy),
      onEvents: (events) => seen.batches.push(events.map((event) => event.type)),
    },
  })
  return { clock, sockets, connection, seen }
}

export async function connected(source?: TokenSource) {
  const world = createNewConnection(source)
  world.connection.start()
  await world.clock.settle()
  world.sockets.latest.accept(ME, 'c1')
  await world.clock.settle()
  return world
}
