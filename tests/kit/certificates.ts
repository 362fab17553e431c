import { createPrivateKey, X509Certificate } from 'node:crypto'
import { Set as AsnSet, Integer, OctetString, Sequence, Utf8String } from 'asn1js'
import {
  AttributeTypeAndValue,
  AuthenticatedSafe,
  BasicConstraints,
  CertBag,
  Certificate,
  Extension,
  GeneralName,
  GeneralNames,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  RelativeDistinguishedNames,
  SafeBag,
  SafeContents,
} from 'pkijs'

/**
 * An untrusted authority, a server of this device with a certificate from it, and a user with a self-signed one.
 * Created by every run, so that no key is stored anywhere.
 */
const ID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  alternativeNames: '2.5.29.17',
  constraints: '2.5.29.19',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
}
const GENERALIZED_TIME = 1
const DNS_NAME = 2
const IP_ADDRESS = 7

/** Certificates expire a hundred years after this file was written. */
export const VALID_TO = Date.parse('2126-10-29T11:07:23Z')

type Name = readonly (readonly [id: string, value: string])[]
type Owner = { readonly certificate: Certificate; readonly keys: CryptoKeyPair }

/** A certificate with a new key, signed by `signer` or by itself. */
async function issue(subject: Name, extensions: readonly Extension[], signer?: Owner): Promise<Owner> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ value: 1 + subject.length }) })
  certificate.subject = nameOf(subject)
  certificate.issuer = signer?.certificate.subject ?? certificate.subject
  certificate.notBefore.value = new Date('2026-11-22T00:00:00Z')
  certificate.notAfter.value = new Date(VALID_TO)
  certificate.notAfter.type = GENERALIZED_TIME
  certificate.extensions = [...extensions]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign((signer?.keys ?? keys).privateKey, 'SHA-256')
  return { certificate, keys }
}

/** Each part in a separate set, as authorities write them; the library's own writer puts all parts into one. */
const nameOf = (parts: Name): RelativeDistinguishedNames => {
  const sets = parts.map(([type, value]) => {
    const part = new AttributeTypeAndValue({ type, value: new Utf8String({ value }) })
    return new AsnSet({ value: [part.toSchema()] })
  })
  return RelativeDistinguishedNames.fromBER(new Sequence({ value: sets }).toBER())
}

const constraints = (isAuthority: boolean): Extension =>
  new Extension({
    extnID: ID.constraints,
    critical: true,
    extnValue: new BasicConstraints({ cA: isAuthority }).toSchema().toBER(),
  })

const namesOfThisDevice = (): Extension => {
  const address = new OctetString({ valueHex: Uint8Array.of(127, 0, 0, 1).buffer })
  const names = [
    new GeneralName({ type: DNS_NAME, value: 'localhost' }),
    new GeneralName({ type: DNS_NAME, value: 'chat.test' }),
    new GeneralName({ type: IP_ADDRESS, value: address }),
  ]
  return new Extension({ extnID: ID.alternativeNames, extnValue: new GeneralNames({ names }).toSchema().toBER() })
}

const derOf = ({ keys }: Owner): Promise<ArrayBuffer> => crypto.subtle.exportKey('pkcs8', keys.privateKey)

/** Certificate and key in one file, the key encrypted with the passphrase (PKCS#12). */
async function pkcs12(owner: Owner, passphrase: string): Promise<Buffer> {
  const password = new TextEncoder().encode(passphrase).buffer
  const key = PrivateKeyInfo.fromBER(await derOf(owner))
  const bag = new PKCS8ShroudedKeyBag({ parsedValue: key })
  await bag.makeInternalValues({
    password,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256, iv: crypto.getRandomValues(new Uint8Array(16)) },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: 2_048,
  })
  const safeBags = [
    new SafeBag({ bagId: ID.encryptedKey, bagValue: bag }),
    new SafeBag({ bagId: ID.certificate, bagValue: new CertBag({ parsedValue: owner.certificate }) }),
  ]
  const authenticatedSafe = new AuthenticatedSafe({
    parsedValue: { safeContents: [{ privacyMode: 0, value: new SafeContents({ safeBags }) }] },
  })
  await authenticatedSafe.makeInternalValues({ safeContents: [{}] })
  const file = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } })
  await file.makeInternalValues({
    password,
    iterations: 2_048,
    pbkdf2HashAlgorithm: { name: 'SHA-256' },
    hmacHashAlgorithm: 'SHA-256',
  })
  return Buffer.from(file.toSchema().toBER())
}

const certificateOf = ({ certificate }: Owner): string =>
  new X509Certificate(Buffer.from(certificate.toSchema().toBER())).toString()

async function keyOf(owner: Owner, passphrase?: string): Promise<string> {
  const key = createPrivateKey({ key: Buffer.from(await derOf(owner)), format: 'der', type: 'pkcs8' })
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  return key.export({ format: 'pem', type: 'pkcs8', ...encryption }).toString()
}

const OF_CAIRN = [ID.organization, 'Cairn Maps'] as const
const authority = await issue([OF_CAIRN, [ID.commonName, 'Cairn Test Authority']], [constraints(true)])
const server = await issue([[ID.commonName, 'chat.test']], [constraints(false), namesOfThisDevice()], authority)
const person = await issue([OF_CAIRN, [ID.commonName, 'Ola Nowak']], [constraints(true)])
const passphrase = 'open sesame'

export const AUTHORITY = certificateOf(authority)

export const SERVER = { cert: certificateOf(server), key: await keyOf(server) }

const renewed = await issue([[ID.commonName, 'chat.test']], [constraints(false), namesOfThisDevice()], authority)

/** The server's next one: other keys, the same names. */
export const RENEWED = { cert: certificateOf(renewed), key: await keyOf(renewed) }

/** The server's key as nobody can read it without a passphrase. */
export const LOCKED_KEY = await keyOf(server, passphrase)

/** The user's client certificate, in both common forms. */
export const PERSON = {
  passphrase,
  cert: certificateOf(person),
  pem: certificateOf(person) + (await keyOf(person, passphrase)),
  p12: await pkcs12(person, passphrase),
}
