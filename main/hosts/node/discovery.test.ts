import { EventEmitter } from 'node:events'
import { createSocket } from 'node:dgram'
import * as dnsPacket from 'dns-packet'
import type { Answer, Packet, Question } from 'dns-packet'
import type { MulticastDNS, Options } from 'multicast-dns'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Announcement, DiscoveryCapability, Heard } from '../host.ts'
import { multicastDiscovery } from './discovery.ts'

const SERVICE = '_parlor._tcp.local'
const STUDIO: Announcement = {
  name: 'Studio',
  owner: 'Ann',
  addresses: ['192.168.1.24'],
  port: 7_443,
  fingerprint: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ',
}

/** A socket on which nothing is sent. */
class QuietSocket extends EventEmitter {
  readonly said: Packet[] = []
  readonly asked: Packet[] = []
  isClosed = false

  respond(packet: Packet, closed?: () => void): void {
    this.said.push(packet)
    closed?.()
  }

  query(packet: Packet): void {
    this.asked.push(packet)
  }

  destroy(): void {
    this.isClosed = true
  }
}

let clock: ManualClock
let sockets: QuietSocket[]
let options: Options[]
let discovery: DiscoveryCapability
beforeEach(() => {
  clock = new ManualClock()
  sockets = []
  options = []
  discovery = multicastDiscovery({
    clock,
    open(given) {
      options.push(given)
      const socket = new QuietSocket()
      sockets.push(socket)
      return Promise.resolve(socket as unknown as MulticastDNS)
    },
  })
})

/** All sockets are open and bound. */
async function bound(): Promise<void> {
  await Promise.resolve()
  await Promise.resolve()
  for (const socket of sockets) socket.emit('ready')
}

const asking = (name: string, type: Question['type'] = 'PTR') => ({ questions: [{ name, type }] })

/** As it arrives: through the wire format. */
const wired = (packet: Packet): Packet => dnsPacket.decode(dnsPacket.encode({ type: 'response', ...packet }))

