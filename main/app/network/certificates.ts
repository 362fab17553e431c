import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Certificate, TrustedCertificate } from '#shared/domain/desktop/certificate.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Host } from '#main/hosts/host.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import {
  certificateFile,
  type CertificateFile,
  type HeldCertificate,
  readCertificateFile,
  readCertificates,
} from '#main/settings/certificates.ts'

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
