import { isGood, type CallOutcome } from '#shared/domain/manage/integrations.ts'
import { faultOf } from '../http/refusal.ts'
import { MS, SECOND, toText, wakeDueTimer } from '../store/time.ts'
import { transact, type Services, type Work } from '../work.ts'
import {
  changeIntegration,
  dequeue,
  dueIntegrations,
  firstQueued,
  integrationById,
  setTries,
  type IntegrationRow,
  type QueuedRow,
} from './integration-table.ts'
import { callProgram, type ProgramAnswer } from './program-net.ts'
import { noteCall, noteDropped, newSecret, signatureOf } from './programs.ts'

/** Seconds between the tries of one event; after the last one it is given up. */
const DELAYS_S = [10, 60, 300, 900, 3_600, 10_800, 21_600] as const
export const MOST_TRIES = DELAYS_S.length + 1
/** An event that is on its way is not due; longer than a call may take. */
const LEASE = 30 * SECOND

/** Sends the first waiting event of every program whose time has come. Driven by the timer of due rows. */
export function sendDue(work: Work): void {
  for (const row of dueIntegrations(work.db, work.now)) {
    const first = firstQueued(work.db, row.id)
    if (first === undefined) {
      changeIntegration(work.db, row.id, { next_at: null })
      continue
    }
    changeIntegration(work.db, row.id, { next_at: work.now + LEASE })
    // Only after the commit: what is rolled back was never on its way.
    work.afterwards(() => {
      if (work.programs.sending.has(row.id)) return
      work.programs.sending.add(row.id)
      void send(work, row, first)
    })
  }
}

async function send(services: Services, row: IntegrationRow, queued: QueuedRow): Promise<void> {
  try {
    const answer = await callSigned(services, row, { id: queued.id, event: queued.event, body: queued.body })
    transact(services, (work) => settle(work, row, queued, answer))
  } catch (error) {
    // The disk is full, or the server is stopping: the lease ends, and the event is sent again.
    services.log.warn('delivery-not-noted', faultOf(error))
  } finally {
    services.programs.sending.delete(row.id)
    wakeDueTimer(services.db)
  }
}

function settle(work: Work, row: IntegrationRow, queued: QueuedRow, answer: ProgramAnswer): void {
  const now = integrationById(work.db, row.id)
  if (!now || now.revoked_at !== null) return
  const outcome: CallOutcome = answer.ok ? 'delivered' : answer.outcome
  const isDone = isGood(outcome) || queued.tries + 1 >= MOST_TRIES
  if (isDone) dequeue(work.db, queued.seq)
  else setTries(work.db, queued.seq, queued.tries + 1)
  const delayS = isDone ? 0 : (DELAYS_S[queued.tries] ?? 0)
  const isEmpty = firstQueued(work.db, row.id) === undefined
  changeIntegration(work.db, row.id, { next_at: isEmpty ? null : work.now + delayS * SECOND })
  noteCall(work, now, { ...seen(answer), outcome, what: queued.event, source: 'parlor', request: null })
  if (isDone && !isGood(outcome)) noteDropped(work, now, queued.event)
}

/** What a call leaves in the list. */
export const seen = (answer: ProgramAnswer): { readonly took: number; readonly status: number | null } => ({
  took: answer.took,
  status: answer.status ?? null,
})

type Delivery = { readonly id: string; readonly event: string; readonly body: string }

/** Posts a signed body to a program. How it is signed is documented in docs/integrations.md. */
export function callSigned(
  services: Services,
  { url, secret }: Pick<IntegrationRow, 'url' | 'secret'>,
  { id, event, body }: Delivery,
): Promise<ProgramAnswer> {
  const { clock, programs } = services
  const timestamp = String(Math.floor(clock.now() / 1_000))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Parlor',
    'Parlor-Delivery': id,
    'Parlor-Event': event,
    'Parlor-Timestamp': timestamp,
    // Without a secret yet, nobody can check it: the header is there all the same.
    'Parlor-Signature': signatureOf(secret ?? newSecret(), timestamp, body),
  }
  return callProgram(url ?? '', { body, headers }, { net: programs.net, clock })
}

/** The body of a test, which tells a program that it is none of the events it listens to. */
export const testBody = (services: Services, id: string): string =>
  JSON.stringify({ id, type: 'test', created_at: toText(Math.round(services.clock.now() * MS)) })
