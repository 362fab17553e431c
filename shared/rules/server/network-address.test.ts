import { expect, test } from 'vitest'
import { groupsOf, isAddress, isAddress4, isLinkLocal, urlAt } from './network-address.ts'

test.each(['192.168.1.24', '127.0.0.2', '::1', 'fd00::1', 'fd00:7::a', '2001:db8:0:1:2:3:4:5', 'FD00::1'])(
  'others can reach %s',
  (text) => expect(isAddress(text)).toBe(true),
)

test.each([
  '',
  '::',
  '1.2.3',
  '256.1.1.1',
  '01.2.3.4',
  '169.254.7.7',
  'fe80::1',
  'febf::1',
  'fe80::1%eth0',
  'ff02::fb',
  '::ffff:c0a8:118',
  'fd00::1%eth0',
  'fd00:::1',
  'fd00::1::2',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  'fd00::12345',
  'fd00::g',
  'example.org',
])('nobody reaches "%s"', (text) => expect(isAddress(text)).toBe(false))

test('addresses that a device gave itself are told from others', () => {
  expect(['169.254.7.7', 'fe80::1', 'fe80::1%eth0', 'febf::'].every(isLinkLocal)).toBe(true)
  expect(['192.168.1.24', 'fec0::1', 'fd00::1', '::1', ''].some(isLinkLocal)).toBe(false)
})

test('the numbers of an address are read with and without the zeros that two colons stand for', () => {
  expect(groupsOf('::')).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  expect(groupsOf('fd00::a:1')).toEqual([0xfd00, 0, 0, 0, 0, 0, 0xa, 1])
  expect(groupsOf('1:2:3:4:5:6:7:8')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(groupsOf('192.168.1.24')).toBeUndefined()
})

test('an address of IPv6 is in brackets before a port, and is none of IPv4', () => {
  expect(urlAt({ address: 'fd00::1', port: 7443 })).toBe('https://[fd00::1]:7443')
  expect(urlAt({ address: '192.168.1.24', port: 7443 })).toBe('https://192.168.1.24:7443')
  expect(['fd00::1', '169.254.7.7', '10.0.0.5'].map(isAddress4)).toEqual([false, false, true])
})
