import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { UploadConfig } from '#shared/wire/app.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { endOfTurn, type Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { guardedClock } from './http/refusal.ts'
import { health, specialsFor } from './http/specials.ts'
import { createHttpServer, drained } from './http/server.ts'
import { metrics, type Metric, Meter } from './http/metrics.ts'
import { createRouter } from './http/router.ts'
import { incomingHooks } from './integrations/incoming.ts'
import type { ProgramNet } from './integrations/program-net.ts'
import { Programs } from './integrations/programs.ts'
import { scriptCalls } from './integrations/script-calls.ts'
import { openNetwork, type Network, type NetworkOptions, listenAt } from './network/network.ts'
import { startHousekeeping } from './store/upkeep.ts'
import { acceptSockets } from './realtime/connect.ts'
import { longpoll } from './realtime/longpoll.ts'
import { routes } from './routes.ts'
import { Sharing } from './sharing/sharing.ts'
import { Imports } from './imports/imports.ts'
import { createGroupCommit } from './store/group-commit.ts'
import type { Services } from './work.ts'
import { Ephemerals } from './commands/commands.ts'
import { Limits, LOCAL_LIMITS, type CallLimits } from './http/limits.ts'
import type { Net } from './og/fetch.ts'
import { Previews } from './og/previews.ts'
import { noPictures, threadPictures } from './uploads/pictures.ts'
import { Hub, MAX_CONNECTIONS, createStaggeredClose } from './realtime/hub.ts'
import { Presence } from './realtime/presence.ts'
import { openBlobs, type Disk } from './store/blobs.ts'
import { openStore } from './store/open.ts'
import { addressSeconds } from './admin/settings.ts'
import { signedUrls } from './uploads/upload-files.ts'

export type ServerOptions = Omit<ServicesOptions, 'localUrl' | 'publicUrl'> & {
  /** 0 takes a free port. */
  readonly port: number
  /** Origins of web pages that may call; none by default. */
  readonly allowedOrigins?: readonly string[]
  /** Someone waits to join, or is connected through the network, or no longer. */
  readonly onSharing?: () => void
  /** Serves metrics, with those that only the caller knows; none by default. */
  readonly metrics?: (() => readonly Metric[]) | undefined
  /** The port for people on other devices; none by default. */
  readonly network?: NetworkOptions | undefined
}

export type RunningServer = {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly services: Services
  readonly network: Network | undefined
  /** Asks clients to reconnect later, finishes the running requests, closes the store. */
  stop(): Promise<void>
}

