import * as v from 'valibot'
import { isGood, type CallOutcome } from '#shared/domain/manage/integrations.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import { faultOf, Refusal } from '../http/refusal.ts'
import { MS, SECOND, toText, wakeDueTimer } from '../store/time.ts'
import { transact, type Services, type Work } from '../work.ts'
import type { Access } from '../channels/access.ts'
import { parseBody } from '../http/json.ts'
import type { Identity } from '../http/auth/identify.ts'
import { Later } from '../http/router.ts'
import { messageFor } from '../messages/message-announce.ts'
import type { MessageRow } from '../messages/message-table.ts'
import {
  changeIntegration,
  dequeue,
  dueIntegrations,
  firstQueued,
  integrationById,
  setTries,
  type IntegrationRow,
  type QueuedRow,
  workingIntegrations,
} from './integration-table.ts'
import { callProgram, type ProgramAnswer } from './program-net.ts'
import { noteCall, noteDropped, newSecret, signatureOf, closed, hashOf } from './programs.ts'
import { postAs, textOfPayload } from './incoming.ts'

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

/** The program that answers a command, if one does. */
export const programOf = (db: Work['db'], command: string): IntegrationRow | undefined =>
  workingIntegrations(db).find((row) => row.kind === 'command' && row.command === command)

type Asked = { readonly access: Access; readonly who: Identity; readonly row: MessageRow; readonly args: string }

/**
 * Asks a program, after the transaction. Its answer becomes the reply to the message that held the command: seen by the
 * sender alone, unless the program wants it in the channel. A message that is sent again while the server runs gets the
 * same answer, without a second call; after a restart the program is called again, with the same id.
 */
export function askProgram(work: Work, program: IntegrationRow, asked: Asked): Later {
  const services: Services = work
  return new Later(() =>
    services.programs.answerOnce(`${asked.who.userId} ${asked.row.id}`, () => ask(services, program, asked)),
  )
}

async function ask(services: Services, program: IntegrationRow, asked: Asked): Promise<{ message: WireMessage }> {
  const { access, who, row, args } = asked
  const { channel } = access
  const user = transact(services, (work) => work.people(who.userId))
  const delivery = hashOf(`${program.id} ${who.userId} ${row.id}`).slice(0, 32)
  const body = JSON.stringify({
    id: delivery,
    type: 'command',
    command: `/${program.command ?? ''}`,
    text: args,
    user: { id: who.userId, name: user.name ?? who.userId },
    channel: { cid: channel.cid, type: channel.type, id: channel.id, name: channel.name ?? channel.id },
    parent_id: row.parent_id ?? undefined,
  })
  const answer = await callSigned(services, program, { id: delivery, event: 'command', body })
  return transact(services, (work) => {
    const now = integrationById(work.db, program.id) ?? program
    const reply = replyOf(work, now, asked, answer)
    const { outcome } = reply
    noteCall(work, now, {
      ...seen(answer),
      outcome,
      what: `/${program.command ?? ''} ${args}`.trim(),
      source: 'parlor',
      request: null,
    })
    const type = outcome === 'answered' ? 'ephemeral' : 'error'
    const extra = JSON.stringify({ command: program.command, args })
    return { message: messageFor(work, { ...row, type, text: reply.text, extra, updated_at: work.now }, who) }
  })
}

type Reply = { readonly outcome: CallOutcome; readonly text: string }

function replyOf(work: Work, program: IntegrationRow, { access, row, args }: Asked, answer: ProgramAnswer): Reply {
  const name = `**${program.name}**`
  if (!answer.ok) return { outcome: answer.outcome, text: `${name} did not answer. Try again later.` }
  const said = read(answer)
  if (said === undefined) return { outcome: 'bad-request', text: `${name} gave an answer that cannot be shown.` }
  // What was sent is shown where the program says nothing, or says it to everyone.
  const echo = `/${program.command ?? ''} ${args}`.trim()
  if (isBlank(said.text)) return { outcome: 'answered', text: echo }
  if (!said.toAll)
    return { outcome: 'answered', text: `${name}: ${said.text}`.slice(0, access.flags.max_message_length) }
  const end = closed(program)
  if (end !== undefined) return { outcome: end, text: `${name} was paused or revoked, so its answer is not posted.` }
  const posted = postAs(work, program, access.channel.cid, said.text, row.parent_id ?? undefined)
  if (posted.outcome === 'posted') return { outcome: 'answered', text: echo }
  return { outcome: posted.outcome, text: `${name} gave an answer that the channel does not take.` }
}

const response = v.looseObject({ response_type: v.nullish(v.string()) })

/** JSON as Slack's commands answer, or plain text. */
function read(answer: ProgramAnswer & { ok: true }): { readonly text: string; readonly toAll: boolean } | undefined {
  if (!/^application\/json\b/i.test(answer.contentType)) return { text: answer.text.trim(), toAll: false }
  try {
    const body = parseBody(answer.text)
    const type = v.safeParse(response, body)
    return type.success
      ? { text: textOfPayload(body).text, toAll: type.output.response_type === 'in_channel' }
      : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
