import { networkInterfaces } from 'node:os'
import type { NetworkCapability } from '../host.ts'
import type { Proxies } from './proxies.ts'
import { trustBesides } from './trust.ts'

/** Proxies and certificates for the requests of Node, in both hosts. */
export const nodeNetwork = (proxies: Proxies): NetworkCapability => ({
  set: (choice) => proxies.set(choice),
  setClientCertificate: (host, identity) => proxies.setClientCertificate(host, identity),
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
})
