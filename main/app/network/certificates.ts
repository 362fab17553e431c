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
 * Authorities that are trusted besides the usual ones: those of the file that anyone who manages the computer names, and
 * those the person chose. A file that cannot be read is logged and the rest holds: the app starts, and says at the
 * sign-in what does not answer.
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
    this.#managed = path === undefined ? [] : this.#held('managed', () => mustHold(readCertificateFile(path)))
    this.#own = this.#held('own', () => this.#file.read())
  }

  /** Before anything is asked for. */
  use(): void {
    this.#host.network.trust([...this.#managed, ...this.#own].map(({ pem }) => pem))
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
    this.#keep([...this.#own, ...more])
  }

  remove(fingerprint: string): void {
    this.#keep(this.#own.filter((one) => one.fingerprint !== fingerprint))
  }

  #keep(own: readonly HeldCertificate[]): void {
    this.#file.write(own)
    this.#own = own
    this.use()
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

/** A file that was named and is not there is a mistake. */
function mustHold(held: readonly HeldCertificate[]): readonly HeldCertificate[] {
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

/** `certificates.*` of the contract. `reconnect`: what failed before may work now, and what was trusted no longer is. */
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
