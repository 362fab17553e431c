import type { NetworkInterfaceInfo } from 'node:os'
import { isLinkLocal } from '#shared/rules/server/network-address.ts'

/** Cards of virtual machines, containers and tunnels: hardly anyone else is on their networks. */
const VIRTUAL =
  /^(?:docker|br-|bridge|veth|virbr|vboxnet|vmnet|lxc|lxd|podman|cni|flannel|tun|tap|utun|wg|tailscale|zt|ppp)|vEthernet|VirtualBox|VMware|Hyper-V|WSL|VPN/i

/**
 * Networks that the internet does not reach: of homes and offices, the usual ones first, of the customers of a provider,
 * and of laboratories.
 */
const PRIVATE: readonly RegExp[] = [
  /^192\.168\./,
  /^10\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\./,
]
/** The same of IPv6 (RFC 4193). */
const PRIVATE_6 = /^f[cd]/i

/** Kinds of addresses: only the first one that a device has is used. */
const KINDS = ['private 4', 'private 6', 'public 4', 'public 6', 'link-local'] as const

function kindOf({ address, family }: NetworkInterfaceInfo): (typeof KINDS)[number] {
  if (isLinkLocal(address)) return 'link-local'
  if (family === 'IPv4') return PRIVATE.some((network) => network.test(address)) ? 'private 4' : 'public 4'
  return PRIVATE_6.test(address) ? 'private 6' : 'public 6'
}

/**
 * The addresses under which others reach this device, the likeliest first: a code has room for one, a link for four.
 * Those of IPv6 only if it has no private one of IPv4: systems replace them every day, and whoever has joined knows one.
 * Public ones only if there is no other, because the whole internet may reach those; link-local ones as a last resort.
 */
export function ownAddresses(cards: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string[] {
  const found = Object.entries(cards).flatMap(([name, each = []]) =>
    each
      .filter(({ internal }) => !internal)
      .map((card) => ({
        address: card.address,
        kind: kindOf(card),
        isVirtual: VIRTUAL.test(name),
        rank: PRIVATE.findIndex((network) => network.test(card.address)),
      })),
  )
  const best = KINDS.find((kind) => found.some((each) => each.kind === kind))
  return found
    .filter(({ kind }) => kind === best)
    .toSorted((a, b) => Number(a.isVirtual) - Number(b.isVirtual) || a.rank - b.rank)
    .map(({ address }) => address)
}
