import type { NetworkInterfaceInfo } from 'node:os'
import type { FullPacket, MulticastDNS, Options } from 'multicast-dns'
import { isLinkLocal } from '#shared/rules/server/network-address.ts'
import { type Clock, systemClock, type Stop } from '#main/lib/clock.ts'
import type { Announcement, DiscoveryCapability, Heard } from '../host.ts'

/**
 * Multicast DNS service discovery (RFC 6762, 6763). Whoever is on the network sends what they like: a packet is read up to
 * a fixed number of records, in one pass, and answered at most once a second. See ADR 53.
 */

const SERVICE = '_parlor._tcp.local'
const VERSION = '1'
/** Seconds for which an announcement counts after it was heard. */
const ANNOUNCED_S = 120
/** Records of one packet that are read: more than the answer for one workspace has. */
const MOST_RECORDS = 32
const MOST_QUESTIONS = 32
/** Bytes of one text: a string of a TXT record has at most 255, with its key. */
const MOST_TEXT_BYTES = 200
/** As RFC 6762 6 wants it. */
const ANSWER_EVERY_MS = 1_000
/** When it is said and asked again: packets get lost. */
const AGAIN_MS = [1_000, 3_000]
const ASK_EVERY_MS = 10_000
/** Of the fingerprint: the names of the service and of its host, which say nothing about the device or its user. */
const LABEL_LENGTH = 16

type Packet = Partial<FullPacket>
type Answer = FullPacket['answers'][number]
type Question = FullPacket['questions'][number]

type DiscoveryOptions = {
  readonly clock?: Clock
  /** Of multicast DNS; tests use another one. */
  readonly port?: number
  readonly open?: (options: Options) => Promise<MulticastDNS>
}

export function multicastDiscovery({
  clock = systemClock,
  port = 5_353,
  open = openSocket,
}: DiscoveryOptions = {}): DiscoveryCapability {
  const joinAt = (address: string): Promise<MulticastDNS> => open({ port, interface: address, bind: '0.0.0.0' })

  return {
    announce(announcement, onFailed) {
      const packet = (ttl: number) => ({ answers: recordsOf(announcement, ttl) })
      return onEach(announcement.addresses, joinAt, onFailed, (socket) => {
        let answered = Number.NEGATIVE_INFINITY
        const say = (): void => {
          answered = clock.monotonic()
          socket.respond(packet(ANNOUNCED_S))
        }
        socket.on('query', ({ questions }: Packet) => {
          if (clock.monotonic() - answered < ANSWER_EVERY_MS || !isAsked(questions ?? [])) return
          say()
        })
        say()
        const stop = afterEach(clock, AGAIN_MS.slice(0, 1), say)
        return (closed) => {
          stop()
          socket.respond(packet(0), closed)
        }
      })
    },
    listen: (addresses, onHeard, onFailed) =>
      onEach(addresses, joinAt, onFailed, (socket) => {
        socket.on('response', (packet: Packet, { address }: { readonly address: string }) => {
          for (const heard of heardIn(packet, address)) onHeard(heard)
        })
        const ask = (): void => socket.query({ questions: [{ name: SERVICE, type: 'PTR' }] })
        ask()
        const stop = afterEach(clock, AGAIN_MS, ask, ASK_EVERY_MS)
        return (closed) => {
          stop()
          closed()
        }
      }),
  }
}

/** Loaded by the first who wants it. */
async function openSocket(options: Options): Promise<MulticastDNS> {
  const { default: multicastDns } = await import('multicast-dns')
  return multicastDns(options)
}

type Close = (closed: () => void) => void

/**
 * One socket for each network, because the system sends multicasts to one alone. It fails if all of them do.
 *
 * @param use starts, and returns what is done before the socket closes
 */
function onEach(
  addresses: readonly string[],
  openAt: (address: string) => Promise<MulticastDNS>,
  onFailed: () => void,
  use: (socket: MulticastDNS) => Close,
): Stop {
  const closes = new Set<() => void>()
  let isStopped = false
  let left = addresses.length
  const fail = (): void => {
    left -= 1
    if (left === 0 && !isStopped) onFailed()
  }
  const start = (socket: MulticastDNS): void => {
    let close: Close | undefined
    socket.on('error', () => {
      socket.destroy()
      fail()
    })
    // Before it is bound it cannot be closed for good.
    socket.once('ready', () => {
      if (isStopped) return socket.destroy()
      close = use(socket)
      closes.add(() => close?.(() => socket.destroy()))
    })
  }
  for (const address of addresses) openAt(address).then(start, fail)
  return () => {
    isStopped = true
    for (const close of closes) close()
    closes.clear()
  }
}

/** After these times, and then at this distance if there is one. */
function afterEach(clock: Clock, times: readonly number[], act: () => void, every?: number): Stop {
  const [first = every, ...later] = times
  if (first === undefined) return () => undefined
  let stop = clock.after(first, () => {
    act()
    stop = afterEach(clock, later, act, every)
  })
  return () => stop()
}

