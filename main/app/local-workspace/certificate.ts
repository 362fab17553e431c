import { KeyObject, randomBytes, X509Certificate } from 'node:crypto'

/** PEM. */
export type OwnCertificate = { readonly cert: string; readonly key: string }

/** A clock that is a day behind still accepts it. */
const EARLIER_MS = 86_400_000
/** It is trusted by its fingerprint, so its end protects nobody: longer than a device is used. */
const YEARS = 30
const COMMON_NAME = '2.5.4.3'
const SERIAL_BYTES = 16
/** Dates after 2049 do not fit into the older form. */
const GENERALIZED_TIME = 1

/** A new key with a self-signed certificate. Nobody checks its name: see ADR 45. */
export async function createCertificate(now: number): Promise<OwnCertificate> {
  // Loaded when someone shares for the first time: the libraries are big.
  const [{ AttributeTypeAndValue, Certificate }, { Integer, Utf8String }] = await Promise.all([
    import('pkijs'),
    import('asn1js'),
  ])
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const serial = randomBytes(SERIAL_BYTES)
  // Positive, and without leading zeros.
  serial[0] = ((serial.at(0) ?? 0) % 64) | 64
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: new Uint8Array(serial).buffer }),
  })
  const name = new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: 'Parlor' }) })
  certificate.subject.typesAndValues.push(name)
  certificate.issuer.typesAndValues.push(name)
  // Whole seconds: OpenSSL refuses a date with a fraction.
  const begin = Math.floor(now / 1_000) * 1_000
  certificate.notBefore.value = new Date(begin - EARLIER_MS)
  const end = new Date(begin)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  certificate.notAfter.value = end
  certificate.notAfter.type = GENERALIZED_TIME
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  return {
    cert: new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString(),
    key: KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
