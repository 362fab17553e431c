import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Services } from '../work.ts'
import { addressOf } from './limits.ts'

/** Proxies whose `X-Forwarded-For` is believed, by their addresses as {@link plainAddress} writes them. */
export type Proxies = Pick<ReadonlySet<string>, 'has'>

/** An IPv4 address that a socket of both families shows as IPv6, as IPv4. */
export const plainAddress = (remote: string | undefined): string => (remote ?? '').replace(/^::ffff:/i, '')

/**
 * The address that the limits count. Behind a proxy it is the last one in `X-Forwarded-For` that is no proxy of ours:
 * those before it are only what the caller says about itself. From anyone else the header means nothing.
 */
export function callerOf(
  { socket, headersDistinct }: Pick<IncomingMessage, 'socket' | 'headersDistinct'>,
  { door }: Pick<Services, 'door'>,
): string {
  const proxies = door?.proxies
  if (!proxies?.has(plainAddress(socket.remoteAddress))) return addressOf(socket.remoteAddress)
  const forwarded = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',')
  const last = forwarded.map((each) => plainAddress(each.trim())).findLast((each) => !proxies.has(each))
  return addressOf(last !== undefined && isIP(last) !== 0 ? last : socket.remoteAddress)
}