describe('an announcement', () => {
  test('names the service, its port and its addresses, and nothing of the device', async () => {
    discovery.announce(STUDIO, () => undefined)
    await bound()
    const { answers = [] } = wired(sockets[0]?.said[0] ?? {})

    expect(answers.map(({ type, name }) => `${type} ${name}`)).toEqual([
      `PTR ${SERVICE}`,
      `SRV abcdefghijklmnop.${SERVICE}`,
      `TXT abcdefghijklmnop.${SERVICE}`,
      'A parlor-abcdefghijklmnop.local',
    ])
    expect(answers[1]).toMatchObject({ data: { port: 7_443, target: 'parlor-abcdefghijklmnop.local' } })
    expect(answers[3]).toMatchObject({ data: '192.168.1.24', ttl: 120 })
  })

  test('is made on the network of each address, once more after a second, and withdrawn when it is stopped', async () => {
    const stop = discovery.announce({ ...STUDIO, addresses: ['192.168.1.24', '10.0.0.5'] }, () => undefined)
    await bound()
    await clock.advance(60_000)
    const before = sockets.map(({ said }) => said.length)
    stop()

    expect(options.map(({ interface: at }) => at)).toEqual(['192.168.1.24', '10.0.0.5'])
    expect(before).toEqual([2, 2])
    expect(sockets.map(({ said }) => said.at(-1)?.answers?.map((each) => 'ttl' in each && each.ttl))).toEqual([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    expect(sockets.every(({ isClosed }) => isClosed)).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('is repeated for those who ask for the service, and for nobody else', async () => {
    discovery.announce(STUDIO, () => undefined)
    await bound()
    await clock.advance(60_000)
    const [socket] = sockets
    const before = socket?.said.length ?? 0
    for (const packet of [asking('_ipp._tcp.local'), asking(SERVICE, 'A'), {}]) socket?.emit('query', packet)
    const others = socket?.said.length ?? 0
    socket?.emit('query', asking('_Parlor._TCP.local'))

    expect(others - before).toBe(0)
    expect((socket?.said.length ?? 0) - before).toBe(1)
  })

  test('is repeated at most once a second, however often it is asked for', async () => {
    discovery.announce(STUDIO, () => undefined)
    await bound()
    await clock.advance(60_000)
    const [socket] = sockets
    const before = socket?.said.length ?? 0
    const many = Array.from({ length: 5_000 }, () => ({ name: SERVICE, type: 'PTR' }))
    for (let nth = 0; nth < 100; nth += 1) socket?.emit('query', { questions: many })
    await clock.advance(1_000)
    socket?.emit('query', { questions: many })

    expect((socket?.said.length ?? 0) - before).toBe(2)
  })

  test('fits into its records, whatever the names are', async () => {
    discovery.announce({ ...STUDIO, name: '🐝'.repeat(300), owner: `A=b\u0000.${'é'.repeat(400)}` }, () => undefined)
    await bound()
    const [heard] = await heardOf(wired(sockets[0]?.said[0] ?? {}))

    expect(heard?.said.name).toBe('🐝'.repeat(50))
    expect(heard?.said.owner).toMatch(/^A=b\0\.é{97}$/u)
  })

  test('says that it failed when no network lets it be made', async () => {
    const failed = vi.fn<() => void>()
    discovery.announce({ ...STUDIO, addresses: ['192.168.1.24', '10.0.0.5'] }, failed)
    await Promise.resolve()
    sockets[0]?.emit('error', new Error('EADDRINUSE'))
    const after = failed.mock.calls.length
    sockets[1]?.emit('error', new Error('EACCES'))

    expect(after).toBe(0)
    expect(failed).toHaveBeenCalledOnce()
  })

  test('that is stopped before its socket is open is never made', async () => {
    discovery.announce(STUDIO, () => undefined)()
    await bound()

    expect(sockets[0]?.said).toEqual([])
    expect(sockets[0]?.isClosed).toBe(true)
  })
})

/** What is heard of these packets. */
async function heardOf(...packets: Packet[]): Promise<Heard[]> {
  const heard: Heard[] = []
  discovery.listen(
    ['192.168.1.9'],
    (each) => heard.push(each),
    () => undefined,
  )
  await bound()
  for (const packet of packets) sockets.at(-1)?.emit('response', packet, { address: '192.168.1.24' })
  return heard
}

const txt = (label: string, strings: readonly string[]): Answer => ({
  name: `${label}.${SERVICE}`,
  type: 'TXT',
  ttl: 120,
  data: [...strings],
})

describe('someone who listens', () => {
  test('asks at once, again, and then every ten seconds, until they stop', async () => {
    const stop = discovery.listen(
      ['192.168.1.9'],
      () => undefined,
      () => undefined,
    )
    await bound()
    await clock.advance(34_000)
    const asked = sockets[0]?.asked.length
    stop()
    await clock.advance(60_000)

    expect(asked).toBe(6)
    expect(sockets[0]?.asked.length).toBe(6)
    expect(sockets[0]?.isClosed).toBe(true)
  })

  test('hears what was announced, and that it was withdrawn', async () => {
    const stop = discovery.announce(STUDIO, () => undefined)
    await bound()
    stop()
    const [first, last] = [sockets[0]?.said[0] ?? {}, sockets[0]?.said.at(-1) ?? {}]
    const heard = await heardOf(wired(first), wired(last))

    expect(heard).toEqual([
      { from: '192.168.1.24', said: STUDIO, gone: false },
      { from: '192.168.1.24', said: STUDIO, gone: true },
    ])
  })

  test('hears nothing of other services, other versions and texts without a name', async () => {
    const heard = await heardOf(
      wired({ answers: [{ ...txt('a', ['v=1', 'name=x']), name: 'a._ipp._tcp.local' }] }),
      wired({ answers: [txt('a', ['v=2', 'name=x'])] }),
      wired({ answers: [txt('a', ['=1', 'name', '__proto__=1'])] }),
      {},
    )

    expect(heard).toEqual([])
  })

  test('reads only the beginning of a packet with thousands of records', async () => {
    const answers = Array.from({ length: 3_000 }, (_, nth) => txt(`w${nth}`, ['v=1', `name=${nth}`]))

    expect((await heardOf(wired({ answers }))).length).toBe(32)
  })
})

/** Two sockets of this machine: the system decides whether loopback has multicast. */
describe('over loopback', () => {
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })
  const LOOPBACK = ['127.0.0.1']
  const port = 30_000 + (process.pid % 20_000)

  test('is heard by who asks, withdrawn when stopped, and undisturbed by what is no packet', async () => {
    const real = multicastDiscovery({ port })
    const heard: Heard[] = []
    const withdraw = real.announce({ ...STUDIO, addresses: LOOPBACK }, () => undefined)
    const noise = createSocket('udp4')
    stops.push(withdraw, () => noise.close())
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(12, 0xff),
      Buffer.from(`\0\0\x84\0\0\0\xff\xff${'\xc0'.repeat(400)}`, 'latin1'),
    ])
      noise.send(bytes, port, '127.0.0.1')
    stops.push(
      real.listen(
        LOOPBACK,
        (each) => heard.push(each),
        () => undefined,
      ),
    )
    await vi.waitFor(() => expect(heard[0]?.said).toEqual({ ...STUDIO, addresses: LOOPBACK }), 10_000)
    withdraw()
    await vi.waitFor(() => expect(heard.some(({ gone }) => gone)).toBe(true), 10_000)

    expect(heard[0]?.from).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  })
})
