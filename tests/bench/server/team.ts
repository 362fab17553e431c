import { statSync } from 'node:fs'
import { join } from 'node:path'
import { seededIds } from '#kit/seeded-ids.ts'
import { benchFolder, removeFolder } from '../folders.ts'
import type { ServerHost } from '../hosts/host.ts'
import { cpuMicrosOf, pssOf, type Running } from '../processes.ts'
import { channelId, personId, type SeedSize } from '../seeds.ts'
import { seedServer } from '../server-seed.ts'
import { median, quantile, round, type Figure } from '../stats.ts'
import { callerOf, openWatcher, type Caller } from './client.ts'

/**
 * A team at work: 200 people connected, of whom 50 write, for as long as is asked for. All of them are members of all
 * channels, so each message is delivered 200 times; everyone marks channels read and opens one now and then.
 */
const PEOPLE = 200
const WRITERS = 50
const CHANNELS = 10
/** On average, of each person. */
const WRITES_EVERY_MS = 3_000
const READS_EVERY_MS = 20_000
const OPENS_EVERY_MS = 60_000
/** Not measured: connections are opened and code is compiled. */
const WARM_MS = 10_000
/** After the last message everything must have arrived. */
const LAST_MS = 5_000
const MINUTE_MS = 60_000

type TeamRuns = { readonly minutes: number; readonly log: (text: string) => void; readonly host: ServerHost }

/** What happened in a minute. */
type Minute = { cpu: number; readonly pss: number; readonly sends: number[]; readonly deliveries: number[] }

export async function measureTeam({ minutes, log, host }: TeamRuns): Promise<Figure[]> {
  const folder = benchFolder('team')
  const size: SeedSize = {
    name: 'S',
    people: PEOPLE,
    messages: Array.from({ length: CHANNELS }, () => 121),
    members: PEOPLE,
  }
  await seedServer(folder, size)
  const server = await host.startServer(folder, { more: ['--connections', String(PEOPLE + 56)] })
  try {
    return await new Team(server, folder).work(minutes, log)
  } finally {
    await server.stop()
    removeFolder(folder)
  }
}

class Team {
  readonly #server: Running
  readonly #folder: string
  readonly #chance = seededIds(1)
  readonly #timers = new Set<NodeJS.Timeout>()
  /** When each message was sent, by its number. */
  readonly #sentAt: number[] = []
  readonly #failures: string[] = []
  readonly #minutes: Minute[] = []
  #delivered = 0
  #isMeasuring = false

  constructor(server: Running, folder: string) {
    this.#server = server
    this.#folder = folder
  }

