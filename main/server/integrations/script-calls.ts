import type { IncomingMessage } from 'node:http'
import { isGood, type CallOutcome } from '#shared/domain/manage/integrations.ts'
import { revokedBefore, type Identity } from '../http/auth/identify.ts'
import { countCall } from '../http/calls.ts'
import { isObject, type Json, plain } from '../http/json.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import type { Route } from '../http/router.ts'
import { sendJson, type Incoming, type Special } from '../http/server.ts'
import { channelListRoutes, channelQueryRoutes } from '../channels/channel-query.ts'
import { messageRoutes } from '../messages/message-routes.ts'
import { searchRoutes } from '../search/search.ts'
import { userById } from '../users/user-tables.ts'
import { userRoutes } from '../users/user-routes.ts'
import { stage, transact, type Services, type Within } from '../work.ts'
import { integrationByHash, type IntegrationRow } from './integration-table.ts'
import { noteCall, hashOf, KEY_PREFIX } from './programs.ts'

const READ_PATH = '/read/'
const BEARER = /^Bearer ([\w-]{44,80})$/

type Asked = {
  readonly operation: string
  readonly params?: Record<string, string>
  readonly query?: Json
  readonly body?: Json
}
type Answer = (reply: Json) => Json
type Call = {
  readonly pattern: RegExp
  readonly ask: (parts: readonly string[], query: Json, me: string) => Asked
  readonly answer: Answer
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : [])

const pick = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(
    names.filter((name) => from[name] !== undefined && from[name] !== null).map((name) => [name, from[name]]),
  )

const person = (value: unknown): Json => (isObject(value) ? pick(value, ['id', 'name', 'role', 'online', 'bot']) : {})
const channel = (value: Json): Json =>
  pick(value, ['cid', 'type', 'id', 'name', 'member_count', 'last_message_at', 'created_at'])
const message = (value: Json): Json => ({
  ...pick(value, ['id', 'cid', 'type', 'text', 'parent_id', 'reply_count', 'created_at', 'updated_at', 'attachments']),
  user: person(value['user']),
})

const LARGEST_PAGE = 100

/** A number of a page. Longer ones are cut, not refused. */
const page = ({ limit, offset }: Json): { readonly limit: number; readonly offset: number } => ({
  limit: Math.min(LARGEST_PAGE, Math.max(1, numberIn(limit, 30))),
  offset: numberIn(offset, 0),
})
const numberIn = (value: unknown, otherwise: number): number =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : otherwise
const before = (query: Json): Json => (typeof query['before'] === 'string' ? { id_lt: query['before'] } : {})

/**
 * All that a key can do. Each is a reading call of the contract, asked in the name of the key's owner with arguments that
 * are made here: nothing that a script sends reaches a call that could write.
 */
const CALLS: readonly Call[] = [
  {
    pattern: /^channels$/,
    ask: (_parts, query, me) => ({
      operation: 'QueryChannels',
      body: {
        filter_conditions: { members: { $in: [me] } },
        sort: [{ field: 'last_message_at', direction: -1 }],
        state: false,
        ...page(query),
        limit: Math.min(30, page(query).limit),
      },
    }),
    answer: (reply) => ({
      channels: listOf(reply['channels']).flatMap((each) =>
        isObject(each['channel']) ? [channel(each['channel'])] : [],
      ),
    }),
  },
  {
    pattern: /^channels\/([^/]+)\/([^/]+)\/messages$/,
    ask: ([type = '', id = ''], query) => ({
      operation: 'GetChannel',
      params: { type, id },
      query: { state: true, messages: { limit: page(query).limit, ...before(query) } },
    }),
    answer: (reply) => ({ messages: listOf(reply['messages']).map(message) }),
  },
  {
    pattern: /^messages\/([^/]+)$/,
    ask: ([id = '']) => ({ operation: 'GetMessage', params: { id } }),
    answer: (reply) => ({ message: isObject(reply['message']) ? message(reply['message']) : {} }),
  },
  {
    pattern: /^messages\/([^/]+)\/replies$/,
    ask: ([id = ''], query) => ({
      operation: 'GetReplies',
      params: { id },
      query: { limit: page(query).limit, ...before(query) },
    }),
    answer: (reply) => ({ messages: listOf(reply['messages']).map(message) }),
  },
  {
    pattern: /^search$/,
    ask: (_parts, query, me) => ({
      operation: 'Search',
      query: {
        payload: {
          filter_conditions: { members: { $in: [me] } },
          query: typeof query['q'] === 'string' ? query['q'].slice(0, 500) : refuse('input', 'q is required'),
          limit: page(query).limit,
        },
      },
    }),
    answer: (reply) => ({
      messages: listOf(reply['results']).flatMap((each) =>
        isObject(each['message']) ? [message(each['message'])] : [],
      ),
    }),
  },
  {
    pattern: /^people$/,
    ask: (_parts, query) => ({
      operation: 'QueryUsers',
      query: { payload: { filter_conditions: {}, ...page(query) } },
    }),
    answer: (reply) => ({ people: listOf(reply['users']).map(person) }),
  },
]

