import { isDiskFull } from './guard.ts'
import { isLow } from '../store/blobs.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import type { Services } from '../work.ts'
import { sendJson, type Special } from './server.ts'

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

/** `GET /health`, for monitors and people: no token, no secret, no name. 200 when all is well, else 503. */
export function health(services: Services, isStopping: () => boolean): Special {
  const startedAt = services.clock.monotonic()
  return ({ request, response, url }) => {
    if (url.pathname !== '/health' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    return {
      operation: 'Health',
      run: async () => {
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
        sendJson(response, isStopping() || store !== 'ok' ? 503 : 200, body)
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
