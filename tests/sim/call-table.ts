import type { Failure } from '#main/engine/api/errors.ts'

/**
 * The outcome of a task: done, shown as refused, tried again after at least so long, or held until the user signs in.
 */
export type Outcome =
  | { readonly is: 'done' }
  | { readonly is: 'parked' }
  | { readonly is: 'waiting'; readonly atLeastMs: number }
  | { readonly is: 'held' }

export type CallRow = {
  readonly answer: string
  /** Absent: the call succeeds. */
  readonly failure?: Failure
  /** The delay that the server's rate limit names, if any. */
  readonly retryAfterMs?: number
  readonly first: Outcome
  /** Where the third try differs from the first. */
  readonly third?: Outcome
  /** Where a task that removes something differs. */
  readonly removes?: Outcome
}

const done: Outcome = { is: 'done' }
const parked: Outcome = { is: 'parked' }
const held: Outcome = { is: 'held' }
const waiting = (atLeastMs: number): Outcome => ({ is: 'waiting', atLeastMs })
const answer = (
  status: number,
  wireCode?: number,
  more: { message?: string; unrecoverable?: boolean } = {},
): Failure => ({
  kind: 'answer',
  status,
  wireCode,
  ...more,
})

/** Every row of the table of failures, in its order. */
export const CALL_TABLE: readonly CallRow[] = [
  { answer: 'no connection', failure: { kind: 'transport', transport: 'network', sent: false }, first: waiting(1_000) },
  {
    answer: 'cut after sending',
    failure: { kind: 'transport', transport: 'timeout', sent: true },
    first: waiting(1_000),
  },
  { answer: '2xx with a valid body', first: done },
  { answer: '2xx from a captive portal', failure: { kind: 'foreign-answer', status: 200 }, first: waiting(10_000) },
  {
    answer: '2xx to something else',
    failure: { kind: 'wrong-answer', status: 201, stray: 'message.id' },
    first: waiting(1_000),
  },
  { answer: '3xx', failure: { kind: 'redirect', status: 302 }, first: waiting(10_000) },
  { answer: 'token expired (40)', failure: answer(401, 40), first: held },
  { answer: 'clock (41, 42)', failure: answer(401, 42), first: waiting(1_000), third: held },
  { answer: 'sign-in refused (43, 2, 5, bare 401)', failure: answer(401, 43), first: held },
  { answer: 'forbidden (17, 70)', failure: answer(403, 17), first: parked },
  { answer: 'gone (16)', failure: answer(404, 16), first: parked, removes: done },
  {
    answer: 'already exists (4)',
    failure: answer(400, 4, { message: 'a message with ID m1 already exists' }),
    first: done,
  },
  { answer: 'invalid (4, 6, 18 to 22, 24, 44)', failure: answer(400, 20), first: parked },
  { answer: 'rate limit (9)', failure: answer(429, 9), retryAfterMs: 30_000, first: waiting(30_000) },
  { answer: 'cooldown (60)', failure: answer(403, 60), retryAfterMs: 20_000, first: waiting(20_000) },
  { answer: 'server in trouble (5xx, -1, 23, 45, 71)', failure: answer(500, -1), first: waiting(1_000) },
  { answer: 'connection id lost (46)', failure: answer(400, 46), first: waiting(1_000) },
  { answer: 'wrong region, suspended (69, 99)', failure: answer(403, 99), first: held },
  { answer: 'unknown and unrecoverable', failure: answer(500, 777, { unrecoverable: true }), first: parked },
  { answer: 'unknown', failure: answer(500, 777), first: waiting(1_000) },
]
