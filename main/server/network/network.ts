import type { Server as TlsServer } from 'node:https'
import type { Server } from 'node:http'
import { type AddressInfo, type Socket, isIP } from 'node:net'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { codeOf } from '#main/lib/disk-error.ts'
import type { StaggeredClose } from '#shared/wire/connect.ts'
import { endOfTurn, every, type Stop } from '#main/lib/clock.ts'
import { drained, createHttpServer, type Special, plainAddress, type Proxies } from '../http/server.ts'
import { STRICT_LIMITS, LOCAL_LIMITS, addressOf, Limits, type CallLimits } from '../http/limits.ts'
import { incomingHooks } from '../integrations/incoming.ts'
import type { Services } from '../work.ts'
import { createRouter } from '../http/router.ts'
import { specialsFor } from '../http/specials.ts'
import { acceptSockets, type Realtime } from '../realtime/connect.ts'
import { longpoll, type Longpoll } from '../realtime/longpoll.ts'
import { routes } from '../routes.ts'
import { createGroupCommit } from '../store/group-commit.ts'

export type NetworkOptions = {
  /** An address of this device, or one that means all of them. */
  readonly address: string
  /** 0 takes a free port. */
  readonly port: number
  /** The origin that clients use: `https://chat.example.org`. */
  readonly url: string
  /** One of the two is given: a certificate of this server, or the proxies that have one. */
  readonly certificate?: CertificateFiles
  readonly proxies?: readonly string[]
  readonly rates: 'loose' | 'strict'
}

export type Network = {
  readonly port: number
  /** Connections that are told when the server stops. */
  size(): number
  /** Loads the certificate again if its files have changed. */
  reload(): void
  /** Epoch milliseconds; absent behind a proxy. */
  certificateEndsAtMs(): number | undefined
  stop(close: () => StaggeredClose): Promise<void>
}

/** Besides its websocket, a client has a few short connections. */
const SOCKETS_PER_CONNECTION = 2

/**
 * The port for people on other devices: over TLS, or behind a proxy that has the certificate. The server's own port
 * stays on loopback; server tokens, health and metrics are only there.
 */
export async function openNetwork(options: NetworkOptions, services: Services, connections: number): Promise<Network> {
  const { address, port, url, certificate: files, proxies } = options
  const { host, hostname } = new URL(url)
  const load = () => {
    if (!files) return undefined
    return loadCertificate(files, hostname.replace(/^\[|\]$/g, ''), services.clock.now())
  }
  let certificate = load()
  const { http, realtime, polls } = createDoor({
    services,
    hosts: new Set([host]),
    limits: options.rates === 'strict' ? STRICT_LIMITS : LOCAL_LIMITS,
    sockets: { perAddress: connections, total: connections * SOCKETS_PER_CONNECTION },
    specials: (behind) => [incomingHooks(behind)],
    ...(certificate && { tls: certificate }),
    ...(proxies && { proxies: new Set(proxies) }),
  })
  const opened = await listenAt(http, address, port).catch((error: unknown) => {
    throw new NetworkProblem(reasonOf(error, address, port), error)
  })
  services.log.info('network', { port: opened })
  const watched =
    files &&
    watchCertificate(
      files,
      () => load() ?? missing(),
      (loaded) => {
        ;(http as TlsServer).setSecureContext({ cert: loaded.cert, key: loaded.key, minVersion: 'TLSv1.3' })
        certificate = loaded
      },
      services,
    )
  return {
    port: opened,
    size: () => realtime.size() + polls.size(),
    reload: () => watched?.look(),
    certificateEndsAtMs: () => certificate?.endsAtMs,
    async stop(close) {
      watched?.stop()
      realtime.stop(close)
      polls.stop(close)
      await drained(http, services)
    },
  }
}

function missing(): never {
  throw new NetworkProblem('There is no certificate.')
}