/**
 * The whole local server: store, connections, routes over the shared endpoint table, and sockets on one loopback port
 * and, if it is asked for, one of the network.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let url = `http://127.0.0.1:${options.port}`
  const clock = guardedClock(options.clock, logger('server', options.log))
  const services = openServices({ ...options, clock, localUrl: () => url, publicUrl: options.network?.url })
  let stopping = false
  const { db, hub, presence } = services
  const polls = longpoll(services)
  const sharing = new Sharing({ services, onChanged: options.onSharing })
  const imports = new Imports(services)
  let network: Network | undefined
  const { metrics: more } = options
  const measured = more ? [metrics(services, () => [...ofNetwork(network), ...more()])] : []
  const allowedOrigins = new Set(options.allowedOrigins)
  const http = createHttpServer({
    services,
    groupCommit: createGroupCommit(services, endOfTurn),
    find: createRouter(routes),
    specials: [
      health(services, () => stopping),
      ...measured,
      sharing.special,
      imports.special,
      incomingHooks(services),
      scriptCalls(services),
      ...specialsFor(services),
      polls.special,
    ],
    allowedOrigins,
  })
  const realtime = acceptSockets(http, services, allowedOrigins)
  try {
    const port = await listenAt(http, '127.0.0.1', options.port)
    url = `http://127.0.0.1:${port}`
    services.log.info('listening', { port })
    network =
      options.network && (await openNetwork(options.network, services, options.maxConnections ?? MAX_CONNECTIONS))
  } catch (error) {
    http.close()
    presence.stop()
    db.close()
    throw error
  }
  const stopHousekeeping = startHousekeeping(services)
  imports.resume()
  return {
    url,
    services,
    network,
    async stop() {
      stopping = true
      sharing.end()
      services.log.info('stopping', { connections: hub.size })
      stopHousekeeping()
      await imports.end()
      // Announced events are sent before the close frames.
      hub.flush()
      const close = createStaggeredClose(realtime.size() + polls.size() + (network?.size() ?? 0))
      realtime.stop(close)
      polls.stop(close)
      await Promise.all([drained(http, services), network?.stop(close)])
      presence.stop()
      db.close()
      services.log.info('stopped')
    },
  }
}

const ofNetwork = (network: Network | undefined): readonly Metric[] => {
  const endsAtMs = network?.certificateEndsAtMs()
  return [
    {
      name: 'parlor_certificate_end_timestamp_seconds',
      help: 'When the certificate in use ends.',
      type: 'gauge',
      value: endsAtMs === undefined ? undefined : endsAtMs / 1_000,
    },
  ]
}

type ServicesOptions = {
  readonly dataFolder: string
  readonly apiKey: string
  /** Signs and checks tokens: 256 random bits or more. */
  readonly secret: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: LogSink
  /** The server's own URL, once the port is known. */
  readonly localUrl: () => string
  /** The origin under which clients on other devices call. */
  readonly publicUrl?: string | undefined
  readonly uploads?: Partial<UploadConfig>
  /** Uploads of all people together; by default only the disk limits them. */
  readonly mostUploadBytes?: number | undefined
  /** How link previews are fetched; absent: they are not. */
  readonly net?: Net
  /** How programs are called; absent: they are not. */
  readonly programs?: ProgramNet
  /** The entry file of the worker thread that resizes pictures; absent: no smaller sizes are made. */
  readonly picturesEntry?: string
  /** Fetches previews for links of sent messages automatically. Off by default. */
  readonly enrichSent?: boolean
  /** Calls per minute that differ from {@link LOCAL_LIMITS}. */
  readonly limits?: Partial<CallLimits>
  /** Connections of all users together, where more than the default 256 are needed. */
  readonly maxConnections?: number
  /** Where uploads are written; the file system by default. */
  readonly disk?: Disk
}

/** An empty list means no rule; what could run as a program or a page is only ever served as a download. */
const EVERY_FILE: UploadConfig = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: UPLOAD_LIMIT_BYTES,
}

/** Opens the store of a data folder, with no one connected. The caller closes `db` and stops `presence`. */
export function openServices(options: ServicesOptions): Services {
  const { dataFolder, clock, ids, apiKey, secret, localUrl, publicUrl } = options
  const baseUrl = () => publicUrl ?? localUrl()
  const hub = new Hub(options.maxConnections)
  const presence = new Presence()
  const db = openStore(`${dataFolder}/server.db`, { now: clock.now() })
  return {
    db,
    blobs: openBlobs(`${dataFolder}/uploads`, options.disk),
    hub,
    presence,
    clock,
    ids,
    log: logger('server', options.log),
    apiKey,
    secret,
    localUrl,
    baseUrl,
    fileUrls: signedUrls({ secret, baseUrl, nowMs: () => clock.now(), seconds: () => addressSeconds(db) }),
    uploadConfig: { ...EVERY_FILE, ...options.uploads },
    mostUploadBytes: options.mostUploadBytes,
    limits: new Limits(clock, { ...LOCAL_LIMITS, ...options.limits }),
    meter: new Meter(),
    ephemerals: new Ephemerals(),
    previews: new Previews(options.net, clock),
    programs: new Programs(options.programs, clock),
    pictures: options.picturesEntry
      ? threadPictures(options.picturesEntry, clock, logger('pictures', options.log))
      : noPictures,
    enrichSent: options.enrichSent ?? false,
    isOnline: (userId) => hub.ofUser(userId).size > 0 || presence.isLeaving(userId),
  }
}
