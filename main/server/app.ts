import type { AddressInfo } from 'node:net'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { UploadConfig } from '#shared/wire/app.ts'
import { makeHttpServer } from './http/server.ts'
import { Budget } from './http/budget.ts'
import { specialsFor } from './http/specials.ts'
import { UPLOADS_PER_MINUTE } from './http/uploads.ts'
import { makeRouter } from './http/router.ts'
import { acceptSockets } from './realtime/connect.ts'
import { Hub } from './realtime/hub.ts'
import { Presence } from './realtime/presence.ts'
import { keepHouse } from './housekeeping.ts'
import { routes } from './routes/index.ts'
import { openBlobs } from './store/blobs.ts'
import { openStore } from './store/open.ts'
import type { Services } from './work.ts'

export type ServerOptions = {
  /** 0 takes a free one. */
  readonly port: number
  readonly dataFolder: string
  readonly apiKey: string
  /** Signs and checks tokens: 256 random bits or more. */
  readonly secret: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: LogSink
  /** Origins of web pages that may call; none by default. */
  readonly allowedOrigins?: readonly string[]
  readonly uploads?: Partial<UploadConfig>
}

/** No list means no rule; what could run as a program or a page is only ever served as a download. */
const EVERY_FILE: UploadConfig = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: UPLOAD_LIMIT_BYTES,
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
  const db = openStore(`${options.dataFolder}/server.db`)
  const hub = new Hub()
  const presence = new Presence()
  let url = `http://127.0.0.1:${options.port}`
  const services: Services = {
    db,
    blobs: openBlobs(`${options.dataFolder}/uploads`),
    hub,
    presence,
    clock: options.clock,
    ids: options.ids,
    log: logger('server', options.log),
    apiKey: options.apiKey,
    secret: options.secret,
    baseUrl: () => url,
    uploadConfig: { ...EVERY_FILE, ...options.uploads },
    uploadBudget: new Budget(options.clock, UPLOADS_PER_MINUTE),
    isOnline: (userId) => hub.ofUser(userId).size > 0 || presence.isLeaving(userId),
  }
  const allowedOrigins = new Set(options.allowedOrigins)
  const http = makeHttpServer({ services, find: makeRouter(routes), specials: specialsFor(services), allowedOrigins })
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
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      http.closeIdleConnections()
      hub.flush()
      await closed
      presence.stop()
      db.close()
    },
  }
}
