import https from 'node:https'
import tls from 'node:tls'
import { networkInterfaces } from 'node:os'
import type { NetworkCapability } from '../host.ts'
import type { Proxies } from './proxies.ts'

/** The default authorities: Node returns others once some were set. */
let usual: readonly string[] | undefined

/**
 * Trusts these authorities (PEM) besides the usual ones, for every request and realtime line of this process from now
 * on; the next call replaces them. Open connections stay open.
 */
function trustBesides(certificates: readonly string[]): void {
  // Reading them all takes a moment, and most users add none.
  if (usual === undefined && certificates.length === 0) return
  usual ??= tls.getCACertificates('default')
  tls.setDefaultCACertificates([...usual, ...certificates])
  // A resumed TLS session does not check the certificate again.
  https.globalAgent = new https.Agent(https.globalAgent.options)
}

/** Error codes of Node for an invalid server certificate. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export const isUntrusted = (error: unknown): boolean =>
  UNTRUSTED.has(String((error as { readonly code?: unknown } | undefined)?.code))

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
