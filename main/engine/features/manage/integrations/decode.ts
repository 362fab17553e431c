import {
  CALL_OUTCOMES,
  INTEGRATION_EVENTS,
  INTEGRATION_KINDS,
  type CallOutcome,
  type Integration,
  type ProgramCall,
  type TestResult,
} from '#shared/domain/manage/integrations.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { asList, asWire, countOf, flagOf, idOf, nameOf, textOf, timeOf } from '../../../decode/read.ts'

/** Longer than any that the server sends. */
const ADDRESS = 2_500
const REQUEST = 2_000

const outcomeOf = (value: unknown): CallOutcome | undefined => CALL_OUTCOMES.find((each) => each === value)

/** See docs/integrations.md. */
export function readIntegration(value: unknown): Integration | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  const kind = INTEGRATION_KINDS.find((each) => each === wire?.['kind'])
  if (!wire || id === undefined || kind === undefined) return undefined
  const cid = idOf(wire['cid'])
  return {
    id,
    kind,
    name: nameOf(wire['name']) ?? id,
    cid: cid === undefined ? undefined : asCid(cid),
    url: textOf(wire['url'], ADDRESS),
    command: nameOf(wire['command'], 64),
    hint: nameOf(wire['hint']),
    events: INTEGRATION_EVENTS.filter((event) => asList(wire['events']).includes(event)),
    address: textOf(wire['address'], ADDRESS),
    keyStart: nameOf(wire['key_start'], 64),
    createdBy: asUserId(idOf(wire['created_by']) ?? ''),
    createdAt: timeOf(wire['created_at']) ?? 0,
    paused: flagOf(wire['paused']) ?? false,
    revokedAt: timeOf(wire['revoked_at']),
    fails: countOf(wire['fails']) ?? 0,
    waiting: readWaiting(wire['waiting']),
    lastOutcome: outcomeOf(wire['last_outcome']),
  }
}

function readWaiting(value: unknown): Integration['waiting'] {
  const wire = asWire(value)
  const [count, tries, of] = [countOf(wire?.['count']), countOf(wire?.['tries']), countOf(wire?.['of'])]
  const nextAt = timeOf(wire?.['next_at'])
  if (!count || tries === undefined || !of || nextAt === undefined) return undefined
  return { count, tries, of, nextAt }
}

export function readCall(value: unknown): ProgramCall | undefined {
  const wire = asWire(value)
  const [id, at, outcome] = [countOf(wire?.['id']), timeOf(wire?.['at']), outcomeOf(wire?.['outcome'])]
  if (!wire || id === undefined || at === undefined || outcome === undefined) return undefined
  return {
    id,
    at,
    outcome,
    took: countOf(wire['took']) ?? 0,
    status: countOf(wire['status']),
    what: nameOf(wire['what']) ?? '',
    source: nameOf(wire['source'], 100) ?? '',
    request: textOf(wire['request'], REQUEST),
  }
}

export function readTest(value: unknown): TestResult | undefined {
  const wire = asWire(value)
  const outcome = outcomeOf(wire?.['outcome'])
  if (!wire || outcome === undefined) return undefined
  const [cid, messageId] = [idOf(wire['cid']), idOf(wire['message_id'])]
  return {
    outcome,
    took: countOf(wire['took']) ?? 0,
    status: countOf(wire['status']),
    answer: nameOf(wire['answer']),
    cid: cid === undefined ? undefined : asCid(cid),
    messageId: messageId === undefined ? undefined : asMessageId(messageId),
    count: countOf(wire['count']),
  }
}
