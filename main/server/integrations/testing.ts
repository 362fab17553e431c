import type { CallOutcome } from '#shared/domain/manage/integrations.ts'
import type { IntegrationReply, WireTestResult } from '#shared/wire/integrations.ts'
import { Refusal } from '../http/refusal.ts'
import { Later } from '../http/router.ts'
import { transact, type Services, type Work } from '../work.ts'
import { integrationById, type IntegrationRow } from './integration-table.ts'
import { callSigned, seen, testBody } from './outgoing.ts'
import { postAs } from './posting.ts'
import type { ProgramAnswer } from './program-net.ts'
import { noteCall } from './programs.ts'
import { tryKey } from './script-calls.ts'

const ANSWER_LENGTH = 200

/** Tests an integration as far as it can be: what happens is real, and its call is in the list. */
export function testIntegration(work: Work, row: IntegrationRow, text: string): IntegrationReply | Later {
  switch (row.kind) {
    case 'incoming':
      return { test: postTest(work, row, text) }
    case 'key':
      return { test: readTest(work, row) }
    case 'outgoing':
    case 'command':
      return callTest(work, row)
  }
}

function postTest(work: Work, row: IntegrationRow, text: string): WireTestResult {
  const started = work.clock.monotonic()
  const { outcome, messageId } = postAs(work, row, row.cid ?? '', text)
  const took = Math.round(work.clock.monotonic() - started)
  const status = outcome === 'posted' ? 200 : 403
  noteCall(work, row, { took, status, outcome, what: text, source: 'parlor', request: null })
  return { outcome, status, took, cid: row.cid ?? undefined, message_id: messageId }
}

function readTest(work: Work, row: IntegrationRow): WireTestResult {
  try {
    return { outcome: 'read', took: 0, count: tryKey(work, row) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: 'not-allowed', took: 0 }
  }
}

/** A command is called as it will be, with a body that says that it is a test. */
function callTest(work: Work, row: IntegrationRow): Later {
  const services: Services = work
  return new Later(async () => {
    const id = services.ids.uuid()
    const answer = await callSigned(services, row, { id, event: 'test', body: testBody(services, id) })
    const test = resultOf(answer, row.kind === 'command' ? 'answered' : 'delivered')
    transact(services, (inner) => {
      const now = integrationById(inner.db, row.id) ?? row
      noteCall(inner, now, { ...seen(answer), outcome: test.outcome, what: 'test', source: 'parlor', request: null })
    })
    return { test }
  })
}

/** Calls an address that no integration has yet. Nothing is noted. */
export function probe(work: Work, url: string): Later {
  const services: Services = work
  return new Later(async () => {
    const id = services.ids.uuid()
    const answer = await callSigned(
      services,
      { url, secret: null },
      { id, event: 'test', body: testBody(services, id) },
    )
    return { test: resultOf(answer, 'answered') }
  })
}

function resultOf(answer: ProgramAnswer, good: CallOutcome): WireTestResult {
  if (!answer.ok) return { outcome: answer.outcome, status: answer.status, took: answer.took }
  const text = answer.text.replaceAll(/\s+/g, ' ').trim().slice(0, ANSWER_LENGTH).toWellFormed()
  return { outcome: good, status: answer.status, took: answer.took, ...(text === '' ? {} : { answer: text }) }
}
