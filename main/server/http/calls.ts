import type { IncomingMessage } from 'node:http'
import type { Services, Within } from '../work.ts'
import { identify, type Identity } from './auth/identify.ts'
import { faultOf, isDiskFull, Refusal, refuse } from './refusal.ts'
import { isObject, type Json } from './json.ts'
import type { Rate } from './limits.ts'
import type { Match, Route } from './router.ts'
import { userById } from '../users/user-tables.ts'

/** The part of a request that identifies the caller. Header names in lower case. */
type Credentials = {
  readonly query: Json
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const NOBODY: Identity = { userId: '', role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }

/** What a caller without a token may call, where the app allows anonymous access: reading. */
const ANONYMOUS_MAY: ReadonlySet<string> = new Set([
  'GetApp',
  'QueryChannels',
  'GetOrCreateChannel',
  'GetChannel',
  'StopWatchingChannel',
  'GetMessage',
  'GetManyMessages',
  'GetReplies',
  'GetPinnedMessages',
  'GetReactions',
  'Longpoll',
])

/** Where `user_id` in the query is the subject of the call, not the caller. See docs/wire.md 3.14 "user_report". */
const NAMES_ANOTHER: ReadonlySet<string> = new Set(['GetUserModerationReport'])

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Identifies the caller. Refuses as docs/wire.md 1.8, steps 2 to 7, says. */
export function identifyCaller(
  { query, headers }: Credentials,
  services: Services,
  route?: Pick<Route, 'anonymous' | 'operation'>,
): Identity {
  const anonymous = route?.anonymous ? 'always' : ANONYMOUS_MAY.has(route?.operation ?? '') ? 'ifAllowed' : 'never'
  const who = identify(
    {
      apiKey: textOf(query['api_key']) ?? textOf(headers['api_key']),
      authType: textOf(headers['stream-auth-type']) ?? textOf(query['stream-auth-type']),
      token: textOf(headers['authorization']) ?? textOf(query['authorization']),
      userId: NAMES_ANOTHER.has(route?.operation ?? '') ? undefined : textOf(query['user_id']),
    },
    {
      db: services.db,
      apiKey: services.apiKey,
      secret: services.secret,
      nowMs: services.clock.now(),
      anonymous: services.door ? 'never' : anonymous,
    },
  )
  refuseAtDoor(who, services)
  return who
}

/**
 * A server token can do everything, so it is never accepted from the network. Nor is the token of a user who does not
 * exist: everyone there was let in by the owner, so it is one whom the owner has deleted since.
 */
export function refuseAtDoor({ server, userId }: Identity, { door, db }: Pick<Services, 'door' | 'db'>): void {
  if (!door) return
  if (server) refuse('authentication', 'a server token is not accepted here')
  if (!userById(db, userId)) refuse('authentication', 'the user does not exist')
}

/**
 * One call of the endpoint table, from its caller to its response. The caller is identified at once; the returned
 * function runs the call when its body has been read, so that an unknown caller cannot make the server read one.
 */
export function openCall(
  match: Match,
  credentials: Credentials,
  services: Services,
  onRate?: (rate: Rate) => void,
): (raw: Json, within?: Within) => object {
  const { query } = credentials
  const isOpen = match.route.open && !services.door
  const who = isOpen ? NOBODY : identifyCaller(credentials, services, match.route)
  if (!isOpen) countCall(who, match.route.operation, services, onRate)
  return (raw, within) =>
    match.route.run(
      {
        params: match.params,
        query,
        body: raw,
        raw,
        who: actingUser(who, query, raw),
        connectionId: textOf(query['connection_id']),
      },
      services,
      within,
    ) as object
}

/** Counts one call, and refuses it when it is one too many. */
export function countCall(who: Identity, operation: string, services: Services, onRate?: (rate: Rate) => void): void {
  const rate = services.limits.take(who, operation)
  onRate?.(rate)
  if (!rate.allowed) refuse('rateLimit', 'too many calls: wait a little')
}

/** POST and PUT respond with 201, the rest with 200. See docs/wire.md 1.10. */
export const successStatus = ({ method }: Pick<Route, 'method'>): number =>
  method === 'POST' || method === 'PUT' ? 201 : 200

/**
 * A server token may name the acting user: in the request, or inside the sent object, as the contract's server clients
 * do with messages, reactions and events. See docs/wire.md 1.4 "body user", 3.3 MESSAGE INPUT.
 */
function actingUser(who: Identity, query: Json, body: Json): Identity {
  if (!who.server || who.userId !== '') return who
  const sent = [body['message'], body['reaction'], body['event'], body['vote']]
  const named = textOf(query['user_id']) || [body, ...sent].map(namedIn).find((id) => id !== undefined)
  return named ? { ...who, userId: named } : who
}

function namedIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const user = value['user']
  return textOf(value['user_id']) || (isObject(user) ? textOf(user['id']) : undefined) || undefined
}

/** Nothing of an unexpected error reaches the client: its text may hold paths or SQL. */
export function toRefusal(error: unknown, services: Pick<Services, 'log'>, operation: string): Refusal {
  if (error instanceof Refusal) return error
  services.log.error('request-failed', { operation, ...faultOf(error) })
  if (isDiskFull(error)) return new Refusal('internal', 'the disk of the server is full')
  return new Refusal('internal', 'the server could not do this')
}

/** Two Host headers count as none: Node takes the first, another reader might take the last. */
const namesOneHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length === 1

/**
 * Refuses requests that a web page could send: a `Host` of another name (DNS rebinding) and an `Origin` that was not
 * allowed. Native clients send no origin.
 */
export function checkOrigin(
  request: IncomingMessage,
  services: Pick<Services, 'localUrl' | 'door'>,
  allowed: ReadonlySet<string>,
): void {
  const { port } = new URL(services.localUrl())
  const hosts = services.door?.hosts ?? new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  const host = namesOneHost(request) ? request.headers.host : undefined
  if (host === undefined || !hosts.has(host)) {
    throw new Refusal('notAllowed', 'this host name is not served', { status: 421 })
  }
  const origin = request.headers.origin
  if (origin !== undefined && !allowed.has(origin)) {
    throw new Refusal('notAllowed', 'this origin is not allowed', { status: 403 })
  }
}
