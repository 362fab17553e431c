import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FakeHttp } from '#kit/fake-http.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import type { Endpoint, None } from '#shared/wire/endpoint.ts'
import type { UploadReply } from '#shared/wire/uploads.ts'
import { createServerClock } from '../session/server-clock.ts'
import { createTokenManager } from '../session/token.ts'
import { claimsOf, CHECKED_OPERATIONS, type Call, type Claim } from './answers.ts'
import { Api } from './client.ts'
import { ApiError } from './errors.ts'

/** Every endpoint of the contract, by the name it is imported by. */
const endpoints = new Map<string, Endpoint>()
for (const file of readdirSync('shared/wire').filter((name) => !name.endsWith('.test.ts'))) {
  for (const [name, value] of Object.entries((await import(`#shared/wire/${file.slice(0, -3)}.ts`)) as object)) {
    if (typeof value === 'object' && value !== null && 'operation' in value) endpoints.set(name, value as Endpoint)
  }
}

/** Calls that read lists, or nothing that has a name: they change nothing, so nothing is compared. */
const ASKS = new Set([
  'QueryCampaigns',
  'QueryChannels',
  'QueryDrafts',
  'QueryFlagReports',
  'QueryFlags',
  'QueryMessageHistory',
  'QueryModerationConfigs',
  'QueryModerationLogs',
  'QueryModerationRules',
  'QueryPollVotes',
  'QueryPolls',
  'QueryReactions',
  'QueryReminders',
  'QuerySegmentTargets',
  'QuerySegments',
  'QueryReviewQueue',
  'QueryThreads',
  'Sync',
])

/** Endpoints that the engine imports and calls with anything but GET. */
function written(): Endpoint[] {
  const files = readdirSync('main/engine', { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const names = sources.flatMap((name) => {
    const imports = readFileSync(join('main/engine', name), 'utf8').matchAll(
      /import \{([^}]*)\} from '#shared\/wire\/[^']*'/gu,
    )
    return [...imports].flatMap(([, list = '']) => list.split(',').map((each) => each.trim()))
  })
  return [...new Set(names)]
    .flatMap((name) => endpoints.get(name) ?? [])
    .filter(({ method, operation }) => method !== 'GET' && !ASKS.has(operation))
}

/** A body with every field by which a call may name its object. */
const BODY = {
  id: 'id-1',
  key: 'key-1',
  item_id: 'item-1',
  name: 'name-1',
  message_id: 'm-1',
  target_id: 'u-1',
  target_user_id: 'u-1',
  blocked_user_id: 'u-1',
  channel_cid: 'team:general',
  message: { id: 'm-1', text: 'hi', parent_id: 'm-0' },
  reaction: { type: 'like' },
  vote: { option_id: 'o-1' },
  event: { type: 'typing.start' },
  thread_id: 'm-0',
  users: [{ id: 'ann', set: {} }],
  data: { members: ['ann'] },
}

function callOf({ path }: Endpoint): Call & { params: Record<string, string> } {
  const names = [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, name === 'type' ? 'team' : `${name}-1`]))
  return { params, body: BODY, ...(path.startsWith('/channels') ? {} : { cid: 'team:general' }), me: 'ann' }
}

/** A response that satisfies every claim. */
function answerTo(claims: readonly Claim[]): Record<string, unknown> {
  const reply = {}
  for (const { at, is } of claims) put(reply, at, is ?? 'https://files.example/1')
  return reply
}

function put(reply: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [name = '', ...rest] = at
  if (rest.length === 0) reply[name] = value
  else put((reply[name] ??= {}) as Record<string, unknown>, rest, value)
}

async function resultOf(endpoint: Endpoint, reply: object): Promise<'taken' | ApiError> {
  const clock = new ManualClock()
  const { params, body, cid } = callOf(endpoint)
  const http = new FakeHttp().on(endpoint.method, endpoint.path, { status: 201, body: reply })
  const api = new Api({
    baseUrl: 'https://chat.example',
    apiKey: 'K',
    userId: 'ann',
    clientName: 'parlor',
    tokens: createTokenManager({ kind: 'static', token: 'T' }),
    serverClock: createServerClock(clock),
    ports: { clock, ids: seededIds(), http, log: silentSink },
  })
  const file = { path: '', fileName: 'f', mimeType: 'text/plain', onProgress: () => undefined }
  const sent = endpoint.operation.startsWith('Upload')
    ? api.upload(endpoint as Endpoint<string, None, None, UploadReply>, { params: params as never, file })
    : api.send(endpoint as Endpoint<string, unknown, unknown, object>, { params, body, cid } as never)
  return sent.then(
    () => 'taken' as const,
    (error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    },
  )
}

const WRONG: readonly (readonly [string, unknown])[] = [
  ['another', 'other-1'],
  ['a number', 5],
  ['a list', ['m-1']],
  ['an object', { id: 'm-1' }],
  ['true', true],
]
const ABSENT: readonly (readonly [string, unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
]

describe('a response about another object is rejected', () => {
  test('for every call that changes something it is known what its response is about', () => {
    const all = written()
    expect(all.length).toBeGreaterThan(45)
    expect(all.map(({ operation }) => operation).filter((operation) => !CHECKED_OPERATIONS.has(operation))).toEqual([])
  })

  const compared = [...new Map([...endpoints.values()].map((each) => [each.operation, each])).values()].filter(
    (endpoint) => claimsOf(endpoint.operation, callOf(endpoint)).length > 0,
  )

  test('every compared operation exists in the contract', () => {
    expect(compared.length).toBeGreaterThan(30)
  })

  test.each(compared.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', async (_name, endpoint) => {
    const claims = claimsOf(endpoint.operation, callOf(endpoint))
    expect(await resultOf(endpoint, answerTo(claims))).toBe('taken')
    for (const { at, is, needed, or } of claims) {
      for (const [what, value] of [...WRONG, ...ABSENT]) {
        const reply = answerTo(claims)
        put(reply, at, value)
        const isAbsent = ABSENT.some(([name]) => name === what)
        if (or && isAbsent) put(reply, or, undefined)
        const outcome = await resultOf(endpoint, reply)
        const isRight = isAbsent ? !needed : is === undefined && typeof value === 'string'
        const shown = outcome === 'taken' ? outcome : [outcome.code, outcome.class, outcome.outcomeUnknown]
        expect(shown, `${at.join('.')} ${what}`).toEqual(isRight ? 'taken' : ['network/wrong-answer', 'network', true])
      }
    }
    // A value that is not an object is never accepted in place of one.
    for (const { at, needed } of claims) {
      const [first = '', ...rest] = at
      if (rest.length === 0) continue
      const outcome = await resultOf(endpoint, { ...answerTo(claims), [first]: 'rubbish' })
      expect(outcome instanceof ApiError, `${at.join('.')} ${needed}`).toBe(true)
    }
  })
})
