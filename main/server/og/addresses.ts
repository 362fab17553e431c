import { BlockList, isIP } from 'node:net'

/**
 * Which addresses a link may lead to. All networks of the IANA special-purpose registries are refused, and for IPv6
 * everything outside global unicast: only addresses known to be public are allowed.
 */
const REFUSED_4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
]

const GLOBAL_6 = ['2000::', 3] as const

/** Networks that are not public. Everything outside global unicast is refused anyway. */
const REFUSED_6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

export const REFUSED_PREFIXES = REFUSED_4.length + REFUSED_6.length

const refused4 = new BlockList()
for (const [network, bits] of REFUSED_4) refused4.addSubnet(network, bits, 'ipv4')
const refused6 = new BlockList()
for (const [network, bits] of REFUSED_6) refused6.addSubnet(network, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet(GLOBAL_6[0], GLOBAL_6[1], 'ipv6')

/**
 * True for an address of the public network.
 *
 * @param own addresses of this machine's own interfaces, in the notation of the system
 */
export function isPublicAddress(address: string, own: ReadonlySet<string> = new Set()): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%') || isOneOf(own, address, family)) return false
  if (family === 4) return !refused4.check(address, 'ipv4')
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

/** Compares addresses, not texts: an IPv6 address has many notations. */
function isOneOf(own: ReadonlySet<string>, address: string, family: number): boolean {
  const list = new BlockList()
  for (const each of own) {
    const [plain = ''] = each.split('%', 1)
    if (isIP(plain) === family) list.addAddress(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const PORTS: ReadonlySet<string> = new Set(['', '80', '443'])
const MAX_HOST = 253
const MAX_URL = 2_048

/** The URL of a link that may be followed, or the reason why not. Its resolved addresses are checked separately. */
export function checkLink(text: string): URL | string {
  if (text.length > MAX_URL || !URL.canParse(text)) return 'the link is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https links are followed'
  if (url.username !== '' || url.password !== '') return 'links with a user name are not followed'
  if (!PORTS.has(url.port)) return 'only ports 80 and 443 are followed'
  if (url.hostname === '' || url.hostname.length > MAX_HOST) return 'the host is not valid'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return 'the address is not public'
  return url
}
