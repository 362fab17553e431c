import * as v from 'valibot'
import { AppError } from '#shared/lib/app-error.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Certificate, TrustedCertificate } from '#shared/domain/desktop/desktop.ts'
import { TransportError } from '#main/engine/ports.ts'
import type { Host } from '#main/hosts/host.ts'
import { proxyIssue } from '#main/hosts/rules/network/proxy.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import {
  certificateFile,
  type CertificateFile,
  type HeldCertificate,
  readCertificateFile,
  readCertificates,
  readIdentity,
} from '#main/settings/certificates.ts'
import type { SettingsStore } from '#main/settings/store.ts'

const PASSWORD = 'proxy-password'
const TEST_TIMEOUT_MS = 10_000

type ProxySettings = Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>

/** Applies the proxy from the settings and the secret store to the host, before any request. */
export async function useProxy(host: Pick<Host, 'network' | 'secrets'>, settings: ProxySettings): Promise<void> {
  host.network.set({
    mode: settings.proxyMode,
    url: settings.proxyUrl,
    user: settings.proxyUser,
    // only read if the proxy needs a password: a key store may have to be unlocked manually
    password: settings.proxyUser === '' ? '' : ((await host.secrets.get(PASSWORD)) ?? ''),
    bypass: settings.proxyBypass,
  })
}

/** Throws `network/proxy-url` or `network/pac-url`. */
export function checkProxy(settings: ProxySettings): void {
  const issue = proxyIssue({ mode: settings.proxyMode, url: settings.proxyUrl })
  if (issue) throw new AppError(issue)
}

export const changesProxy = (changes: { readonly [Name in keyof Settings]?: unknown }): boolean =>
  ['proxyMode', 'proxyUrl', 'proxyUser', 'proxyBypass'].some((name) => Object.hasOwn(changes, name))

export async function saveProxyPassword({ secrets }: Pick<Host, 'secrets'>, password: string): Promise<void> {
  if (password === '') await secrets.remove(PASSWORD)
  else await secrets.set(PASSWORD, password)
}

const WHY: { readonly [Kind in TransportError['kind']]?: string } = {
  timeout: 'network/timeout',
  certificate: 'network/certificate',
}

/** Any response shows that the network works; a proxy that requires a sign-in reports that itself. */
export async function testNetwork(
  { ports }: Pick<Host, 'ports'>,
  url: string,
): Promise<{ status: number; tookMs: number }> {
  const startedAt = ports.clock.monotonic()
  try {
    const { status } = await ports.http.request({ method: 'GET', url, headers: {}, timeoutMs: TEST_TIMEOUT_MS })
    if (status === 407) throw new AppError('network/proxy-sign-in')
    return { status, tookMs: Math.round(ports.clock.monotonic() - startedAt) }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    throw new AppError(WHY[error.kind] ?? 'network/offline', { cause: error })
  }
}

/**
 * Additional certificate authorities: those in the file named by an administrator, and those that the user trusted. A file
 * that cannot be read is logged: the app starts, and the sign-in reports the server that cannot be verified.
 */
export class Certificates {
  readonly #host: Pick<Host, 'network'>
  readonly #log: Logger
  readonly #file: CertificateFile
  readonly #managed: readonly HeldCertificate[]
  #own: readonly HeldCertificate[]

  constructor(host: Pick<Host, 'network' | 'info' | 'paths' | 'log'>) {
    this.#host = host
    this.#log = logger('certificates', host.log)
    this.#file = certificateFile(host.paths.data)
    const path = host.info.managed?.values.ExtraCaFile
    this.#managed = path === undefined ? [] : this.#held('managed', () => requireAny(readCertificateFile(path)))
    this.#own = this.#held('own', () => this.#file.read())
  }

  /** Called before any request. */
  apply(): void {
    this.#host.network.setAuthorities([...this.#managed, ...this.#own].map(({ pem }) => pem))
  }

  list(): readonly TrustedCertificate[] {
    return [
      ...this.#managed.map((one) => ({ ...shown(one), by: 'policy' as const })),
      ...this.#own.map((one) => ({ ...shown(one), by: 'person' as const })),
    ]
  }

