import type { Agent } from 'node:http'
import type { ClientIdentity } from '#main/settings/certificates.ts'
import { NO_CHOICE, proxyRoute, type ProxyChoice } from '../rules/network/proxy.ts'

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