function reasonOf(error: unknown, address: string, port: number): string {
  const code = codeOf(error) ?? 'unknown reason'
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${address} is taken by another program. Choose another one with --listen.`
    case 'EACCES':
      return `Port ${port} may not be used: ports below 1024 need a right that this user does not have. Choose another one with --listen.`
    case 'EADDRNOTAVAIL':
      return `${address} of --listen is no address of this device. 0.0.0.0 means all of them.`
    default:
      return `${address} port ${port} of --listen could not be opened (${code}).`
  }
}

/** A listener that strangers of a network reach. */
export type Door = { readonly http: Server; readonly realtime: Realtime; readonly polls: Longpoll }

type DoorOptions = {
  readonly services: Services
  /** The hosts under which a request may call. */
  readonly hosts: Pick<ReadonlySet<string>, 'has'>
  readonly limits: CallLimits
  /** Certificate and key (PEM); absent only where a proxy before it has them. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The only addresses that may connect, and whose word about the caller's address is taken. */
  readonly proxies?: Proxies
  readonly sockets: SocketLimits
  readonly specials?: (services: Services) => readonly Special[]
  /** Someone is connected, until the returned function is called. */
  readonly onArrived?: (userId: string, address: string) => () => void
}

/** Sockets of one address, and of all, before anything is known of them. */
type SocketLimits = { readonly perAddress: number; readonly total: number }

/** Every route of the server, with what protects it from strangers. It does not listen yet. */
export function createDoor(options: DoorOptions): Door {
  const { hosts, limits, tls, proxies, sockets, onArrived = () => () => undefined } = options
  const services: Services = {
    ...options.services,
    door: { hosts, ...(proxies && { proxies }) },
    limits: new Limits(options.services.clock, limits),
  }
  const polls = longpoll(services, onArrived)
  const http = createHttpServer({
    services,
    groupCommit: createGroupCommit(services, endOfTurn),
    find: createRouter(routes),
    specials: [...(options.specials?.(services) ?? []), ...specialsFor(services), polls.special],
    allowedOrigins: new Set(),
    ...(tls && { tls }),
  })
  limitSockets(http, sockets, proxies)
  const realtime = acceptSockets(http, services, new Set(), (userId, webSocket, from) =>
    webSocket.once('close', onArrived(userId, from)),
  )
  return { http, realtime, polls }
}

/** @returns the port, which differs from the given one if that is 0 */
export function listenAt(http: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, address, () => {
      http.off('error', reject)
      resolve((http.address() as AddressInfo).port)
    })
  })
}

/** Connections cost something before their first byte: one address cannot take them all. */
function limitSockets(http: Server, { perAddress, total }: SocketLimits, proxies: Proxies | undefined): void {
  const open = new Map<string, number>()
  http.maxConnections = total
  http.on('connection', (socket: Socket) => {
    if (proxies) {
      // What comes past the proxy is not encrypted.
      if (!proxies.has(plainAddress(socket.remoteAddress))) socket.destroy()
      return
    }
    const address = addressOf(socket.remoteAddress)
    const count = open.get(address) ?? 0
    if (count >= perAddress) return void socket.destroy()
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
  http.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
}

/** The network port cannot be opened as asked. The message is shown to the operator and says what to do. */
class NetworkProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkProblem'
  }
}

/** Where the certificate (with those of its issuers) and its key are, as PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string }

export type LoadedCertificate = {
  readonly cert: string
  readonly key: string
  /** Epoch milliseconds. */
  readonly endsAtMs: number
}

/**
 * Reads a certificate and refuses one that no client would accept.
 *
 * @param host the name or address under which clients call
 */
export function loadCertificate(files: CertificateFiles, host: string, nowMs: number): LoadedCertificate {
  const [cert, key] = [textOf('--tls-cert', files.cert), textOf('--tls-key', files.key)]
  const certificate = parsed(
    () => new X509Certificate(cert),
    `${files.cert} of --tls-cert holds no certificate in PEM form.`,
  )
  const privateKey = parsed(
    () => createPrivateKey(key),
    `${files.key} of --tls-key holds no key in PEM form that can be read without a passphrase.`,
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new NetworkProblem(`${files.key} of --tls-key is not the key of ${files.cert}.`)
  const names = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (names === undefined) {
    const others = certificate.subjectAltName ?? 'no name'
    throw new NetworkProblem(`${files.cert} is not for ${host} of --url, but for ${others}.`)
  }
  const endsAtMs = certificate.validToDate.getTime()
  if (endsAtMs <= nowMs) throw new NetworkProblem(`${files.cert} ended on ${dayOf(endsAtMs)}. Renew it.`)
  if (certificate.validFromDate.getTime() > nowMs) {
    throw new NetworkProblem(`${files.cert} is not valid before ${dayOf(certificate.validFromDate.getTime())}.`)
  }
  return { cert, key, endsAtMs }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function textOf(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'is not there' : `cannot be read (${codeOf(error) ?? 'unknown reason'})`
    throw new NetworkProblem(`${path} of ${flag} ${reason}.`)
  }
}

function parsed<T>(parse: () => T, problem: string): T {
  try {
    return parse()
  } catch {
    throw new NetworkProblem(problem)
  }
}

/** Programs that renew certificates replace the files and may tell nobody. */
const LOOK_EVERY_MS = 60_000

type Watched = {
  /** Looks at the files now. */
  look(): void
  readonly stop: Stop
}

/**
 * Loads a certificate again when its files have changed. One that cannot be used is reported once, and the current one
 * stays: certificate and key are often not replaced at the same moment.
 */
export function watchCertificate(
  files: CertificateFiles,
  load: () => LoadedCertificate,
  use: (loaded: LoadedCertificate) => void,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): Watched {
  let [used, reported] = [stampOf(files), '']
  const look = (): void => {
    const stamp = stampOf(files)
    if (stamp === used) return
    try {
      use(load())
      used = stamp
      log.info('certificate-renewed')
    } catch (error) {
      if (reported !== stamp) log.error('certificate-not-renewed', { code: codeOf(error) ?? nameOf(error) })
      reported = stamp
    }
  }
  return { look, stop: every(clock, LOOK_EVERY_MS, look) }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** Follows links: renewed certificates are often links to new files. */
function stampOf({ cert, key }: CertificateFiles): string {
  return [cert, key]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((found) => (found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'))
    .join(', ')
}
