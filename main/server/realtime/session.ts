import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { every, type Stop } from '#main/lib/clock.ts'
import { identify, type Identity } from '../http/auth/identify.ts'
import { refuseAtDoor } from '../http/calls.ts'
import { isObject, parseQuery, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { read } from '../http/shapes.ts'
import { userInput } from '../users/users.ts'
import { MS, toText } from '../store/time.ts'
import type { Services } from '../work.ts'
import { sendMissedReminders } from '../reminders/reminder-routes.ts'
import { type Connection, type Sink, Encoded } from './connection.ts'
import { arrive, depart } from './presence.ts'

const HEALTH_CHECK_MS = 30_000
const IDLE_MS = 90_000
/** Longest single timer of the platform. */
const MAX_TIMER_MS = 2_000_000_000

/** A connecting user: identity by token, and the details they send about themselves. */
export type Handshake = { readonly who: Identity; readonly details: Json; readonly device?: Json }

/** Reads the handshake of /connect and /longpoll. See docs/wire.md 2.1, 2.2 and 2.4. */
export function readHandshake(
  request: { readonly url?: string; readonly headers: { readonly authorization?: string } },
  services: Services,
): Handshake {
  const query = parseQuery(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
  const payload = query['json']
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const input = isObject(payload) ? payload : undefined
  const who = identify(
    {
      apiKey: text(query['api_key']),
      authType: text(query['stream-auth-type']),
      token: text(query['authorization']) ?? request.headers.authorization,
      userId: text(input?.['user_id']),
    },
    {
      db: services.db,
      apiKey: services.apiKey,
      secret: services.secret,
      nowMs: services.clock.now(),
      anonymous: services.door ? 'never' : 'ifAllowed',
    },
  )
  refuseAtDoor(who, services)
  if (!input || who.userId === '') return refuse('input', 'json must be an object with a user_id')
  const { user_details: details, device } = input
  return {
    who,
    details: isObject(details) ? read(userInput, details) : {},
    device: isObject(device) ? device : undefined,
  }
}

/** One open socket of a user, whatever transport carries its frames. */
export type SocketSession = {
  readonly connection: Connection
  /** A text frame arrived. */
  onText(text: string): void
  /** Any frame arrived. */
  onAlive(): void
  onClosed(): void
}

export const createConnection = (services: Services, userId: string, sink: Sink): Connection => ({
  id: services.ids.uuid(),
  userId,
  sink,
  watching: new Set(),
  presenceOf: new Set(),
})

/**
 * The user comes online and gets the first frame; pings get a response, and an idle socket or one whose token has expired
 * is closed. Refuses when there are too many connections. See docs/wire.md 2.3 to 2.6.
 */
export function openSession(services: Services, handshake: Handshake, sink: Sink): SocketSession {
  const { clock } = services
  const { who } = handshake
  let lastInbound = clock.monotonic()
  const connection = createConnection(services, who.userId, sink)
  const health = () => services.hub.push(connection, healthCheck(connection, services))
  arrive(services, connection, { ...handshake, role: who.role })
  sendMissedReminders(services, who.userId)
  const timers: Stop[] = [
    every(clock, HEALTH_CHECK_MS, () => {
      if (clock.monotonic() - lastInbound > IDLE_MS) return sink.close(CLOSE_CODES.idle, 'idle')
      return health()
    }),
  ]
  if (who.expiresAtMs !== undefined) {
    timers.push(atExpiry(who.expiresAtMs, services, () => sink.close(CLOSE_CODES.tokenExpired, 'token expired')))
  }
  return {
    connection,
    onAlive() {
      lastInbound = clock.monotonic()
    },
    onText(text) {
      lastInbound = clock.monotonic()
      if (isPing(text)) health()
    },
    onClosed() {
      for (const stop of timers) stop()
      depart(services, connection)
    },
  }
}

function atExpiry(at: number, services: Services, close: () => void): Stop {
  const left = at - services.clock.now()
  if (left > MAX_TIMER_MS) return services.clock.after(MAX_TIMER_MS, () => undefined)
  return services.clock.after(Math.max(0, left), close)
}

function healthCheck(connection: Connection, services: Services): Encoded {
  const at = toText(Math.round(services.clock.now() * MS))
  return new Encoded(JSON.stringify({ type: 'health.check', connection_id: connection.id, cid: '*', created_at: at }))
}

/** `[{"type":"health.check","client_id":"…"}]`; a single object is accepted too. */
function isPing(text: string): boolean {
  if (text.length > 1_000) return false
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    return isObject(first) && first['type'] === 'health.check'
  } catch {
    // Not JSON, so not a ping; clients send nothing else.
    return false
  }
}
