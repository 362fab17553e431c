import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToken } from '#main/server/http/auth/identify.ts'
import { openCall, toRefusal } from '#main/server/http/calls.ts'
import { parseQuery, type Json, plain } from '#main/server/http/json.ts'
import { errorBody } from '#main/server/http/refusal.ts'
import type { Route } from '#main/server/http/router.ts'
import { forgetTypes } from '#main/server/channels/channel-types.ts'
import { openServices } from '#main/server/app.ts'
import type { Services } from '#main/server/work.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { API_KEY, SECRET } from './kit.ts'

/** The caller: a user, a server token (`server`), or no one (`anonymous`). */
export type Caller = { readonly userId: string; readonly kind?: 'server' | 'anonymous'; readonly usedBy?: string }

export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Json
  readonly body?: Json
}

export type Outcome = { readonly code: number | undefined; readonly reply: Json }

export type InProcess = {
  readonly services: Services
  /** Unexpected errors that the server logged: there must be none. */
  readonly failures: string[]
  /** Makes the call; its changes stay. */
  call(route: Route, who: Caller, call?: Call): Outcome
  /** Makes the call and undoes it. */
  attempt(route: Route, who: Caller, call?: Call): Outcome
  close(): void
}

/** The server's routes without sockets: thousands of calls a second, each of which can be undone. */
export function inProcess(): InProcess {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-calls-'))
  const failures: string[] = []
  const services = openServices({
    dataFolder: folder,
    apiKey: API_KEY,
    secret: SECRET,
    clock: new ManualClock(),
    ids: seededIds(7),
    log: (level, _area, event, fields) =>
      void (level === 'error' && failures.push(`${event} ${JSON.stringify(fields)}`)),
    localUrl: () => 'http://127.0.0.1:9999',
    limits: { send: 1e9, reaction: 1e9, query: 1e9, event: 1e9, og: 1e9, other: 1e9, connect: 1e9, failedAuth: 1e9 },
  })
  const call = (route: Route, who: Caller, given: Call = {}): Outcome => {
    try {
      const match = { route, params: { ...given.params } }
      const run = openCall(match, { query: queryOf(who, given.query), headers: headersOf(who) }, services)
      const reply = run(given.body ?? {})
      // A link preview needs another server, and there is none here: only the permission to request it is tested.
      if (reply instanceof Promise) reply.catch(() => undefined)
      return { code: undefined, reply: plain<Json>({ ...reply }) }
    } catch (error) {
      const refusal = toRefusal(error, services, route.operation)
      const body = errorBody(refusal, route.operation, '0.00ms')
      return { code: body.code, reply: body }
    }
  }
  return {
    services,
    failures,
    call,
    attempt(route, who, given) {
      const undone = { outcome: undefined as Outcome | undefined }
      try {
        services.db.transaction(() => {
          undone.outcome = call(route, who, given)
          throw new Undone()
        })
      } catch (error) {
        if (!(error instanceof Undone)) throw error
      }
      forgetTypes(services.db)
      return undone.outcome ?? { code: -1, reply: {} }
    },
    close() {
      services.presence.stop()
      services.db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

class Undone extends Error {}

function queryOf(who: Caller, query: Json = {}): Json {
  const search = new URLSearchParams({ api_key: API_KEY, ...(who.userId === '' ? {} : { user_id: who.userId }) })
  for (const [key, value] of Object.entries(query)) {
    search.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return parseQuery(search)
}

function headersOf(who: Caller): Record<string, string> {
  if (who.kind === 'anonymous') return { 'stream-auth-type': 'anonymous' }
  const token = createToken(who.kind === 'server' ? { usedBy: who.usedBy } : { userId: who.userId }, SECRET)
  return { 'stream-auth-type': 'jwt', authorization: token }
}
