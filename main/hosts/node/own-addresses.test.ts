import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ownAddresses } from './discovery.ts'

const card = (address: string, more: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo =>
  ({ address, family: 'IPv4', internal: false, netmask: '', mac: '', cidr: null, ...more }) as NetworkInterfaceInfo

describe('the addresses under which others reach this device', () => {
  test('begin with the network at home: a code names only the first', () => {
    const found = ownAddresses({
      docker0: [card('172.17.0.1')],
      'br-7f3a': [card('192.168.240.1')],
      tun0: [card('10.8.0.2')],
      eth0: [card('10.0.0.5')],
      wlan0: [card('192.168.1.24')],
    })

    expect(found).toEqual(['192.168.1.24', '10.0.0.5', '192.168.240.1', '10.8.0.2', '172.17.0.1'])
  })

  test.each([
    ['vEthernet (WSL)'],
    ['VirtualBox Host-Only Network'],
    ['VMware Network Adapter VMnet8'],
    ['utun4'],
    ['wg0'],
  ])('place "%s" after a real card', (name) => {
    expect(ownAddresses({ [name]: [card('192.168.56.1')], Ethernet: [card('172.20.1.9')] })).toEqual([
      '172.20.1.9',
      '192.168.56.1',
    ])
  })

  test('leave out this device itself, and are those that no network gave only where there are no others', () => {
    const alone = { eth0: [card('169.254.7.7'), card('fe80::1', { family: 'IPv6' })] }
    const lo = [card('127.0.0.1', { internal: true })]

    expect(ownAddresses({ lo, none: undefined })).toEqual([])
    expect(ownAddresses({ lo, ...alone })).toEqual(['169.254.7.7', 'fe80::1'])
    expect(ownAddresses({ lo, ...alone, wlan0: [card('10.1.2.3')] })).toEqual(['10.1.2.3'])
  })

  test('are of IPv6 only where there is no private one of IPv4', () => {
    const v6 = [card('fd00::1', { family: 'IPv6' }), card('2001:db8::1', { family: 'IPv6' })]

    expect(ownAddresses({ eth0: [...v6, card('192.168.1.24')] })).toEqual(['192.168.1.24'])
    expect(ownAddresses({ eth0: [...v6, card('192.0.2.2')] })).toEqual(['192.0.2.2'])
    expect(ownAddresses({ eth0: [...v6, card('93.184.216.34')] })).toEqual(['fd00::1'])
    expect(ownAddresses({ eth0: v6.slice(1) })).toEqual(['2001:db8::1'])
  })

  test('are public only where the device has no other', () => {
    const both = ownAddresses({ eth0: [card('93.184.216.34')], wlan0: [card('10.1.2.3')] })

    expect(both).toEqual(['10.1.2.3'])
    expect(ownAddresses({ eth0: [card('93.184.216.34')] })).toEqual(['93.184.216.34'])
  })
})
