import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenAt } from '#main/server/network/network.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { systemPrograms } from '#main/server/integrations/program-net.ts'
import type { IntegrationAction, IntegrationReply } from '#shared/wire/integrations.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { API_KEY, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** A real program on loopback: keeps what it gets, and answers as it is told. */
export type Program = {
  readonly url: string
  readonly received: Received[]
  /** Resolves once so many calls have arrived. */
  got(count: number): Promise<readonly Received[]>
  answer: (response: ServerResponse, call: Received) => void
  stop(): Promise<void>
}

export async function startProgram(): Promise<Program> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const http = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const call = { headers: request.headers, body: Buffer.concat(parts).toString() }
      received.push(call)
      program.answer(response, call)
      for (const look of waiting) look()
    })
  })
  await listenAt(http, '127.0.0.1', 0)
  const program: Program = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/parlor`,
    received,
    got: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      }),
    answer: (response) => response.end(),
    stop: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
  return program
}

export const json = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export const CID = 'team:builds'
export const ROOM = { type: 'team', id: 'builds' }

/** Any call of the owner's page: as an administrator, or as whoever is named. */
export async function act(
  server: Pick<TestServer, 'url'>,
  action: IntegrationAction,
  by = 'ola',
): Promise<IntegrationReply & { readonly status: number; readonly code?: number }> {
  const response = await fetch(`${server.url}/integrations?api_key=${API_KEY}`, {
    method: 'POST',
    headers: {
      authorization: createToken({ userId: by }, SECRET),
      'stream-auth-type': 'jwt',
      'content-type': 'application/json',
    },
    body: JSON.stringify(action),
  })
  return { ...((await response.json()) as IntegrationReply), status: response.status }
}

/** A workspace with an administrator, `ola`, a person, `ann`, and a channel that both are in. */
export async function startWorkspace(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<{ server: TestServer; ola: Client; ann: Client }> {
  const server = await startTestServer({ programs: systemPrograms, ...options })
  await asServer(server, '/users', {
    users: { ola: { id: 'ola', name: 'Ola', role: 'admin' }, ann: { id: 'ann', name: 'Ann' } },
  })
  const ola = await server.connect('ola')
  const ann = await server.connect('ann')
  await ola.call(queryChannel, ROOM, { body: { data: { name: 'builds', members: ['ola', 'ann'] }, watch: true } })
  await ann.call(queryChannel, ROOM, { body: { watch: true } })
  await ola.takeEventTypes()
  await ann.takeEventTypes()
  return { server, ola, ann }
}

export async function asServer(
  server: Pick<TestServer, 'url'>,
  path: string,
  body: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<number> {
  const response = await fetch(`${server.url}${path}?api_key=${API_KEY}`, {
    method,
    headers: { authorization: createToken({}, SECRET), 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status
}

/** The new integration with its secret; throws with the reason when it is refused. */
export async function make(
  server: Pick<TestServer, 'url'>,
  fields: Omit<Extract<IntegrationAction, { action: 'create' }>, 'action'>,
): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await act(server, { action: 'create', ...fields })
  if (made.integration === undefined || made.secret === undefined) throw new Error(JSON.stringify(made))
  return { id: made.integration.id, secret: made.secret }
}

export async function callsOf(server: Pick<TestServer, 'url'>, id: string) {
  return (await act(server, { action: 'calls', id })).calls ?? []
}
