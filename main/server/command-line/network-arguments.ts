import { isIP } from 'node:net'
import { isLinkLocal } from '#shared/rules/server/network-address.ts'
import type { CertificateFiles } from '../network/certificate.ts'

/** The port for people on other devices, as the command line describes it. */
export type NetworkArguments = {
  readonly address: string
  readonly port: number
  readonly url: string
  readonly certificate?: CertificateFiles
  readonly proxies?: readonly string[]
}

type Given = {
  readonly listen?: string
  readonly url?: string
  readonly 'tls-cert'?: string
  readonly 'tls-key'?: string
  readonly 'behind-proxy'?: readonly string[]
}

/** Clients of the contract rewrite this port. */
export const REWRITTEN_PORT = 3030

/** Reads what belongs to `--listen`: `undefined` without it, and a text that says what is wrong. */
export function readNetwork(given: Given): NetworkArguments | string | undefined {
  const { listen, url, 'tls-cert': cert, 'tls-key': key, 'behind-proxy': proxies } = given
  if (listen === undefined) {
    const alone = (['url', 'tls-cert', 'tls-key', 'behind-proxy'] as const).find((name) => given[name] !== undefined)
    return alone === undefined ? undefined : `--${alone} belongs to --listen, which is missing.`
  }
  const place = readPlace(listen)
  if (typeof place === 'string') return place
  const origin = readOrigin(url)
  if ('wrong' in origin) return origin.wrong
  if (proxies && (cert !== undefined || key !== undefined))
    return '--behind-proxy and --tls-cert exclude each other: TLS ends either at the proxy or here.'
  if (proxies) {
    const wrong = proxies.find((each) => isIP(each) === 0)
    return wrong === undefined
      ? { ...place, ...origin, proxies }
      : `--behind-proxy must be the addresses of the proxies, as 127.0.0.1 or 10.0.0.2,10.0.0.3, not "${wrong}".`
  }
  if (cert === undefined && key === undefined)
    return '--listen needs --tls-cert and --tls-key, or --behind-proxy: without them, tokens and messages would cross the network unencrypted.'
  if (cert === undefined) return '--tls-cert is missing: the file of the certificate, in PEM form.'
  if (key === undefined) return '--tls-key is missing: the file of the key of the certificate, in PEM form.'
  return { ...place, ...origin, certificate: { cert, key } }
}

const LINK_LOCAL =
  'it is link-local, an address that the device gave itself and that others cannot use. Choose one that the network gave it.'

function readPlace(text: string): Pick<NetworkArguments, 'address' | 'port'> | string {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  const port = Number(digits)
  const isRight = isIP(address) === (bracketed === undefined ? 4 : 6) && port <= 65_535
  if (!isRight)
    return `--listen must be an address of this device and a port, as 0.0.0.0:7443 or [::]:7443, not "${text}".`
  if (isLinkLocal(address)) return `--listen cannot use ${address}: ${LINK_LOCAL}`
  if (port === REWRITTEN_PORT) return `--listen cannot use port ${port}: clients of the contract rewrite it.`
  return { address, port }
}

function readOrigin(text: string | undefined): { readonly url: string } | { readonly wrong: string } {
  if (text === undefined)
    return { wrong: '--listen needs --url: the address that people type, as https://chat.example.org.' }
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || `${url.origin}/` !== url.href)
    return { wrong: `--url must be https:// and a name, with nothing after it but a port, not "${text}".` }
  if (isLinkLocal(url.hostname.replace(/^\[|\]$/g, '')))
    return { wrong: `--url cannot be ${url.hostname}: ${LINK_LOCAL}` }
  if (url.port === String(REWRITTEN_PORT))
    return { wrong: `--url cannot have port ${url.port}: clients of the contract rewrite it.` }
  return { url: url.origin }
}
