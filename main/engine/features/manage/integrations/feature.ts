import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { changeIntegrations, type IntegrationAction, type IntegrationReply } from '#shared/wire/integrations.ts'
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
import { defineFeature } from '../../../registry/feature.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asWire, eachOf, nameOf, textOf, asList, countOf, flagOf, idOf, timeOf } from '../../../decode/read.ts'
import { connectedApi, topicChanged } from '../authority.ts'

export const integrationsFeature = defineFeature({
  // Both reach only those whom they concern. Integrations are not cached: screens that show them load them again.
  events: {
    'integrations.updated': (_tx, _event, context) => topicChanged(context, 'integrations'),
    'integrations.failing': (_tx, event, context) => {
      const name = nameOf(asWire(event.integration)?.['name']) ?? ''
      context.later(() =>
        context.notify({
          code: 'integrations/failing',
          params: { name },
          type: 'integrations:failing',
          severity: 'warning',
        }),
      )
    },
  },
  create: (core: Parts) => ({ calls: { integrations: integrationsCalls(core) } }),
})

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** What the server's refusals mean for a form. */
const REASONS: readonly (readonly [text: RegExp, code: string])[] = [
  [/^.*the command \S+ is taken/, 'integrations/taken'],
  [/url must be an http or https address/, 'integrations/address'],
  [/set on the computer of the server/, 'integrations/other-device'],
  [/find channel with id/, 'integrations/channel'],
  [/at most \d+ integrations/, 'integrations/full'],
  [/was revoked|integration \S+ does not exist/, 'integrations/gone'],
  [/not in this backup/, 'integrations/key-lost'],
]

/** Calls to programs take up to 5 s each; the server answers afterwards. See docs/integrations.md. */
function integrationsCalls(core: Parts): HandlersOf<'integrations', CallContext> {
  const ask = async (body: IntegrationAction): Promise<IntegrationReply> => {
    const api = await connectedApi(core, 'integrations')
    try {
      return await api.send(changeIntegrations, { body, signal: core.life })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const code = REASONS.find(([text]) => text.test(error.message))?.[1]
      throw code === undefined ? error : new AppError(code, { cause: error })
    }
  }
  return {
    list: async () => eachOf((await ask({ action: 'list' })).integrations, readIntegration),
    async create(input) {
      const made = await ask({ action: 'create', ...input })
      topicChanged(core, 'integrations')
      return { integration: present(readIntegration(made.integration)), secret: present(textOf(made.secret)) }
    },
    async change(input) {
      const changed = await ask({ action: 'change', ...input })
      topicChanged(core, 'integrations')
      return present(readIntegration(changed.integration))
    },
    async pause({ ids, paused }) {
      await ask({ action: 'pause', ids, paused })
      topicChanged(core, 'integrations')
    },
    async revoke({ ids }) {
      await ask({ action: 'revoke', ids })
      topicChanged(core, 'integrations')
    },
    reveal: async ({ id }) => present(textOf((await ask({ action: 'reveal', id })).secret)),
    calls: async ({ id }) => eachOf((await ask({ action: 'calls', id })).calls, readCall),
    async retry({ id }) {
      await ask({ action: 'retry', id })
    },
    async test(input) {
      const { test } = await ask({ action: 'test', ...input })
      topicChanged(core, 'integrations')
      return present(readTest(test))
    },
    probe: async (input) => present(readTest((await ask({ action: 'probe', ...input })).test)),
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new AppError('integrations/gone')
  return value
}

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
