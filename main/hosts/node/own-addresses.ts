import type { NetworkInterfaceInfo } from 'node:os'

/** Cards of virtual machines, containers and tunnels: hardly anyone else is on their networks. */
const VIRTUAL =
  /^(?:docker|br-|bridge|veth|virbr|vboxnet|vmnet|lxc|lxd|podman|cni|flannel|tun|tap|utun|wg|tailscale|zt|ppp)|vEthernet|VirtualBox|VMware|Hyper-V|WSL|VPN/i

/** Networks of homes and offices, the usual ones first; the last one is shared by the customers of a provider. */
const PRIVATE: readonly RegExp[] = [
  /^192\.168\./,
  /^10\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
]

/** An address that a device gives itself when no network gives it one. */
const UNASSIGNED = /^169\.254\./

const rankOf = (address: string): number => {
  const at = PRIVATE.findIndex((network) => network.test(address))
  return at === -1 ? PRIVATE.length : at
}

/**
 * The IPv4 addresses under which others reach this device, the likeliest first: a code has room for one, a link for four.
 * Public ones only if there is no other, because the whole internet may reach those.
 */
export function ownAddresses(cards: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string[] {
  const found = Object.entries(cards).flatMap(([name, each = []]) =>
    each
      .filter(({ internal, family, address }) => !internal && family === 'IPv4' && !UNASSIGNED.test(address))
      .map(({ address }) => ({ address, isVirtual: VIRTUAL.test(name), rank: rankOf(address) })),
  )
  const inside = found.filter(({ rank }) => rank < PRIVATE.length)
  return (inside.length > 0 ? inside : found)
    .toSorted((a, b) => Number(a.isVirtual) - Number(b.isVirtual) || a.rank - b.rank)
    .map(({ address }) => address)
}
