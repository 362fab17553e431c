import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AppError } from '#shared/lib/app-error.ts'
import { AUTHORITY, PERSON, SERVER, VALID_TO } from '#kit/certificates.ts'
import { readCertificates, readIdentity } from './certificates.ts'

test('an authority has its subject, expiry and fingerprint', () => {
  expect(readCertificates(`Some words before\n${AUTHORITY}${SERVER.cert}${AUTHORITY}`)).toMatchObject([
    {
      subject: 'Cairn Test Authority, Cairn Maps',
      issuer: 'Cairn Test Authority, Cairn Maps',
      validTo: VALID_TO,
      fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/) as string,
      pem: AUTHORITY.trim(),
    },
  ])
})

test.each([
  ['no certificate', SERVER.key, 'certificates/none'],
  ['a damaged one', AUTHORITY.replace('CERTIFICATE-----\nMII', 'CERTIFICATE-----\nQQQ'), 'certificates/damaged'],
  ['that of a single server', SERVER.cert, 'certificates/no-authority'],
  ['more than the maximum', AUTHORITY.repeat(51), 'certificates/many'],
])('a file with %s is refused with a code', (_what, text, code) => {
  expect(() => readCertificates(text)).toThrow(expect.objectContaining({ code }) as Error)
})

test.each([
  ['in PEM', Buffer.from(PERSON.pem)],
  ['in PKCS#12', PERSON.p12],
])('a client certificate %s is decrypted with its passphrase, and has a subject', (_form, bytes) => {
  const { certificate, identity } = readIdentity(bytes, PERSON.passphrase)
  expect(certificate.subject).toBe('Ola Nowak, Cairn Maps')
  expect(identity.passphrase).toBe(PERSON.passphrase)
  for (const wrong of ['', 'open barley']) {
    expect(() => readIdentity(bytes, wrong)).toThrow(expect.objectContaining({ code: 'identity/passphrase' }) as Error)
  }
})

test('a wrong passphrase that decrypts the key to junk, as one in 256 does, is named as wrong all the same', () => {
  const pem = PERSON.pem.slice(PERSON.cert.length)
  const traditional = createPrivateKey({ key: pem, passphrase: PERSON.passphrase }).export({
    type: 'sec1',
    format: 'pem',
    cipher: 'aes-128-cbc',
    passphrase: PERSON.passphrase,
  })
  const codes = new Set<unknown>()
  for (const key of [pem, traditional]) {
    for (let nth = 0; nth < 1_500; nth++) codes.add(codeOfRefusal(PERSON.cert + key, `barley ${nth}`))
  }
  expect([...codes]).toEqual(['identity/passphrase'])
})

function codeOfRefusal(text: string, passphrase: string): unknown {
  try {
    return readIdentity(Buffer.from(text), passphrase)
  } catch (error) {
    return (error as AppError).code
  }
}

test.each([
  ['only a certificate', PERSON.cert, 'identity/none'],
  ['a key of another certificate', SERVER.cert + PERSON.pem.replace(PERSON.cert, ''), 'identity/mismatch'],
  ['a damaged key', PERSON.pem.replace('PRIVATE KEY-----\nMI', 'PRIVATE KEY-----\nQQ'), 'identity/damaged'],
  ['something else that is binary', '0 is how they begin', 'identity/damaged'],
])('a client certificate file with %s is refused with a reason', (_what, text, code) => {
  expect(() => readIdentity(Buffer.from(text), PERSON.passphrase)).toThrow(expect.objectContaining({ code }) as Error)
})
