import type { AddressInfo } from 'node:net'
import { makeHttpServer } from './http/server.ts'
import { makeRouter } from './http/router.ts'
import { specialsFor } from './http/specials.ts'
import { keepHouse } from './housekeeping.ts'
import { acceptSockets } from './realtime/connect.ts'
import { longpoll } from './realtime/longpoll.ts'
import { routes } from './routes/index.ts'
import { openServices, type ServicesOptions } from './services.ts'
import type { Services } from './work.ts'

export type ServerOptions = Omit<ServicesOptions, 'baseUrl'> & {
  /** 0 takes a free one. */
  readonly port: number
  /** Origins of web pages that may call; none by default. */
  readonly allowedOrigins?: readonly string[]
}

export type RunningServer = {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly services: Services
  /** Tells clients to come back later, finishes what runs, closes the store. */
  stop(): Promise<void>
}

/** The whole local server: a store, who is connected, routes over the shared endpoint table, sockets on one loopback port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let url = `http://127.0.0.1:${options.port}`
  const services = openServices({ ...options, baseUrl: () => url })
  const { db, hub, presence } = services
  const polls = longpoll(services)
  const allowedOrigins = new Set(options.allowedOrigins)
  const http = makeHttpServer({
    services,
    find: makeRouter(routes),
    specials: [...specialsFor(services), polls.special],
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
  const stopHousekeeping = keepHouse(services)
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url,
    services,
    async stop() {
      stopHousekeeping()
      realtime.stop()
      polls.stop()
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      http.closeIdleConnections()
      hub.flush()
      await closed
      presence.stop()
      db.close()
    },
  }
}
