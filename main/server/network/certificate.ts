import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { every, type Stop } from '#main/lib/clock.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import type { Services } from '../work.ts'

/** The network port cannot be opened as asked. The message is shown to the operator and says what to do. */
export class NetworkProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkProblem'
  }
}

/** Where the certificate (with those of its issuers) and its key are, as PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string }

export type LoadedCertificate = {
  readonly cert: string
  readonly key: string
  /** Epoch milliseconds. */
  readonly endsAtMs: number
}

/**
 * Reads a certificate and refuses one that no client would accept.
 *
 * @param host the name or address under which clients call
 */
export function loadCertificate(files: CertificateFiles, host: string, nowMs: number): LoadedCertificate {
  const [cert, key] = [textOf('--tls-cert', files.cert), textOf('--tls-key', files.key)]
  const certificate = parsed(
    () => new X509Certificate(cert),
    `${files.cert} of --tls-cert holds no certificate in PEM form.`,
  )
  const privateKey = parsed(
    () => createPrivateKey(key),
    `${files.key} of --tls-key holds no key in PEM form that can be read without a passphrase.`,
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new NetworkProblem(`${files.key} of --tls-key is not the key of ${files.cert}.`)
  const names = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (names === undefined) {
    const others = certificate.subjectAltName ?? 'no name'
    throw new NetworkProblem(`${files.cert} is not for ${host} of --url, but for ${others}.`)
  }
  const endsAtMs = certificate.validToDate.getTime()
  if (endsAtMs <= nowMs) throw new NetworkProblem(`${files.cert} ended on ${dayOf(endsAtMs)}. Renew it.`)
  if (certificate.validFromDate.getTime() > nowMs) {
    throw new NetworkProblem(`${files.cert} is not valid before ${dayOf(certificate.validFromDate.getTime())}.`)
  }
  return { cert, key, endsAtMs }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function textOf(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'is not there' : `cannot be read (${codeOf(error) ?? 'unknown reason'})`
    throw new NetworkProblem(`${path} of ${flag} ${reason}.`)
  }
}

function parsed<T>(parse: () => T, problem: string): T {
  try {
    return parse()
  } catch {
    throw new NetworkProblem(problem)
  }
}

/** Programs that renew certificates replace the files and may tell nobody. */
const LOOK_EVERY_MS = 60_000

type Watched = {
  /** Looks at the files now. */
  look(): void
  readonly stop: Stop
}

/**
 * Loads a certificate again when its files have changed. One that cannot be used is reported once, and the current one
 * stays: certificate and key are often not replaced at the same moment.
 */
export function watchCertificate(
  files: CertificateFiles,
  load: () => LoadedCertificate,
  use: (loaded: LoadedCertificate) => void,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): Watched {
  let [used, reported] = [stampOf(files), '']
  const look = (): void => {
    const stamp = stampOf(files)
    if (stamp === used) return
    try {
      use(load())
      used = stamp
      log.info('certificate-renewed')
    } catch (error) {
      if (reported !== stamp) log.error('certificate-not-renewed', { code: codeOf(error) ?? nameOf(error) })
      reported = stamp
    }
  }
  return { look, stop: every(clock, LOOK_EVERY_MS, look) }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** Follows links: renewed certificates are often links to new files. */
function stampOf({ cert, key }: CertificateFiles): string {
  return [cert, key]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((found) => (found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'))
    .join(', ')
}
