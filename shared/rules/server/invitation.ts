import { LINK_SCHEME } from '../desktop/deep-link.ts'
import { hostOf, isAddress, isAddress4, isLinkLocal } from './network-address.ts'

/** What an invitation says about the way to its server. */
export type Invitation = {
  /** Of the device that shares. */
  readonly addresses: readonly string[]
  readonly port: number
  readonly secret: string
  /** SHA-256 of the certificate, base64url. A code has no room for it: the server proves itself instead. */
  readonly fingerprint?: string
}

const FINGERPRINT = /^[\w-]{43}$/
const LINK_SECRET = /^[\w-]{22}$/
/** More addresses than a device has. */
const MOST_ADDRESSES = 4

/** `parlor://join/192.168.1.24,[fd00::1]:7443/FINGERPRINT.SECRET`. */
export const invitationLink = ({ addresses, port, secret, fingerprint }: Required<Invitation>): string =>
  `${LINK_SCHEME}://join/${addresses.slice(0, MOST_ADDRESSES).map(hostOf).join(',')}:${port}/${fingerprint}.${secret}`

/** Crockford's alphabet: no I, L, O and U, so that nothing is misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS = 5
/** Characters of a code: 32 bits of address, 16 of port, 44 of secret, 8 of checksum. */
const LENGTH = 20

const EIGHT = 8
const SIXTEEN = 16
const SECRET_BITS = 44

/**
 * `7KQ4-M2XD-9TRC-0A5F-W3ZE`: the first address of IPv4, the port, the secret and a checksum. `undefined` where there is
 * none: nobody would type an address of IPv6.
 */
export function invitationCode({ addresses, port, secret }: Invitation): string | undefined {
  const first = addresses.find(isAddress4)
  if (first === undefined) return undefined
  const address = first.split('.').map((part) => bits(Number(part), EIGHT))
  const content = [...address, bits(port, SIXTEEN), bits(Number.parseInt(secret, 16), SECRET_BITS)].join('')
  const all = content + bits(checksum(content), EIGHT)
  const letters = Array.from({ length: LENGTH }, (_, at) =>
    ALPHABET.charAt(Number.parseInt(all.slice(at * BITS, (at + 1) * BITS), 2)),
  ).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

const bits = (value: number, count: number): string => value.toString(2).padStart(count, '0')

/** CRC-8 of a text of bits: every single mistyped character is found, and all but one in 256 of the rest. */
function checksum(content: string): number {
  let crc = 0xff
  for (const bit of content) {
    const top = (crc >> 7) ^ Number(bit)
    crc = ((crc << 1) & 0xff) ^ (top === 1 ? 0x2f : 0)
  }
  return crc
}

/** `mistyped`: a code of the right length whose checksum is wrong. `link-local`: it leads nowhere from another device. */
type NoInvitation = 'mistyped' | 'unknown' | 'link-local'

/** Reads a link, or a code as it was typed: spaces, dashes and case do not matter. */
export function readInvitation(text: string): Invitation | NoInvitation {
  const trimmed = text.trim()
  return /^parlor:/i.test(trimmed) ? readLink(trimmed) : readCode(trimmed)
}

function readLink(link: string): Invitation | NoInvitation {
  const found = /^parlor:\/\/join\/([^/]{3,255}):(\d{1,5})\/([\w-]+)\.([\w-]+)\/?$/i.exec(link)
  const [, list = '', port = '', fingerprint = '', secret = ''] = found ?? []
  if (!isPort(Number(port)) || !FINGERPRINT.test(fingerprint) || !LINK_SECRET.test(secret)) return 'unknown'
  // Programs that pass links on encode brackets.
  const hosts = list.replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']').toLowerCase().split(',')
  const named = hosts.map((host) => /^\[([^\].]+)\]$/.exec(host)?.[1] ?? (host.includes(':') ? '' : host))
  const addresses = named.filter((address) => !isLinkLocal(address))
  if (addresses.length === 0) return 'link-local'
  if (addresses.length > MOST_ADDRESSES || !addresses.every(isAddress)) return 'unknown'
  return { addresses, port: Number(port), secret, fingerprint }
}

const isPort = (port: number): boolean => port > 0 && port < 65_536

/** What people write for letters that the alphabet leaves out. */
const ALIKE: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }

function readCode(text: string): Invitation | NoInvitation {
  const letters = Array.from(text.toUpperCase().replace(/[\s\p{Pd}]/gu, ''), (letter) => ALIKE[letter] ?? letter)
  const values = letters.map((letter) => ALPHABET.indexOf(letter))
  if (letters.length !== LENGTH || values.includes(-1)) return 'unknown'
  const all = values.map((value) => bits(value, BITS)).join('')
  const content = all.slice(0, -EIGHT)
  if (checksum(content) !== Number.parseInt(all.slice(-EIGHT), 2)) return 'mistyped'
  const number = (from: number, count: number): number => Number.parseInt(content.slice(from, from + count), 2)
  const address = [0, 1, 2, 3].map((part) => number(part * EIGHT, EIGHT)).join('.')
  const port = number(4 * EIGHT, SIXTEEN)
  const secret = number(4 * EIGHT + SIXTEEN, SECRET_BITS)
    .toString(16)
    .padStart(SECRET_BITS / 4, '0')
  return isPort(port) ? { addresses: [address], port, secret } : 'mistyped'
}
