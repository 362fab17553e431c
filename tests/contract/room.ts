import { startDueTimer } from '#main/server/store/upkeep.ts'
import type { Json } from '#main/server/http/json.ts'
import { createConnection } from '#main/server/realtime/connect.ts'
import { routes } from '#main/server/routes.ts'
import type { ManualClock } from '#kit/manual-clock.ts'
import { inProcess, type Caller, type Call, type Outcome } from './in-process.ts'

/** A connected user: the events received since the last call. */
export type Listener = {
  readonly connectionId: string
  /** Events since the last call, oldest first. */
  takeEvents(): Json[]
  /** Only their types. */
  types(): string[]
}

/** Names the type of a reply; never set. */
type Reads<T> = { readonly reply?: T }

/** The server's routes without sockets, on a manual clock, with users who receive events. */
export type Room = {
  readonly server: ReturnType<typeof inProcess>
  readonly clock: ManualClock
  /** One call by its operation name; its changes stay. */
  ask(operation: string, who: Caller | string, call?: Call): Outcome
  /** The reply of a call that must not be refused. */
  done<T = Json>(operation: string, who: Caller | string, call?: Call & Reads<T>): T
  listen(userId: string): Listener
  /** Throws when the server logged an unexpected error. */
  close(): void
}

export const ADMIN: Caller = { userId: '', kind: 'server' }

/** What a refused request did is undone, and the transaction around it goes on. */
export function undone({ server }: Room, act: () => void): void {
  const refusal = new Error('undone')
  try {
    server.services.db.transaction(() => {
      act()
      throw refusal
    })
  } catch (error) {
    if (error !== refusal) throw error
  }
}

export function openRoom(people: readonly string[]): Room {
  const server = inProcess()
  const { services } = server
  const stop = startDueTimer(services)
  const ask: Room['ask'] = (operation, who, call) => {
    const found = routes.find((each) => each.operation === operation)
    if (!found) throw new Error(`no operation ${operation}`)
    return server.call(found, typeof who === 'string' ? { userId: who } : who, call)
  }
  const done = <T>(operation: string, who: Caller | string, call?: Call & Reads<T>): T => {
    const { code, reply } = ask(operation, who, call)
    if (code !== undefined) throw new Error(`${operation}: ${JSON.stringify(reply)}`)
    return reply as T
  }
  done('UpdateUsers', ADMIN, {
    body: { users: { root: { role: 'admin' }, ...Object.fromEntries(people.map((id) => [id, {}])) } },
  })
  return {
    server,
    clock: services.clock as ManualClock,
    ask,
    done,
    listen(userId) {
      const events: Json[] = []
      const connection = createConnection(services, userId, {
        push: (event, extra) => void events.push(JSON.parse(event.jsonWith(extra)) as Json),
        flush: () => undefined,
        close: () => undefined,
      })
      services.hub.add(connection)
      const takeEvents = () => events.splice(0)
      return {
        connectionId: connection.id,
        takeEvents,
        types: () => takeEvents().map((event) => String(event['type'])),
      }
    },
    close() {
      stop()
      server.close()
      if (server.failures.length > 0) throw new Error(`the server failed: ${server.failures.join('; ')}`)
    },
  }
}
