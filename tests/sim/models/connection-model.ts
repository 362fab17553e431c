import { ME, createNewConnection } from '#kit/one-connection.ts'

/** The shortest back-off of docs/wire.md 2.7. */
const LEAST_PAUSE_MS = 250
const PAUSES = [0, 5, 100, 1_000, 6_000, 16_000, 36_000]

/**
 * The real connection over sockets that behave as the numbers decide: accept, refuse, end, fall silent, while the
 * device sleeps and wakes.
 */
export async function playConnection(steps: readonly number[]): Promise<readonly string[]> {
  const { clock, sockets, connection, seen } = createNewConnection()
  const faults: string[] = []
  let dials = 0
  let lastDialAt = -LEAST_PAUSE_MS
  let accepted = 0
  let prompted = true

  /** Dials that no caller requested keep their distance. */
  const look = (): void => {
    if (sockets.live.length > 1) faults.push(`I14: ${sockets.live.length} sockets live`)
    if (sockets.all.length > dials) {
      if (!prompted && clock.monotonic() - lastDialAt < LEAST_PAUSE_MS) faults.push('I15: dialed again at once')
      dials = sockets.all.length
      lastDialAt = clock.monotonic()
      prompted = false
    }
  }
  const pass = async (ms: number): Promise<void> => {
    const until = clock.monotonic() + ms
    while (clock.nextIn !== undefined && clock.monotonic() + clock.nextIn <= until) {
      await clock.advance(clock.nextIn)
      look()
    }
    await clock.advance(until - clock.monotonic())
  }

  connection.start()
  await clock.settle()
  look()
  for (const step of steps) {
    const socket = sockets.live[0]
    const more = Math.floor(step / 10)
    switch (step % 10) {
      case 0:
      case 1:
        if (socket?.state === 'opening') {
          accepted += 1
          socket.accept(ME, `c${accepted}`)
        }
        break
      case 2:
        if (socket?.state === 'opening') socket.refuse(71)
        break
      case 3:
        socket?.end(more % 2 === 0 ? 1006 : 1011)
        break
      case 4:
        if (socket?.state === 'open')
          socket.frame({ type: 'typing.start', cid: 'a:b', created_at: '2026-03-02T09:00:00Z' })
        break
      case 5:
        prompted = true
        connection.networkOnline()
        break
      case 6:
        connection.networkOffline()
        break
      case 7:
        prompted = true
        connection.resumed()
        break
      case 8:
        prompted = true
        connection.reconnectNow()
        break
      default:
        await pass(PAUSES[more % PAUSES.length] ?? 0)
    }
    await clock.settle()
    look()
  }
  if (seen.healthy.length !== accepted) faults.push(`I16: ${seen.healthy.length} hellos of ${accepted} connections`)
  for (const [index, state] of seen.states.entries()) {
    const before = seen.states[index - 1]
    if (before?.state === 'healthy' && state.state === 'healthy') faults.push('I16: healthy was said twice')
  }
  await stopped(connection.stop(), pass)
  if (clock.pending > 0) faults.push(`${clock.pending} timers are left behind`)
  return faults
}

async function stopped(stop: Promise<void>, pass: (ms: number) => Promise<void>): Promise<void> {
  await pass(2_000)
  await stop
}
