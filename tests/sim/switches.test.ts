import { expect, test } from 'vitest'
import { FakeHttp, refusal, type FakeReply } from '#kit/fake-http.ts'
import { FakeSockets } from '#kit/fake-sockets.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createConnection } from '#main/engine/realtime/connection.ts'
import { websocketTransport, longpollTransport } from '#main/engine/realtime/transport.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '#main/engine/session/token.ts'
import { silentSink } from '#main/lib/logger.ts'

/** A thousand times from the websocket to the long-poll and back. */
const ROUNDS = 1_000
const ME = { id: 'ann' }
const TIME = '2026-03-02T09:00:00Z'

function createLine() {
  const [clock, sockets, http, ids] = [new ManualClock(), new FakeSockets(), new FakeHttp(), seededIds(1)]
  const polls = { made: 0, waiting: [] as ((reply: FakeReply) => void)[] }
  http.on('GET', '/longpoll', (call) => {
    const query = call.at.searchParams
    if (query.get('close') === 'true') return { body: {} }
    if (query.has('connection_id')) return new Promise<FakeReply>((resolve) => polls.waiting.push(resolve))
    const event = { type: 'health.check', connection_id: `p${(polls.made += 1)}`, created_at: TIME, me: ME }
    return { body: { event } }
  })
  const seen: string[] = []
  const common = { baseUrl: 'https://chat.example', apiKey: 'K', clientName: 'x', clock }
  const connection = createConnection({
    ports: { clock, ids, log: silentSink },
    transport: websocketTransport({ ...common, sockets }),
    fallback: longpollTransport({ ...common, userId: 'ann', http, ids, log: silentSink }),
    tokens: createTokenManager({ kind: 'static', token: 'T1' }),
    serverClock: createServerClock(clock),
    user: ME,
    handlers: {
      onState: () => {},
      onHealthy: () => {},
      onEvents: (batch) => seen.push(...batch.map(({ type }) => type)),
    },
  })
  return { clock, sockets, polls, connection, seen, http }
}

test('a thousand switches lose and duplicate nothing, each within its time', { timeout: 120_000 }, async () => {
  const { clock, sockets, polls, connection, seen, http } = createLine()
  const faults: string[] = []
  const sent: string[] = []
  const newEventType = (): string => {
    sent.push(`event.${sent.length}`)
    return sent.at(-1) ?? ''
  }
  const answer = async (reply: FakeReply) => {
    for (const resolve of polls.waiting.splice(0)) resolve(reply)
    await clock.settle()
  }
  connection.start()
  for (let round = 0; round < ROUNDS && faults.length === 0; round += 1) {
    // Websockets are blocked from now on.
    for (const socket of sockets.live) socket.end()
    let waited = 0
    for (; connection.state().transport !== 'longpoll' || connection.state().state !== 'healthy'; waited += 500) {
      await clock.advance(500)
      if (waited > 20_000) throw new Error(`round ${round}: not served after twenty seconds`)
    }
    if (round % 7 === 0) {
      const before = polls.made
      await answer(refusal(400, 46))
      for (let ms = 0; polls.made === before && ms < 30_000; ms += 500) {
        await clock.advance(500)
        for (const socket of sockets.live) socket.end()
      }
      if (polls.made === before) faults.push(`round ${round}: no new id after code 46`)
      await clock.advance(0)
    }
    await answer({ body: { events: [{ type: newEventType(), created_at: TIME }] } })
    // Websockets work again.
    for (waited = 0; connection.state().transport !== 'websocket' && waited <= 90_000; waited += 1_000) {
      const dialing = sockets.all.at(-1)
      if (dialing?.state === 'opening') dialing.accept(ME, `c${round}`)
      await clock.advance(1_000)
      if (waited % 20_000 === 0 && connection.state().transport === 'longpoll') await answer({ body: { events: [] } })
    }
    if (connection.state().transport !== 'websocket') faults.push(`round ${round}: not back after ninety seconds`)
    sockets.latest.frame({ type: newEventType(), created_at: TIME })
    await clock.settle()
    if (sockets.live.length !== 1) faults.push(`round ${round}: ${sockets.live.length} websockets`)
    http.calls.length = 0
    polls.waiting.length = 0
  }
  expect(faults).toEqual([])
  expect(seen).toEqual(sent)
  await Promise.all([connection.stop(), clock.advance(2_000)])
  expect(clock.pending).toBe(0)
})