  async work(minutes: number, log: (text: string) => void): Promise<Figure[]> {
    const callers: Caller[] = []
    const closes: (() => void)[] = []
    for (let at = 0; at < PEOPLE; at += 1) {
      const socket = await openWatcher(this.#server.url, personId(at), ...PATHS)
      socket.on('message', (data: Buffer) => this.#heard(data))
      socket.once('close', () => this.#failures.push('a connection was closed'))
      closes.push(() => (socket.removeAllListeners('close'), socket.terminate()))
      callers.push(await callerOf(this.#server.url, personId(at)))
    }
    const bytesBefore = this.#databaseBytes()
    for (const [at, caller] of callers.entries()) {
      if (at < WRITERS) this.#every(WRITES_EVERY_MS, () => this.#write(caller))
      this.#every(READS_EVERY_MS, () => caller.call('POST', `${this.#anyChannel()}/read`, {}))
      this.#every(OPENS_EVERY_MS, () =>
        caller.call('POST', `${this.#anyChannel()}/query`, { state: true, messages: { limit: 25 } }),
      )
    }
    await pause(WARM_MS)
    this.#isMeasuring = true
    const startedAt = performance.now()
    for (let minute = 1; minute <= minutes; minute += 1) {
      const cpuBefore = cpuMicrosOf(this.#server.pid)
      const now: Minute = { cpu: 0, pss: pssOf(this.#server.pid) ?? Number.NaN, sends: [], deliveries: [] }
      this.#minutes.push(now)
      await pause(startedAt + minute * MINUTE_MS - performance.now())
      now.cpu = (cpuMicrosOf(this.#server.pid) - cpuBefore) / MINUTE_MS / 10
      log(`minute ${minute}: ${now.sends.length} messages, ${round(now.cpu)} % of a core, ${round(now.pss)} MiB`)
    }
    for (const timer of this.#timers) clearTimeout(timer)
    this.#isMeasuring = false
    await pause(LAST_MS)
    for (const close of closes) close()
    for (const caller of callers) caller.close()
    return this.#figures(minutes, bytesBefore)
  }

  /** Again and again, at random times that are so far apart on average. */
  #every(ms: number, act: () => Promise<unknown>): void {
    const next = (): void => {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer)
          next()
          act().catch((error: unknown) => this.#failures.push(String(error)))
        },
        this.#chance.random() * 2 * ms,
      )
      this.#timers.add(timer)
    }
    next()
  }

  #anyChannel(): string {
    return PATHS[Math.floor(this.#chance.random() * CHANNELS)] ?? ''
  }

  async #write(caller: Caller): Promise<void> {
    const number = this.#sentAt.push(performance.now()) - 1
    const text = `message ${number} of a team at work, of an ordinary length`
    await caller.call('POST', `${this.#anyChannel()}/message`, { message: { id: `${MARK}${number}`, text } })
    if (this.#isMeasuring) this.#minutes.at(-1)?.sends.push(performance.now() - (this.#sentAt[number] ?? 0))
  }

  #heard(data: Buffer): void {
    if (!data.subarray(0, 40).includes('"message.new"')) return
    this.#delivered += 1
    if (!this.#isMeasuring) return
    const at = data.indexOf(MARK) + MARK.length
    const number = Number.parseInt(data.subarray(at, at + 10).toString('latin1'), 10)
    this.#minutes.at(-1)?.deliveries.push(performance.now() - (this.#sentAt[number] ?? Number.NaN))
  }

  #databaseBytes(): number {
    return ['server.db', 'server.db-wal'].reduce((sum, name) => sum + (sizeOf(join(this.#folder, name)) ?? 0), 0)
  }

  #figures(minutes: number, bytesBefore: number): Figure[] {
    const [first, last] = [this.#minutes[0], this.#minutes.at(-1)]
    const note = `${PEOPLE} people connected, ${WRITERS} write, ${CHANNELS} channels, ${minutes} min`
    const missing = this.#sentAt.length * PEOPLE - this.#delivered
    const named = (name: string, unit: Figure['unit'], value: number, more = ''): Figure => ({
      name: `team: ${name}`,
      unit,
      median: round(value),
      note: more === '' ? note : `${more}; ${note}`,
    })
    const of = (pick: (minute: Minute) => number): number => median(this.#minutes.map(pick))
    const worst = (pick: (minute: Minute) => number): string =>
      `worst minute ${round(Math.max(...this.#minutes.map(pick)))}`
    const rate = this.#minutes.reduce((sum, { sends }) => sum + sends.length, 0) / minutes / 60
    const quantileOf = (kind: 'sends' | 'deliveries', share: number) => (minute: Minute) =>
      quantile(minute[kind], share)
    return [
      named('messages accepted', 'per second', rate),
      named('deliveries that did not arrive', 'times', missing, `of ${this.#sentAt.length * PEOPLE}`),
      named('calls and connections that failed', 'times', this.#failures.length, this.#failures[0]),
      ...(['sends', 'deliveries'] as const).flatMap((kind) =>
        [0.5, 0.99].map((share) => {
          const what = kind === 'sends' ? 'from a send to its response' : 'from a send to each receiver'
          const pick = quantileOf(kind, share)
          return named(`${what}, p${share * 100}`, 'ms', of(pick), worst(pick))
        }),
      ),
      named(
        'processor time of the server, of one core',
        '%',
        of(({ cpu }) => cpu),
        worst(({ cpu }) => cpu),
      ),
      named(
        'memory of the server in the last minute',
        'MiB',
        last?.pss ?? Number.NaN,
        `first minute ${round(first?.pss ?? Number.NaN)}`,
      ),
      named('growth of the database', 'MiB', (this.#databaseBytes() - bytesBefore) / 1_048_576),
    ]
  }
}

const MARK = 'team-'
const PATHS = Array.from({ length: CHANNELS }, (_, at) => `/channels/team/${channelId(at)}`)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    return undefined
  }
}
