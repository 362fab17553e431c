import { X509Certificate } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from '#shared/domain/desktop/certificate.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { certificateOf } from './certificates.ts'

/** The client certificate of a TLS connection, in Node's format. */
export type ClientIdentity = ({ readonly pfx: Buffer } | { readonly cert: string; readonly key: string }) & {
  readonly passphrase: string
}

const CERTIFICATES = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g
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
    throw new AppError(codeOf(cause), { cause })
  }
}

/** Classifies OpenSSL errors, by code where there is one. */
function codeOf(error: unknown): 'identity/passphrase' | 'identity/mismatch' | 'identity/damaged' {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (
    /PASSPHRASE|BAD_DECRYPT|MAC_VERIFY|BAD_PASSWORD/.test(code) ||
    /mac verify|bad decrypt|passphrase/i.test(message)
  ) {
    return 'identity/passphrase'
  }
  return code.includes('KEY_VALUES_MISMATCH') ? 'identity/mismatch' : 'identity/damaged'
}
