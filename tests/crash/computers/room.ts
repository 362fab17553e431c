import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Computers on one switch: each is a network namespace of this machine, in a user namespace of its own, so that nobody
 * has to be root and nothing is left when the test has ended. A place in the room has addresses; programs run there.
 *
 * ```
 *   place ─ eth0 ──── port ┐
 *                          ├ switch (a bridge in the first namespace)
 *   place ─ eth0 ──── port ┘
 * ```
 */

const AS_ROOT = ['--user', '--map-root-user', '--net'] as const
const PREFIX: Readonly<Record<number, number>> = { 4: 24, 6: 64 }

/** Whether this system lets its users divide the network. */
export const hasRooms: boolean = ((): boolean => {
  if (process.platform !== 'linux') return false
  const tried = spawnSync('unshare', [...AS_ROOT, 'ip', 'link', 'add', 'switch', 'type', 'bridge'])
  return tried.status === 0
})()

/** A process that does nothing but keep a namespace, until its input ends: also when this process is killed. */
async function keeper(command: string, args: readonly string[]): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(command, [...args, 'sh', '-c', 'echo ready; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (child.pid === undefined) throw new Error(`${command} does not start`)
  await once(createInterface({ input: child.stdout }), 'line')
  return child as ChildProcess & { readonly pid: number }
}

/** The words before a command that run it in this namespace. */
const into = (pid: number): readonly string[] => [
  'nsenter',
  '--user',
  '--net',
  '--preserve-credentials',
  '--target',
  String(pid),
]

function ip(pid: number, words: string): void {
  const [command = '', ...args] = into(pid)
  execFileSync(command, [...args, 'ip', ...words.split(' ')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export class Room {
  readonly #keeper: ChildProcess & { readonly pid: number }
  readonly #places: Place[] = []

  private constructor(kept: ChildProcess & { readonly pid: number }) {
    this.#keeper = kept
  }

  static async open(): Promise<Room> {
    const room = new Room(await keeper('unshare', AS_ROOT))
    room.#ip('link add switch type bridge')
    room.#ip('link set switch up')
    return room
  }

  /** A computer with these addresses (`192.168.7.1`, `fd00:7::1`). */
  async place(addresses: readonly string[]): Promise<Place> {
    const [command = '', ...args] = into(this.#keeper.pid)
    const inner = await keeper(command, [...args, 'unshare', '--net'])
    const port = `port${this.#places.length + 1}`
    this.#ip(`link add ${port} master switch type veth peer name eth0 netns ${inner.pid}`)
    this.#ip(`link set ${port} up`)
    const place = new Place({ keeper: inner, port: (words) => this.#ip(`link set ${port} ${words}`) })
    this.#places.push(place)
    place.ip('link set lo up')
    place.ip('link set eth0 up')
    for (const address of addresses) place.add(address)
    return place
  }

  close(): void {
    for (const place of this.#places) place.close()
    this.#keeper.stdin?.end()
  }

  #ip(words: string): void {
    ip(this.#keeper.pid, words)
  }
}

type PlaceParts = {
  readonly keeper: ChildProcess & { readonly pid: number }
  /** Changes its port of the switch. */
  readonly port: (words: string) => void
}

/** One computer of the room. */
export class Place {
  readonly #parts: PlaceParts

  constructor(parts: PlaceParts) {
    this.#parts = parts
  }

  /** The words before a command that run it here. */
  get inside(): readonly string[] {
    return into(this.#parts.keeper.pid)
  }

  ip(words: string): void {
    ip(this.#parts.keeper.pid, words)
  }

  add(address: string): void {
    const version = address.includes(':') ? 6 : 4
    // Otherwise an address of IPv6 is not usable before a second has passed.
    const now = version === 6 ? ' nodad' : ''
    this.ip(`address add ${address}/${PREFIX[version]} dev eth0${now}`)
    // Multicast DNS is sent to an address of no network. The way there goes with the last address of IPv4.
    if (version === 4) this.ip('route replace 224.0.0.0/4 dev eth0')
  }

  remove(address: string): void {
    this.ip(`address del ${address}/${PREFIX[address.includes(':') ? 6 : 4]} dev eth0`)
  }

  /** Only programs with a capability may listen below this port. */
  reservePortsBelow(port: number): void {
    const [command = '', ...args] = this.inside
    const change = `echo ${port} > /proc/sys/net/ipv4/ip_unprivileged_port_start`
    execFileSync(command, [...args, 'sh', '-c', change], { stdio: ['ignore', 'ignore', 'inherit'] })
  }

  /** Nothing that is sent arrives, and nobody is told. */
  cut(): void {
    this.#parts.port('nomaster')
  }

  mend(): void {
    this.#parts.port('master switch')
  }

  /** The cable is out: the computer itself notices. */
  unplug(): void {
    this.#parts.port('down')
  }

  plug(): void {
    this.#parts.port('up')
  }

  close(): void {
    this.#parts.keeper.stdin?.end()
  }
}
