import type { IncomingMessage, ServerResponse } from 'node:http'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { serveFile } from '../uploads/serve-file.ts'
import { receiveUpload, uploadTarget, type UploadTarget } from '../uploads/uploads.ts'
import type { Services } from '../work.ts'
import { drawGif, GIF_PATH } from '../commands/giphy.ts'
import { isLow } from '../store/blobs.ts'
import { durationText, refuse, isDiskFull } from './refusal.ts'
import { sendJson, type Incoming, type Special } from './server.ts'

/** Calls whose bodies are bytes, not JSON. */
export function specialsFor(services: Services): readonly Special[] {
  return [
    serveGif,
    (incoming) => serveFile(incoming, services),
    (incoming) => {
      const target = uploadTarget(incoming)
      return target && { operation: target.operation, run: () => upload(incoming, target, services) }
    },
  ]
}

async function upload(incoming: Incoming, target: UploadTarget, services: Services): Promise<void> {
  const started = services.clock.monotonic()
  const reply = await receiveUpload(incoming, target, incoming.admit(target.operation), services)
  sendJson(incoming.response, 201, { ...reply, duration: durationText(services.clock.monotonic() - started) })
}

const SEED = /^\/([a-f0-9]{12})\.gif$/

/** Draws the picture of a seed: nothing is stored, and it contains nothing secret. */
const serveGif: Special = ({ request, response, url }) => {
  if (!url.pathname.startsWith(`${GIF_PATH}/`) || (request.method !== 'GET' && request.method !== 'HEAD')) {
    return undefined
  }
  return { operation: 'GetGif', run: () => send(url.pathname.slice(GIF_PATH.length), request, response) }
}

function send(path: string, request: IncomingMessage, response: ServerResponse): void {
  const seed = SEED.exec(path)?.[1] ?? refuse('doesNotExist', 'there is no such file')
  const bytes = drawGif(seed)
  response.writeHead(200, {
    'Content-Type': 'image/gif',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

type Health = {
  readonly status: 'ok' | 'degraded' | 'stopping'
  /** Whether the store can be read and written. */
  readonly store: 'ok' | 'full' | 'failing'
  /** `low`: uploads are refused until there is room. */
  readonly disk: 'ok' | 'low'
  readonly schema: number
  readonly connections: number
  readonly uptime_seconds: number
}

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/health', '/readyz', '/healthz'])

/**
 * For monitors and people: no token, no secret, no name. `GET /health` tells the state: 200 while people can work, else
 * 503. `/readyz` answers the same with the status alone; `/healthz` is 200 as long as the process answers.
 */
export function health(services: Services, isStopping: () => boolean): Special {
  const startedAt = services.clock.monotonic()
  return ({ request, response, url }) => {
    if (!HEALTH_PATHS.has(url.pathname) || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    return {
      operation: 'Health',
      run: async () => {
        if (url.pathname === '/healthz') return sendJson(response, 200, { status: 'ok' })
        const store = storeState(services)
        const disk = isLow(await services.blobs.free()) ? 'low' : 'ok'
        const fine = store === 'ok' && disk === 'ok'
        const body: Health = {
          status: isStopping() ? 'stopping' : fine ? 'ok' : 'degraded',
          store,
          disk,
          schema: versionOf(services.db),
          connections: services.hub.size,
          uptime_seconds: Math.floor((services.clock.monotonic() - startedAt) / 1_000),
        }
        const code = isStopping() || store !== 'ok' ? 503 : 200
        sendJson(response, code, url.pathname === '/readyz' ? { status: body.status } : body)
      },
    }
  }
}

/** Writes one row: a store that can only be read looks fine until someone sends. */
function storeState({ db }: Services): Health['store'] {
  try {
    db.transaction(() =>
      db.run("INSERT INTO meta (key, value) VALUES ('probe', '1') ON CONFLICT (key) DO UPDATE SET value = '1'"),
    )
    return 'ok'
  } catch (error) {
    return isDiskFull(error) ? 'full' : 'failing'
  }
}
