import type { Agent } from 'node:http'
import { X509Certificate } from 'node:crypto'
import https from 'node:https'
import tls, { type ConnectionOptions, type PeerCertificate } from 'node:tls'
import { networkInterfaces } from 'node:os'
import type { ClientIdentity } from '#main/settings/certificates.ts'
import { TransportError } from '#main/engine/ports.ts'
import { NO_CHOICE, proxyRoute, type ProxyChoice } from '../rules/network/proxy.ts'
import type { NetworkCapability } from '../host.ts'
import { multicastDiscovery, ownAddresses } from './discovery.ts'

/** The proxy of the system for a URL, empty for none: from Electron, elsewhere from the environment. */
type SystemProxy = (url: string) => Promise<string>

/** Proxies for every request and realtime connection of main. */
export type Proxies = {
  /** Applies to new requests; running ones stay as they are. */
  set(choice: ProxyChoice): void
  /** Idle connections are closed. */
  forget(): void
  /** Whether the URL is certainly reached without a proxy, as those of this device always are. */
  isDirect(url: string): boolean
  /** For `node:http`, `node:https` and `ws`. Its library is loaded when it is first needed. */
  agentFor(url: string): Promise<Agent | undefined>
  /** Sets the client certificate for that host alone; other hosts get none. */
  setClientCertificate(host: string, identity: ClientIdentity | undefined): void
  /** For `node:https` and `ws`; empty for every other host. */
  identityFor(url: string): ClientIdentity | undefined
}

export function createProxies(system?: SystemProxy): Proxies {
  let choice = NO_CHOICE
  let agent: Promise<Agent> | undefined
  let known: { readonly host: string; readonly identity: ClientIdentity } | undefined
  const isDirect = (url: string): boolean => proxyRoute(url, choice).kind === 'direct'

  return {
    set(next) {
      choice = next
      // Open connections keep their sockets; only idle ones are closed.
      agent = undefined
    },
    setClientCertificate(host, identity) {
      known = identity && { host, identity }
      agent = undefined
    },
    identityFor(url) {
      const { protocol, hostname } = new URL(url)
      return known?.host === hostname && /^(?:https|wss):$/.test(protocol) ? known.identity : undefined
    },
    forget: () => void (agent = undefined),
    isDirect,
    async agentFor(url) {
      if (isDirect(url)) return undefined
      agent ??= createAgent(choice, system)
      return agent
    },
  }
}

async function createAgent(choice: ProxyChoice, system: SystemProxy | undefined): Promise<Agent> {
  const { ProxyAgent } = await import('proxy-agent')
  // `HTTPS_PROXY`, `NO_PROXY` and so on, as command-line programs read them.
  const ofEnvironment = new ProxyAgent().getProxyForUrl
  return new ProxyAgent({
    keepAlive: true,
    ...headersOf(choice),
    getProxyForUrl: async (url, request) => {
      const route = proxyRoute(url, choice)
      if (route.kind === 'direct') return ''
      if (route.kind === 'proxy') return route.url
      return system ? system(url) : ofEnvironment(url, request)
    },
  })
}

/** A script or the system gives a proxy without a user: the credentials are sent in a header. */
function headersOf({ mode, user, password }: ProxyChoice): object {
  if (user === '' || mode === 'manual') return {}
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  return { headers: { 'Proxy-Authorization': `Basic ${basic}` } }
}

/** The default authorities: Node returns others once some were set. */
let usual: readonly string[] | undefined

/**
 * Trusts these authorities (PEM) besides the usual ones, for every request and realtime line of this process from now
 * on; the next call replaces them. Open connections stay open.
 */
function trustBesides(certificates: readonly string[]): void {
  // Reading them all takes a moment, and most users add none.
  if (usual === undefined && certificates.length === 0) return
  usual ??= tls.getCACertificates('default')
  tls.setDefaultCACertificates([...usual, ...certificates])
  // A resumed TLS session does not check the certificate again.
  https.globalAgent = new https.Agent(https.globalAgent.options)
}

/** Error codes of Node for an invalid server certificate. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export const isUntrusted = (error: unknown): boolean =>
  UNTRUSTED.has(String((error as { readonly code?: unknown } | undefined)?.code))

/** Trusts this certificate alone, whatever it is named, and no authority: see ADR 45. */
export function pinnedTo(certificate: string): ConnectionOptions {
  const { fingerprint256 } = new X509Certificate(certificate)
  return {
    ca: certificate,
    checkServerIdentity: (_name: string, shown: PeerCertificate) =>
      shown.fingerprint256 === fingerprint256
        ? undefined
        : Object.assign(new Error('another certificate'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
  }
}

/** Proxies and certificates for the requests of Node, in both hosts. */
export const nodeNetwork = (proxies: Proxies): NetworkCapability => ({
  set: (choice) => proxies.set(choice),
  setClientCertificate: (host, identity) => proxies.setClientCertificate(host, identity),
  certificateAt,
  ownAddresses: () => ownAddresses(networkInterfaces()),
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal }) => !internal)
      .map(({ cidr, mac }) => `${mac} ${cidr ?? ''}`)
      .toSorted()
      .join('\n'),
  setAuthorities(certificates) {
    trustBesides(certificates)
    proxies.forget()
  },
  discovery: multicastDiscovery(),
})

const CONNECT_TIMEOUT_MS = 5_000

/** Connects and hangs up without sending anything: whether this is the right certificate is up to the caller. */
function certificateAt(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port, rejectUnauthorized: false, timeout: CONNECT_TIMEOUT_MS })
    const fail = (kind: 'network' | 'timeout', cause?: unknown): void => {
      socket.destroy()
      reject(new TransportError(kind, false, { cause }))
    }
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate()?.toString()
      if (certificate === undefined) return fail('network')
      socket.destroy()
      resolve(certificate)
    })
    socket.once('timeout', () => fail('timeout'))
    socket.on('error', (cause) => fail('network', cause))
    socket.once('close', () => fail('network'))
  })
}
