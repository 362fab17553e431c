import * as v from 'valibot'
import type { CallOutcome } from '#shared/domain/manage/integrations.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import type { Access } from '../channels/access.ts'
import { parseBody } from '../http/json.ts'
import type { Identity } from '../http/auth/identify.ts'
import { Refusal } from '../http/refusal.ts'
import { Later } from '../http/router.ts'
import { messageFor } from '../messages/message-announce.ts'
import type { MessageRow } from '../messages/message-table.ts'
import { transact, type Services, type Work } from '../work.ts'
import { integrationById, workingIntegrations, type IntegrationRow } from './integration-table.ts'
import { callSigned, seen } from './outgoing.ts'
import { postAs, textOfPayload } from './incoming.ts'
import { type ProgramAnswer } from './program-net.ts'
import { closed, noteCall, hashOf } from './programs.ts'

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
