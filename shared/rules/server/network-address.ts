/** Addresses of devices as text: IPv4, and IPv6 without a zone. */

const PART = /^(?:0|[1-9]\d{0,2})$/
const GROUP = /^[\da-f]{1,4}$/i
const GROUPS = 8

function isVersion4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => PART.test(part) && Number(part) < 256)
}

/** The eight numbers of an address of IPv6; `undefined` if it is none. */
export function groupsOf(text: string): readonly number[] | undefined {
  const parts = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const [head = [], tail] = parts
  const missing = GROUPS - head.length - (tail?.length ?? 0)
  // Two colons stand for at least one zero.
  if (parts.length > 2 || (tail === undefined ? missing !== 0 : missing < 1)) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])]
  return groups.every((group) => GROUP.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined
}

/**
 * Addresses that a device gives itself when no network gives it one. Those of IPv6 mean something only together with a
 * card of the device that uses them, so they lead nowhere from anyone else.
 */
export function isLinkLocal(text: string): boolean {
  const [first = 0] = groupsOf(text.split('%')[0] ?? '') ?? []
  return (first & 0xffc0) === 0xfe80 || (isVersion4(text) && text.startsWith('169.254.'))
}

/** An address under which others of a network can reach a device. */
export function isAddress(text: string): boolean {
  if (isLinkLocal(text)) return false
  if (isVersion4(text)) return true
  const groups = groupsOf(text)
  if (groups === undefined) return false
  const isMulticast = ((groups[0] ?? 0) & 0xff00) === 0xff00
  const isNone = groups.every((group) => group === 0)
  // IPv4 in other words.
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  return !isMulticast && !isNone && !isMapped
}

export const isAddress4 = (text: string): boolean => isVersion4(text) && isAddress(text)

/** As it is written before a port: `192.168.1.24`, `[fd00::1]`. */
export const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address)

export const urlAt = ({ address, port }: { readonly address: string; readonly port: number }): string =>
  `https://${hostOf(address)}:${port}`
