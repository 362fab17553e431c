import { expect, test } from 'vitest'
import { createNewConnection, ME } from '#kit/one-connection.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { PATIENCE_MS, seedsOf, type Amount } from '#kit/runs.ts'

const AMOUNT: Amount = { fixed: 100, fresh: 0, long: 4_000, share: 0.01 }
/** The resolution with which the return is measured; the outage before it passes in larger steps. */
const STEP_MS = 50
const OUTAGE_STEP_MS = 500

type How = {
  /** The user is in front of the window. */
  readonly isFocused: boolean
  /** Presses a key about so often, in milliseconds. */
  readonly pressesEvery?: number
  /** The address responds to requests. */
  readonly probes?: true
  /** The server is reachable all the time; its token endpoint is not. */
  readonly tokens?: true
}

/** Milliseconds from the moment the server was back until the connection was healthy, over outages of 5 s to 10 min. */
async function returns(what: string, how: How): Promise<number[]> {
  const times: number[] = []
  for (const seed of seedsOf(`ways back after an outage: ${what}`, AMOUNT))
    times.push(await oneReturn(how, seed, 5_000 * 120 ** seededIds(seed * 7_919).random()))
  return times.toSorted((a, b) => a - b)
}

async function oneReturn(how: How, seed: number, outageMs: number): Promise<number> {
  const ids = seededIds(seed * 31)
  let isUp = true
  const load = async (): Promise<string> => {
    if (!isUp) throw new Error('the token endpoint is down')
    return 'T1'
  }
  const { clock, sockets, connection } = createNewConnection(
    how.tokens ? { kind: 'provider', load } : undefined,
    seed,
    undefined,
    {
      isFocused: () => how.isFocused,
      probe: how.probes ? async () => isUp || how.tokens === true : undefined,
    },
  )
  const answer = (): void => {
    const socket = sockets.latest
    if (socket.state !== 'opening') return
    if (isUp) socket.accept(ME)
    else socket.end()
  }
  connection.start()
  await clock.settle()
  answer()
  await clock.advance(1_000)
  isUp = false
  if (how.tokens) sockets.latest.frame({ error: { code: 40, message: 'token expired', StatusCode: 401 } })
  else sockets.latest.end()
  let presses = 0
  const step = async (ms: number): Promise<void> => {
    await clock.advance(Math.min(ms, clock.nextIn ?? ms))
    answer()
    presses += ms
    if (how.pressesEvery !== undefined && presses >= how.pressesEvery * (0.5 + ids.random())) {
      presses = 0
      connection.onActivity()
      await clock.settle()
    }
  }
  const endsAt = clock.monotonic() + outageMs
  while (clock.monotonic() < endsAt) await step(OUTAGE_STEP_MS)
  isUp = true
  const backAt = clock.monotonic()
  while (connection.state().state !== 'healthy') await step(STEP_MS)
  const took = clock.monotonic() - backAt
  void connection.stop()
  return took
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? 0

test.each<[what: string, how: How, p50: number, p95: number]>([
  ['nobody looks: the contract’s back-off', { isFocused: false }, 12_500, 25_000],
  ['someone looks', { isFocused: true }, 6_000, 10_000],
  ['someone looks, and the address is probed', { isFocused: true, probes: true }, 3_000, 4_000],
  ['someone types', { isFocused: true, probes: true, pressesEvery: 2_000 }, 3_000, 4_000],
  ['the token endpoint was down, nobody looks', { isFocused: false, tokens: true }, 12_500, 25_000],
  ['the token endpoint was down, someone looks', { isFocused: true, probes: true, tokens: true }, 6_000, 10_000],
  [
    'the token endpoint was down, someone types',
    { isFocused: true, probes: true, tokens: true, pressesEvery: 2_000 },
    3_000,
    5_000,
  ],
])('reconnecting after an outage: %s', { timeout: PATIENCE_MS }, async (what, how, p50, p95) => {
  const times = await returns(what, how)
  expect({ p50: at(times, 0.5), p95: at(times, 0.95), max: at(times, 0.999) }).toSatisfy(
    (found: { p50: number; p95: number; max: number }) => found.p50 <= p50 && found.p95 <= p95 && found.max <= 25_000,
  )
})
