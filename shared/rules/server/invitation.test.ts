import { expect, test } from 'vitest'
import { invitationCode, invitationLink, readInvitation } from './invitation.ts'

const FINGERPRINT = 'f'.repeat(43)
const LINK = { addresses: ['192.168.1.24', '10.0.0.5'], port: 7443, secret: 's'.repeat(22), fingerprint: FINGERPRINT }
const CODE = { addresses: ['192.168.1.24'], port: 7443, secret: '0123456789a' }

test('a link says where the server is, which certificate it has, and the secret', () => {
  expect(invitationLink(LINK)).toBe(`parlor://join/192.168.1.24,10.0.0.5:7443/${FINGERPRINT}.${'s'.repeat(22)}`)
  expect(readInvitation(` ${invitationLink(LINK)} `)).toEqual(LINK)
})

test('a link has addresses of IPv6 in brackets, also where a program encoded them; a code has none', () => {
  const link = { ...LINK, addresses: ['192.168.1.24', 'fd00::1'] }
  const text = invitationLink(link)

  expect(text).toContain('://join/192.168.1.24,[fd00::1]:7443/')
  expect(readInvitation(text)).toEqual(link)
  expect(readInvitation(text.replace('[', '%5B').replace(']', '%5D'))).toEqual(link)
  expect(invitationCode({ ...CODE, addresses: ['fd00::1'] })).toBeUndefined()
  expect(readInvitation(invitationCode({ ...CODE, addresses: ['fd00::1', '10.0.0.5'] }) ?? '')).toMatchObject({
    addresses: ['10.0.0.5'],
  })
})

test('addresses that a device gave itself lead nowhere', () => {
  const at = (list: string): string => `parlor://join/${list}:7443/${FINGERPRINT}.${'s'.repeat(22)}`

  expect(readInvitation(at('[fe80::1]'))).toBe('link-local')
  expect(readInvitation(at('[fe80::1%25eth0],169.254.7.7'))).toBe('link-local')
  expect(readInvitation(at('[fe80::1%eth0],[fd00::1]'))).toMatchObject({ addresses: ['fd00::1'] })
})

test('a code is read as it was typed: in any case, with or without dashes, with letters that look alike', () => {
  const code = invitationCode(CODE) ?? ''
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')

  expect(code).toMatch(/^(?:[\dA-Z]{4}-){4}[\dA-Z]{4}$/)
  expect(readInvitation(code)).toEqual(CODE)
  expect(readInvitation(typed)).toEqual(CODE)
})

test('every single mistyped character of a code is noticed', () => {
  const code = invitationCode(CODE) ?? ''
  const wrong = Array.from(code).flatMap((letter, at) =>
    letter === '-'
      ? []
      : Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
          .filter((other) => other !== letter)
          .map((other) => code.slice(0, at) + other + code.slice(at + 1)),
  )

  expect(wrong).toHaveLength(20 * 31)
  expect(new Set(wrong.map((each) => readInvitation(each)))).toEqual(new Set(['mistyped']))
})

test.each([
  '',
  'parlor://join/',
  `parlor://join/example.org:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/192.168.1.999:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/192.168.1.24:0/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/192.168.1.24:7443/short.${'s'.repeat(22)}`,
  `parlor://join/1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,1.1.1.5:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  '7KQ4-M2XD-9TRC',
  'U'.repeat(20),
  `parlor://join/fd00::1:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/[192.168.1.24]:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/[ff02::1]:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
  `parlor://join/[fd00::1::2]:7443/${FINGERPRINT}.${'s'.repeat(22)}`,
])('"%s" is no invitation', (text) => {
  expect(readInvitation(text)).toBe('unknown')
})
