import type { Agent } from 'node:http'
import type { ClientIdentity } from '#main/settings/client-certificate.ts'
import { NO_CHOICE, proxyRoute, type ProxyChoice } from '../rules/network/proxy.ts'

/** The proxy of an address as the system wants it, empty for none: Electron knows; elsewhere the environment says it. */
type SystemProxy = (url: string) => Promise<string>

/** The way out of this computer for every request and every realtime line of main. */
export type Proxies = {
  /** From now on; what is under way stays as it is. */
  use(choice: ProxyChoice): void
  /** Lines that are kept for later are made again. */
  forget(): void
  /** The address is certainly reached without a proxy, as this computer's own always are. */
  isDirect(url: string): boolean
  /** For `node:http`, `node:https` and `ws`. The library behind it is loaded when it is first needed. */
  agentFor(url: string): Promise<Agent | undefined>
  /** Who is there, for that host alone, from now on; others that ask are told nothing. */
  identify(host: string, identity: ClientIdentity | undefined): void
  /** For `node:https` and `ws`; nothing for every address but that of the host. */
  identityFor(url: string): ClientIdentity | undefined
}

export function createProxies(system?: SystemProxy): Proxies {
  let choice = NO_CHOICE
  let agent: Promise<Agent> | undefined
  let known: { readonly host: string; readonly identity: ClientIdentity } | undefined
  const isDirect = (url: string): boolean => proxyRoute(url, choice).kind === 'direct'

  return {
    use(next) {
      choice = next
      // Lines that are open keep their sockets; only idle ones go.
      agent = undefined
    },
    identify(host, identity) {
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
  // `HTTPS_PROXY`, `NO_PROXY` and their kin, as every program on a command line reads them.
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

/** A script or the system names a proxy but no person: who is asking stands in a header. */
function headersOf({ mode, user, password }: ProxyChoice): object {
  if (user === '' || mode === 'manual') return {}
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  return { headers: { 'Proxy-Authorization': `Basic ${basic}` } }
}
