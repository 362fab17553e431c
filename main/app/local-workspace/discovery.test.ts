import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import type { Announcement, DiscoveryCapability, Heard } from '#main/hosts/host.ts'
import { Discovery } from './discovery.ts'

let world: FakeHost
let discovery: Discovery
let hear: ((heard: Heard) => void) | undefined
let listened: number
let announced: string[]
beforeEach(() => {
  world = new FakeHost()
  listened = 0
  announced = []
  const fake: DiscoveryCapability = {
    announce({ name, port }) {
      announced.push(`+ ${name} ${port}`)
      return () => void announced.push(`- ${name} ${port}`)
    },
    listen(_addresses, onHeard) {
      listened += 1
      hear = onHeard
      return () => (hear = undefined)
    },
  }
  const host = { ...world.host, network: { ...world.host.network, discovery: fake } }
  discovery = new Discovery({ host, onFailed: () => undefined })
})
afterEach(() => {
  discovery.stop()
  world.dispose()
})

const fingerprint = (nth: number): string => String(nth).padStart(43, 'f')
const studio = (nth = 0): Announcement => ({
  name: 'Studio',
  owner: 'Ann',
  addresses: ['192.168.1.24'],
  port: 7_443,
  fingerprint: fingerprint(nth),
})
const say = (said: object, { from = '192.168.1.24', gone = false } = {}): void =>
  hear?.({ from, said: { ...studio(), ...said }, gone })
const names = (): string[] => discovery.look().found.map(({ name }) => name)

describe('what others announce', () => {
  test('is heard only while somebody looks, and for ten seconds after', async () => {
    const before = hear
    discovery.look()
    await world.clock.advance(9_000)
    discovery.look()
    await world.clock.advance(9_000)
    const during = hear
    await world.clock.advance(1_000)

    expect(before).toBeUndefined()
    expect(during).toBeDefined()
    expect(hear).toBeUndefined()
    expect(listened).toBe(1)
    expect(world.clock.pending).toBe(0)
  })

  test('is shown as one short line without marks that disguise it', () => {
    discovery.look()
    say({ name: `Bank\u202E\n\u0000${'x'.repeat(5_000)}`, owner: `Ann\u200F${'\u0301'.repeat(90)}` })
    const [found] = discovery.look().found

    expect(found?.name).toMatch(/^Bankx{1,251}$/)
    expect(found?.owner.length).toBeLessThan(20)
    expect(found?.owner).not.toContain('\u200F')
  })

  test.each([
    ['no visible name', { name: '\u200B ' }],
    ['no name', { name: undefined }],
    ['an owner that is no text', { owner: 7 }],
    ['a host name for an address', { addresses: ['evil.example'] }],
    ['no address', { addresses: [] }],
    ['no port', { port: undefined }],
    ['a port that no device has', { port: 70_000 }],
    ['a short fingerprint', { fingerprint: 'abc' }],
    ['a fingerprint with other characters', { fingerprint: '/'.repeat(43) }],
  ])('is passed over when it has %s', (_what, said) => {
    discovery.look()
    say(said)

    expect(discovery.look().found).toEqual([])
  })

  test('is bounded for one device and for all, and says that there is more', () => {
    discovery.look()
    for (let nth = 0; nth < 3_000; nth += 1) say({ fingerprint: fingerprint(nth) }, { from: '192.168.1.66' })
    const ofOne = discovery.look()
    for (let nth = 3_000; nth < 9_000; nth += 1) {
      say({ fingerprint: fingerprint(nth) }, { from: `10.0.${nth % 200}.${nth % 251}` })
    }
    const ofAll = discovery.look()

    expect(ofOne).toMatchObject({ isCut: true, found: { length: 4 } })
    expect(ofAll).toMatchObject({ isCut: true, found: { length: 40 } })
  })

  test('is forgotten when it is not heard again', async () => {
    discovery.look()
    say({})
    await world.clock.advance(100_000)
    const before = names()
    await world.clock.advance(60_000)

    expect(before).toEqual(['Studio'])
    expect(names()).toEqual([])
    expect(discovery.at(fingerprint(0))).toBeUndefined()
  })

  test('is withdrawn or changed by nobody else', () => {
    discovery.look()
    say({})
    say({ name: 'Evil', addresses: ['10.6.6.6'] }, { from: '10.6.6.6' })
    say({}, { from: '10.6.6.6', gone: true })
    const before = discovery.at(fingerprint(0))
    say({}, { gone: true })

    expect(before).toMatchObject({ name: 'Studio', addresses: ['192.168.1.24'] })
    expect(names()).toEqual([])
  })

  test('is not what this device announces itself', () => {
    discovery.show('own', studio())
    discovery.look()
    say({})

    expect(names()).toEqual([])
  })

  test('cannot be heard without a network', () => {
    world.ownAddresses = ['fd00::1']

    expect(discovery.look().isFailed).toBe(true)
  })
})

describe('what this device announces', () => {
  test('is announced once as long as nothing changes, and withdrawn before it is announced anew', () => {
    discovery.show('own', studio())
    discovery.show('own', studio())
    discovery.show('own', { ...studio(), port: 7_444 })
    discovery.hide('own')
    discovery.hide('own')

    expect(announced).toEqual(['+ Studio 7443', '- Studio 7443', '+ Studio 7444', '- Studio 7444'])
  })

  test('is not announced where there is no IPv4, and says so', () => {
    discovery.show('own', { ...studio(), addresses: ['fd00::1'] })
    const onlyOne = discovery.isFailed('own')
    discovery.show('own', { ...studio(), addresses: ['fd00::1', '192.168.1.24'] })

    expect(onlyOne).toBe(true)
    expect(discovery.isFailed('own')).toBe(false)
    expect(announced).toEqual(['+ Studio 7443'])
  })

  test('is withdrawn when the app closes', () => {
    discovery.show('own', studio())
    discovery.show('own-1', { ...studio(1), name: 'Garden' })
    discovery.stop()

    expect(announced.slice(2)).toEqual(['- Studio 7443', '- Garden 7443'])
  })
})