function recordsOf({ name, owner, addresses, port, fingerprint }: Announcement, ttl: number): Answer[] {
  const label = fingerprint.slice(0, LABEL_LENGTH)
  const [instance, host] = [`${label}.${SERVICE}`, `parlor-${label}.local`]
  const texts = { v: VERSION, name, owner, fp: fingerprint }
  const data = Object.entries(texts).map(([key, text]) => `${key}=${cut(text)}`)
  return [
    { name: SERVICE, type: 'PTR', ttl, data: instance },
    { name: instance, type: 'SRV', ttl, flush: true, data: { port, target: host } },
    { name: instance, type: 'TXT', ttl, flush: true, data },
    ...addresses.map((address) => ({ name: host, type: 'A' as const, ttl, flush: true, data: address })),
  ]
}

/** At most as many bytes as fit, of whole characters. */
function cut(text: string): string {
  let result = ''
  for (const letter of text) {
    if (Buffer.byteLength(result + letter) > MOST_TEXT_BYTES) break
    result += letter
  }
  return result
}

const isAsked = (questions: readonly Question[]): boolean =>
  questions
    .slice(0, MOST_QUESTIONS)
    .some(({ name, type }) => ['PTR', 'ANY'].includes(type) && name.toLowerCase() === SERVICE)

function* heardIn({ answers = [], additionals = [] }: Packet, from: string): Generator<Heard> {
  const records = [...answers.slice(0, MOST_RECORDS), ...additionals.slice(0, MOST_RECORDS)]
  const ports = new Map<string, { readonly port: number; readonly target: string }>()
  const addresses = new Map<string, string[]>()
  for (const record of records) {
    if (record.type === 'SRV') ports.set(record.name, record.data)
    if (record.type === 'A') addresses.set(record.name, [...(addresses.get(record.name) ?? []), record.data])
  }
  for (const record of records) {
    if (record.type !== 'TXT' || !record.name.toLowerCase().endsWith(`.${SERVICE}`)) continue
    const texts = textsIn(record.data)
    if (texts.get('v') !== VERSION) continue
    const { port, target = '' } = ports.get(record.name) ?? {}
    const said = {
      name: texts.get('name'),
      owner: texts.get('owner'),
      addresses: addresses.get(target) ?? [],
      port,
      fingerprint: texts.get('fp'),
    }
    yield { from, said, gone: record.ttl === 0 }
  }
}

function textsIn(data: Extract<Answer, { type: 'TXT' }>['data']): ReadonlyMap<string, string> {
  const parts = (Array.isArray(data) ? data : [data]).slice(0, MOST_RECORDS).map(String)
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, Math.max(0, at)), part.slice(at + 1)] as const
    }),
  )
}

/** Cards of virtual machines, containers and tunnels: hardly anyone else is on their networks. */
const VIRTUAL =
  /^(?:docker|br-|bridge|veth|virbr|vboxnet|vmnet|lxc|lxd|podman|cni|flannel|tun|tap|utun|wg|tailscale|zt|ppp)|vEthernet|VirtualBox|VMware|Hyper-V|WSL|VPN/i

/**
 * Networks that the internet does not reach: of homes and offices, the usual ones first, of the customers of a provider,
 * and of laboratories.
 */
const PRIVATE: readonly RegExp[] = [
  /^192\.168\./,
  /^10\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\./,
]
/** The same of IPv6 (RFC 4193). */
const PRIVATE_6 = /^f[cd]/i

/** Kinds of addresses: only the first one that a device has is used. */
const KINDS = ['private 4', 'private 6', 'public 4', 'public 6', 'link-local'] as const

function kindOf({ address, family }: NetworkInterfaceInfo): (typeof KINDS)[number] {
  if (isLinkLocal(address)) return 'link-local'
  if (family === 'IPv4') return PRIVATE.some((network) => network.test(address)) ? 'private 4' : 'public 4'
  return PRIVATE_6.test(address) ? 'private 6' : 'public 6'
}

/**
 * The addresses under which others reach this device, the likeliest first: a code has room for one, a link for four.
 * Those of IPv6 only if it has no private one of IPv4: systems replace them every day, and whoever has joined knows one.
 * Public ones only if there is no other, because the whole internet may reach those; link-local ones as a last resort.
 */
export function ownAddresses(cards: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string[] {
  const found = Object.entries(cards).flatMap(([name, each = []]) =>
    each
      .filter(({ internal }) => !internal)
      .map((card) => ({
        address: card.address,
        kind: kindOf(card),
        isVirtual: VIRTUAL.test(name),
        rank: PRIVATE.findIndex((network) => network.test(card.address)),
      })),
  )
  const best = KINDS.find((kind) => found.some((each) => each.kind === kind))
  return found
    .filter(({ kind }) => kind === best)
    .toSorted((a, b) => Number(a.isVirtual) - Number(b.isVirtual) || a.rank - b.rank)
    .map(({ address }) => address)
}
