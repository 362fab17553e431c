import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { logger } from '#main/lib/logger.ts'
import { endOfTurn } from '#main/lib/turn.ts'
import { guardedClock } from './http/guard.ts'
import { health } from './http/health.ts'
import { createHttpServer } from './http/server.ts'
import { createRouter } from './http/router.ts'
import { specialsFor } from './http/specials.ts'
import { startHousekeeping } from './store/upkeep/housekeeping.ts'
import { acceptSockets } from './realtime/connect.ts'
import { createStaggeredClose } from './realtime/staggered-close.ts'
import { longpoll } from './realtime/longpoll.ts'
import { routes } from './routes.ts'
import { openServices, type ServicesOptions } from './services.ts'
import { createGroupCommit } from './store/group-commit.ts'
import type { Services } from './work.ts'

export type ServerOptions = Omit<ServicesOptions, 'baseUrl'> & {
  /** 0 takes a free port. */
  readonly port: number
  /** Origins of web pages that may call; none by default. */
  readonly allowedOrigins?: readonly string[]
}

export type RunningServer = {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly services: Services
  /** Asks clients to reconnect later, finishes the running requests, closes the store. */
  stop(): Promise<void>
}

/** Requests that are running when the server stops may take this long to finish. */
const STOP_WAIT_MS = 3_000

/**
 * The whole local server: store, connections, routes over the shared endpoint table, and sockets on one loopback port.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let url = `http://127.0.0.1:${options.port}`
  const clock = guardedClock(options.clock, logger('server', options.log))
  const services = openServices({ ...options, clock, baseUrl: () => url })
  let stopping = false
  const { db, hub, presence } = services
  const polls = longpoll(services)
  const allowedOrigins = new Set(options.allowedOrigins)
  const http = createHttpServer({
    services,
    groupCommit: createGroupCommit(services, endOfTurn),
    find: createRouter(routes),
    specials: [health(services, () => stopping), ...specialsFor(services), polls.special],
    allowedOrigins,
  })
  const realtime = acceptSockets(http, services, allowedOrigins)
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject)
      http.listen(options.port, '127.0.0.1', resolve)
    })
  } catch (error) {
    db.close()
    throw error
  }
  const stopHousekeeping = startHousekeeping(services)
  const { port } = http.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  services.log.info('listening', { port })
  return {
    url,
    services,
    async stop() {
      stopping = true
      services.log.info('stopping', { connections: hub.size })
      stopHousekeeping()
      // Announced events are sent before the close frames.
      hub.flush()
      const close = createStaggeredClose(realtime.size() + polls.size())
      realtime.stop(close)
      polls.stop(close)
      await drained(http, services)
      presence.stop()
      db.close()
      services.log.info('stopped')
    },
  }
}

/** Accepts nothing new, lets running requests finish, and cuts those that are too slow. */
async function drained(http: Server, { clock, log }: Services): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // Before all other listeners: one that answers at once leaves no time to set another header.
  http.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  http.on('request', (_request, response) => response.once('close', () => endOfTurn(() => http.closeIdleConnections())))
  http.closeIdleConnections()
  const giveUp = clock.after(STOP_WAIT_MS, () => {
    log.warn('cut-at-stop')
    http.closeAllConnections()
  })
  await closed
  giveUp()
}
