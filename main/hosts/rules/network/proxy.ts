/** The proxy settings. */
export type ProxyChoice = {
  readonly mode: 'system' | 'none' | 'manual' | 'pac'
  /** `manual`: the proxy (`http://`, `https://`, `socks5://`); `pac`: the script's address. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Hosts that are reached directly, separated by commas or spaces: `intranet.example`, `.example`, `*`. */
  readonly bypass: string
}

export const NO_CHOICE: ProxyChoice = { mode: 'system', url: '', user: '', password: '', bypass: '' }

/** What to do with one request: connect directly, use this proxy, or use that of the system. */
type ProxyRoute = { readonly kind: 'direct' | 'system' } | { readonly kind: 'proxy'; readonly url: string }

const DIRECT: ProxyRoute = { kind: 'direct' }
const MANUAL_SCHEMES = new Set(['http:', 'https:', 'socks:', 'socks4:', 'socks5:', 'socks5h:'])
const PAC_SCHEMES = new Set(['http:', 'https:', 'file:', 'data:'])

/**
 * The proxy of one URL. This device itself is always reached directly: the local server must never be reached
 * through a proxy.
 */
export function proxyRoute(address: string, choice: ProxyChoice): ProxyRoute {
  const { hostname } = new URL(address)
  if (choice.mode === 'none' || isThisDevice(hostname) || isBypassed(hostname, choice.bypass)) return DIRECT
  if (choice.mode === 'system') return { kind: 'system' }
  if (choice.mode === 'pac') return { kind: 'proxy', url: `pac+${choice.url}` }
  return { kind: 'proxy', url: withCredentials(choice) }
}

/** Settings that cannot work are refused before they are stored. */
export function proxyIssue(
  choice: Pick<ProxyChoice, 'mode' | 'url'>,
): 'network/proxy-url' | 'network/pac-url' | undefined {
  const protocol = URL.parse(choice.url)?.protocol ?? ''
  if (choice.mode === 'manual' && !MANUAL_SCHEMES.has(protocol)) return 'network/proxy-url'
  if (choice.mode === 'pac' && !PAC_SCHEMES.has(protocol)) return 'network/pac-url'
  return undefined
}

/** The first usable proxy of a result like `PROXY a:3128; SOCKS5 b:1080; DIRECT`; empty for a direct one. */
export function firstOfResolved(answer: string): string {
  for (const part of answer.split(';')) {
    const [kind = '', place = ''] = part.trim().split(/\s+/)
    if (kind === 'DIRECT') return ''
    const scheme = RESOLVED_SCHEMES[kind]
    if (scheme !== undefined && place !== '') return `${scheme}://${place}`
  }
  return ''
}

const RESOLVED_SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks5h',
  SOCKS4: 'socks4a',
  SOCKS5: 'socks5h',
}

const isThisDevice = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.endsWith('.localhost') || hostname.startsWith('127.')

function isBypassed(hostname: string, bypass: string): boolean {
  const names = bypass
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '')
  return names.some((name) => {
    if (name === '*') return true
    const ending = name.replace(/^\*?\./, '')
    return hostname === ending || hostname.endsWith(`.${ending}`)
  })
}

function withCredentials({ url, user, password }: ProxyChoice): string {
  const proxy = new URL(url)
  if (user === '') return proxy.href
  proxy.username = encodeURIComponent(user)
  proxy.password = encodeURIComponent(password)
  return proxy.href
}
