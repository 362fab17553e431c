import type { Server as TlsServer } from 'node:https'
import { codeOf } from '#main/lib/disk-error.ts'
import type { StaggeredClose } from '#shared/wire/connect.ts'
import { drained } from '../http/server.ts'
import { STRICT_LIMITS, LOCAL_LIMITS } from '../http/limits.ts'
import { incomingHooks } from '../integrations/incoming.ts'
import type { Services } from '../work.ts'
import { loadCertificate, NetworkProblem, watchCertificate, type CertificateFiles } from './certificate.ts'
import { createDoor, listenAt } from './door.ts'

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