  trust(text: string): void {
    const known = new Set([...this.#managed, ...this.#own].map(({ fingerprint }) => fingerprint))
    const more = readCertificates(text).filter(({ fingerprint }) => !known.has(fingerprint))
    this.#save([...this.#own, ...more])
  }

  remove(fingerprint: string): void {
    this.#save(this.#own.filter((one) => one.fingerprint !== fingerprint))
  }

  #save(own: readonly HeldCertificate[]): void {
    this.#file.write(own)
    this.#own = own
    this.apply()
  }

  #held(whose: 'managed' | 'own', read: () => readonly HeldCertificate[]): readonly HeldCertificate[] {
    try {
      const held = read()
      if (held.length > 0) this.#log.info('trusted', { whose, count: held.length })
      return held
    } catch (error) {
      const reason = error instanceof AppError ? error.code : (error as NodeJS.ErrnoException).code
      this.#log.error('unreadable', { whose, reason: reason ?? 'unknown' })
      return []
    }
  }
}

/** A named file without certificates is an error. */
function requireAny(held: readonly HeldCertificate[]): readonly HeldCertificate[] {
  if (held.length === 0) throw new AppError('certificates/none')
  return held
}

const shown = ({ fingerprint, subject, issuer, validFrom, validTo }: HeldCertificate): Certificate => ({
  fingerprint,
  subject,
  issuer,
  validFrom,
  validTo,
})

/** `certificates.*` of the contract. `reconnect`: failed requests may work now, and trust may have been withdrawn. */
export function certificateCalls(
  certificates: Certificates,
  reconnect: () => void,
): Omit<HandlersOf<'certificates', unknown>, 'own' | 'setOwn' | 'removeOwn'> {
  const after = (work: () => void): readonly TrustedCertificate[] => {
    work()
    reconnect()
    return certificates.list()
  }
  return {
    list: () => certificates.list(),
    read: ({ text }) => readCertificates(text).map(shown),
    trust: ({ text }) => after(() => certificates.trust(text)),
    remove: ({ fingerprint }) => after(() => certificates.remove(fingerprint)),
  }
}

const SECRET = 'client-certificate'
const storedSchema = v.object({ base64: v.string(), passphrase: v.string() })

type Place = Pick<Host, 'network' | 'secrets' | 'log'>

/** Called before any request. An unreadable certificate is logged, and the server reports that it is missing. */
export async function useIdentity(host: Place, store: SettingsStore): Promise<void> {
  const { identityHost } = store.profile()
  // A key store may have to be unlocked manually: it is read only if a certificate is stored.
  if (identityHost === undefined) return
  try {
    host.network.setClientCertificate(identityHost, (await readStored(host))?.identity)
  } catch (error) {
    logger('identity', host.log).error('unreadable', { reason: error instanceof AppError ? error.code : String(error) })
  }
}

async function readStored({ secrets }: Pick<Host, 'secrets'>) {
  const text = await secrets.get(SECRET)
  if (text === undefined) return undefined
  const { base64, passphrase } = v.parse(storedSchema, JSON.parse(text))
  return readIdentity(Buffer.from(base64, 'base64'), passphrase)
}

/** The host of a name or an address typed by the user. Throws `identity/host`. */
function hostOf(text: string): string {
  const written = text.trim()
  const url = URL.parse(written.includes('://') ? written : `https://${written}`)
  if (!url || url.protocol !== 'https:' || url.hostname === '') throw new AppError('identity/host')
  return url.hostname
}

type Calls = Pick<HandlersOf<'certificates', unknown>, 'own' | 'setOwn' | 'removeOwn'>

/** `reconnect`: requests that were rejected may be accepted now. */
export function identityCalls(host: Place, store: SettingsStore, reconnect: () => void): Calls {
  return {
    async own() {
      const { identityHost } = store.profile()
      const found = identityHost === undefined ? undefined : await readStored(host)
      return identityHost === undefined || !found ? {} : { certificate: { ...found.certificate, host: identityHost } }
    },
    async setOwn({ host: written, files, passphrase }) {
      const name = hostOf(written)
      const bytes = Buffer.concat(files.map((file) => Buffer.from(file, 'base64')))
      const { identity, certificate } = readIdentity(bytes, passphrase)
      await host.secrets.set(SECRET, JSON.stringify({ base64: bytes.toString('base64'), passphrase }))
      store.saveProfile({ identityHost: name })
      host.network.setClientCertificate(name, identity)
      reconnect()
      return { ...certificate, host: name }
    },
    async removeOwn() {
      const { identityHost = '' } = store.profile()
      await host.secrets.remove(SECRET)
      store.saveProfile({ identityHost: undefined })
      host.network.setClientCertificate(identityHost, undefined)
      reconnect()
    },
  }
}