const READING: ReadonlyMap<string, Route> = new Map(
  [...channelListRoutes, ...channelQueryRoutes, ...messageRoutes, ...searchRoutes, ...userRoutes].map((route) => [
    route.operation,
    route,
  ]),
)

/** `GET /read/…` with a key, on loopback only: a script on this computer reads what the key's owner may read. */
export const scriptCalls =
  (services: Services): Special =>
  (incoming) => {
    const { request, url } = incoming
    if (!url.pathname.startsWith(READ_PATH)) return undefined
    return {
      operation: 'Read',
      run: () => {
        const row = keyOf(request, services)
        const started = services.clock.monotonic()
        const path = url.pathname.slice(READ_PATH.length)
        try {
          const who = ownerOf(row, services)
          countCall(who, 'QueryByKey', services)
          const reply = readAs(services, who, request.method ?? 'GET', path, incoming)
          note(services, row, 'read', { path, started, status: 200 })
          sendJson(incoming.response, 200, reply)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          note(services, row, outcomeOf(error), { path, started, status: error.status })
          throw error
        }
      },
    }
  }

function keyOf(request: IncomingMessage, { db }: Services): IntegrationRow {
  const given = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const key = given?.startsWith(KEY_PREFIX) === true ? given : undefined
  const row = key === undefined ? undefined : integrationByHash(db, hashOf(key))
  if (row?.kind !== 'key') return refuse('authentication', 'the key is missing or wrong')
  if (row.revoked_at !== null) throw new Refusal('input', 'this key was revoked', { status: 410 })
  if (row.paused === 1) refuse('notAllowed', 'this key is paused')
  return row
}

/** Whoever made the key, with the rights they have now. Signing out everywhere ends it, like every token of theirs. */
function ownerOf(row: IntegrationRow, { db }: Pick<Services, 'db'>): Identity {
  const user = userById(db, row.created_by)
  const isGone = !user || user.deactivated_at !== null || user.deleted_at !== null
  if (isGone || row.created_at < revokedBefore(db, user)) return refuse('notAllowed', 'the owner of the key has left')
  return { userId: user.id, role: user.role, banned: user.banned === 1, server: false, expiresAtMs: undefined }
}

function readAs(
  services: Services,
  who: Identity,
  method: string,
  path: string,
  { query }: Pick<Incoming, 'query'>,
): Json {
  if (method !== 'GET') throw new Refusal('notAllowed', 'a key can only read: use GET', { status: 405 })
  for (const { pattern, ask, answer } of CALLS) {
    const found = pattern.exec(path)
    if (!found) continue
    const { operation, params = {}, query: asked = {}, body = {} } = ask(found.slice(1).map(decoded), query, who.userId)
    const route = READING.get(operation) ?? refuse('internal', 'there is no such call')
    const input = { params, query: asked, body, raw: body, who, connectionId: undefined }
    return answer(plain(route.run(input, services, undone) as Json))
  }
  return refuse('doesNotExist', 'there is nothing to read at this address')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse('input', 'the address is not valid')
  }
}

class Undone extends Error {}

/** Runs a step and rolls back whatever it wrote; its events are never sent. */
const undone: Within = <T>(services: Services, step: Parameters<typeof stage<T>>[1]): T => {
  let result: { readonly value: T } | undefined
  try {
    services.db.transaction(() => {
      result = { value: stage(services, step).result }
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return (result ?? refuse('internal', 'nothing was read')).value
}

/** How many channels a key's owner can list, which shows that the key works. */
export function tryKey(services: Services, row: IntegrationRow): number {
  const reply = readAs(services, ownerOf(row, services), 'GET', 'channels', { query: {} })
  return listOf(reply['channels']).length
}

const outcomeOf = ({ codeName, status }: Refusal): CallOutcome =>
  codeName === 'rateLimit' ? 'too-many' : status === 404 ? 'not-found' : status === 400 ? 'bad-request' : 'not-allowed'

type Noted = { readonly path: string; readonly started: number; readonly status: number }

/** A script may read thousands of times: of calls that went well, one in ten seconds is enough to see that it lives. */
function note(services: Services, row: IntegrationRow, outcome: CallOutcome, { path, started, status }: Noted): void {
  if (!services.programs.isWorthNoting(row.id, outcome) && (isGood(outcome) || outcome === 'too-many')) return
  const took = services.clock.monotonic() - started
  transact(services, (work) =>
    noteCall(work, row, {
      took,
      status,
      outcome,
      what: `GET /${READ_PATH.slice(1)}${path}`,
      source: LOOPBACK,
      request: null,
    }),
  )
}

const LOOPBACK = '127.0.0.1'
