import type { Clock } from '#main/lib/clock.ts'
import { createToken } from '../../http/auth/identify.ts'
import { NotDone } from '../../store/backup.ts'

/** Of the same request, before the move is given up; it can go on later. */
const TRIES = 6
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 120_000

export type TargetPorts = {
  readonly request: (url: string, init: RequestInit) => Promise<Response>
  readonly clock: Pick<Clock, 'after' | 'now'>
}

export type TargetServer = { readonly url: string; readonly apiKey: string; readonly secret: string }

/** The server did not take it, and will not take it either when it is asked again. */
export class NotTaken extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotTaken'
  }
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  /** For whom it acts. */
  readonly userId?: string
  readonly body?: object | FormData
}

export type Target = { send(path: string, call: Call): Promise<Record<string, unknown>> }

/** A server of the contract, called with its secret: waits as long as it says, and tries again when it fails. */
export function createTarget(server: TargetServer, { request, clock }: TargetPorts): Target {
  const token = createToken({}, server.secret)
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, () => resolve()))

  async function once(path: string, { method = 'POST', userId, body }: Call): Promise<Response | undefined> {
    const url = new URL(server.url + (server.url.endsWith('/') ? path.slice(1) : path))
    url.searchParams.set('api_key', server.apiKey)
    if (userId !== undefined) url.searchParams.set('user_id', userId)
    const isForm = body instanceof FormData
    try {
      return await request(url.href, {
        method,
        headers: {
          Authorization: token,
          'stream-auth-type': 'jwt',
          ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        // The secret must not go to where an answer points.
        redirect: 'error',
      })
    } catch {
      return undefined
    }
  }

  return {
    async send(path, call) {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const response = await once(path, call)
        const reply = response && (await bodyOf(response))
        if (response?.ok === true && reply) return reply
        if (response && isRefusal(response.status)) throw refusalOf(response.status, reply)
        await pause(pauseOf(response, attempt, clock.now()))
      }
      throw new NotDone('The server does not answer. Run the same command again to go on where it stopped.')
    },
  }
}

async function bodyOf(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

function refusalOf(status: number, reply: Record<string, unknown> | undefined): Error {
  const message = typeof reply?.['message'] === 'string' ? reply['message'].slice(0, 300) : `status ${status}`
  if (status === 401) return new NotDone(`The server refused the key or the secret: ${message}`)
  return new NotTaken(message)
}

/** What the server says, in seconds or as a date, or when its limit ends; otherwise longer each time. */
function pauseOf(response: Response | undefined, attempt: number, now: number): number {
  const after = response?.headers.get('retry-after') ?? ''
  const reset = Number(response?.headers.get('x-ratelimit-reset') ?? Number.NaN)
  const said = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now
  const until = response?.status === 429 ? reset * 1_000 - now : Number.NaN
  const own = FIRST_PAUSE_MS * 2 ** attempt
  const chosen = [said, until].find((ms) => Number.isFinite(ms) && ms >= 0) ?? own
  return Math.min(Math.max(chosen, 0), LONGEST_PAUSE_MS)
}
