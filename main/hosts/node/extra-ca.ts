import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { logger, type LogSink } from '#main/lib/logger.ts'

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Trusts the certificates of a file besides the usual ones, for everything that main asks for from now on. A file that is
 * not there or holds none is logged, and the usual ones hold: the app starts, and says at the sign-in what does not
 * answer.
 */
export function trustExtraCertificates(path: string | undefined, sink: LogSink): void {
  if (path === undefined) return
  const log = logger('certificates', sink)
  try {
    const extra = readFileSync(path, 'utf8').match(PEM) ?? []
    if (extra.length === 0) return log.error('none-in-file')
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...extra])
    log.info('trusted', { count: extra.length })
  } catch (error) {
    log.error('unreadable', { reason: (error as NodeJS.ErrnoException).code ?? 'unknown' })
  }
}
