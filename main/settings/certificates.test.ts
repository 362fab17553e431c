import { expect, test } from 'vitest'
import { AUTHORITY, SERVER } from '#kit/certificates.ts'
import { readCertificates } from './certificates.ts'

test('an authority is named as people know it, with its end and its fingerprint', () => {
  expect(readCertificates(`Some words before\n${AUTHORITY}${SERVER.cert}${AUTHORITY}`)).toMatchObject([
    {
      subject: 'Cairn Test Authority, Cairn Maps',
      issuer: 'Cairn Test Authority, Cairn Maps',
      validTo: Date.parse('2126-10-29T11:07:23Z'),
      fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/) as string,
      pem: AUTHORITY.trim(),
    },
  ])
})

test.each([
  ['no certificate', '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----', 'certificates/none'],
  ['a damaged one', AUTHORITY.replace('MIIBzz', 'MIIBAA'), 'certificates/damaged'],
  ['that of a single server', SERVER.cert, 'certificates/no-authority'],
  ['more than anybody looks through', AUTHORITY.repeat(51), 'certificates/many'],
])('a file with %s is refused by name', (_what, text, code) => {
  expect(() => readCertificates(text)).toThrow(expect.objectContaining({ code }) as Error)
})
