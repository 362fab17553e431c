import { X509Certificate } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'

/** A certificate with its PEM text. */
export type HeldCertificate = Certificate & { readonly pem: string }

const CERTIFICATES = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g
/** More than this cannot be reviewed, and no organization has as many. */
const MOST = 50

/**
 * The authorities in a PEM file; certificates of single servers are left out, since trusting them would have no effect.
 * Throws `certificates/none`, `certificates/damaged`, `certificates/no-authority` or `certificates/many`.
 */
export function readCertificates(text: string): readonly HeldCertificate[] {
  const parts = text.match(CERTIFICATES) ?? []
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

const certificateOf = (one: X509Certificate): Certificate => ({
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

/** The client certificate of a TLS connection, in Node's format. */
export type ClientIdentity = ({ readonly pfx: Buffer } | { readonly cert: string; readonly key: string }) & {
  readonly passphrase: string
}

const KEY = /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----[\s\S]+?-----END \1-----/
/** First byte of PKCS#12, as of every DER file. */
const SEQUENCE = 0x30

/**
 * A certificate with its key, from one or more concatenated files: PEM (certificate and key), or PKCS#12. Throws
 * `identity/none` if one of the two is missing, `identity/passphrase` if the key cannot be decrypted,
 * `identity/mismatch` if they do not belong together, and `identity/damaged`.
 */
export function readIdentity(
  bytes: Buffer,
  passphrase: string,
): { readonly identity: ClientIdentity; readonly certificate: Certificate } {
  const identity = partsOf(bytes, passphrase)
  const secureContext = contextOf(identity)
  // Only a socket exposes the certificate of the context; this one is not connected.
  const line = new TLSSocket(new PassThrough(), { isServer: true, secureContext })
  const own = line.getCertificate()
  line.destroy()
  if (own === null || !('raw' in own)) throw new AppError('identity/none')
  return { identity, certificate: certificateOf(new X509Certificate(own.raw)) }
}

function partsOf(bytes: Buffer, passphrase: string): ClientIdentity {
  if (bytes[0] === SEQUENCE) return { pfx: bytes, passphrase }
  const text = bytes.toString('utf8')
  const cert = text.match(CERTIFICATES)?.join('\n')
  const key = KEY.exec(text)?.[0]
  if (cert === undefined || key === undefined) throw new AppError('identity/none')
  return { cert, key, passphrase }
}

function contextOf(identity: ClientIdentity) {
  try {
    return createSecureContext(identity)
  } catch (cause) {
    throw new AppError(isJunkAfterDecryption(identity, cause) ? 'identity/passphrase' : codeOf(cause), { cause })
  }
}

/**
 * A wrong passphrase is noticed by the padding of the last block, which is right by chance in one of 256 cases. What is
 * wrong then is the decrypted key: with PKCS#8 the error is raised below that of decryption; a traditional PEM key has
 * no structure outside the encrypted part.
 */
function isJunkAfterDecryption(identity: ClientIdentity, error: unknown): boolean {
  const { code = '', opensslErrorStack = [] } = error as OpensslError
  if (!('key' in identity) || code.includes('KEY_VALUES_MISMATCH')) return false
  const isTraditional = /^Proc-Type: 4,ENCRYPTED/m.test(identity.key)
  return isTraditional || opensslErrorStack.some((line) => line.includes('PKCS12 routines::decode error'))
}

type OpensslError = NodeJS.ErrnoException & { readonly opensslErrorStack?: readonly string[] }

/** Classifies OpenSSL errors, by code where there is one. */
function codeOf(error: unknown): 'identity/passphrase' | 'identity/mismatch' | 'identity/damaged' {
  const { code = '', message } = error as OpensslError
  if (
    /PASSPHRASE|BAD_DECRYPT|MAC_VERIFY|BAD_PASSWORD/.test(code) ||
    /mac verify|bad decrypt|passphrase/i.test(message)
  ) {
    return 'identity/passphrase'
  }
  return code.includes('KEY_VALUES_MISMATCH') ? 'identity/mismatch' : 'identity/damaged'
}
