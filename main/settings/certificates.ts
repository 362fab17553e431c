import { X509Certificate } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '#shared/domain/desktop/certificate.ts'
import { AppError } from '#shared/lib/app-error.ts'

/** A certificate with its PEM text. */
export type HeldCertificate = Certificate & { readonly pem: string }

const PEM = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g
/** More than this cannot be reviewed, and no organization has as many. */
const MOST = 50

/**
 * The authorities in a PEM file; certificates of single servers are left out, since trusting them would have no effect.
 * Throws `certificates/none`, `certificates/damaged`, `certificates/no-authority` or `certificates/many`.
 */
export function readCertificates(text: string): readonly HeldCertificate[] {
  const parts = text.match(PEM) ?? []
  if (parts.length === 0) throw new AppError('certificates/none')
  if (parts.length > MOST) throw new AppError('certificates/many')
  const authorities = parts.map(parse).filter(canVouch)
  if (authorities.length === 0) throw new AppError('certificates/no-authority')
  return [...new Map(authorities.map((one) => [one.fingerprint256, heldOf(one)])).values()]
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new AppError('certificates/damaged', { cause })
  }
}

/** Can sign others, or itself: a server with a self-signed certificate. */
const canVouch = (one: X509Certificate): boolean => one.ca || one.checkIssued(one)

const heldOf = (one: X509Certificate): HeldCertificate => ({ ...certificateOf(one), pem: one.toString().trim() })

export const certificateOf = (one: X509Certificate): Certificate => ({
  fingerprint: one.fingerprint256,
  subject: nameOf(one.subject),
  issuer: nameOf(one.issuer),
  validFrom: Date.parse(one.validFrom),
  validTo: Date.parse(one.validTo),
})

/** `CN=…` and `O=…` on separate lines; other parts are not useful to users. */
function nameOf(lines: string): string {
  const parts = new Map(
    lines.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const names = ['CN', 'O', 'OU'].flatMap((key) => parts.get(key) ?? [])
  return names.length === 0 ? lines.replaceAll('\n', ', ') : names.slice(0, 2).join(', ')
}

/** The authorities trusted in this profile, in `DATA/certificates.pem`. */
export type CertificateFile = {
  read(): readonly HeldCertificate[]
  write(held: readonly HeldCertificate[]): void
}

export function certificateFile(dataFolder: string): CertificateFile {
  const path = join(dataFolder, 'certificates.pem')
  return {
    read: () => readCertificateFile(path),
    write(held) {
      if (held.length === 0) return rmSync(path, { force: true })
      writeFileSync(`${path}.new`, held.map(({ pem }) => `${pem}\n`).join(''), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
  }
}

/** Throws as {@link readCertificates} does, and on disk errors; a missing file has none. */
export function readCertificateFile(path: string): readonly HeldCertificate[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return readCertificates(text)
}
