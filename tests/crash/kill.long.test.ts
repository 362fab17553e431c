import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFrom, noteCovered, PATIENCE_MS, replaySeed, timeFor } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { asOperator, bundle, createChannel, Process, startServer, tokenOf, type Server } from './kill-process.ts'

/**
 * `kill -9` of a real app process on real files, at any moment while it accepts messages, and now and then of the
 * server as well. Nothing accepted is lost, duplicated or reordered.
 */
const ROUNDS = 2_000
/** Its share of the long run's time, where that is limited. */
const SHARE = 0.12
/** Apps killed in parallel, each of a separate user: while one starts, another waits for its disk or the server. */
const LANES = 4
/** After so many rounds of all lanes together the server is killed too. */
const SERVER_DIES_EVERY = 12
/**
 * Most messages a round accepts before its kill; most rounds end far sooner, a few continue until many are in flight.
 */
const LONGEST = 40
/** Numbers left free between rounds: more than one round can have begun without printing so. */
const STRIDE = 1_000
const folder = mkdtempSync(join(tmpdir(), 'parlor-crash-'))
/** Node's compile cache is preserved for the next start. */
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }

let built: string
let server: Server

beforeAll(async () => {
  built = await bundle('crash', { writer: 'tests/crash/writer.ts', server: 'main/entry/server.ts' })
  await compileOnce()
  server = await start(0)
})
afterAll(() => {
  for (const child of Process.running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const start = (port: number): Promise<Server> =>
  startServer(join(built, 'server.js'), join(folder, 'server'), port, env)

/** Node writes its compile cache when a process ends normally; a killed one leaves nothing for the next. */
async function compileOnce(): Promise<void> {
  server = await start(0)
  const lane = new Lane('warm', 0)
  await lane.settle()
  await lane.drain((app) => app.stop())
  await server.process.stop()
}

/** Kills the server and starts it again at its address, while apps use it. */
async function restartServer(): Promise<void> {
  const { process, url } = server
  await process.kill()
  server = await start(Number(new URL(url).port))
}

/** Texts of a channel on the server, oldest first. */
async function stored(cid: string): Promise<number[]> {
  const numbers: number[] = []
  for (let before: string | undefined; ;) {
    const answer = await asOperator(server.url, `/channels/${cid.replace(':', '/')}/query`, {
      data: { created_by_id: 'lane0' },
      state: true,
      messages: { limit: 300, id_lt: before },
    })
    const page = answer['messages'] as { id: string; text: string }[]
    if (page.length === 0) return numbers
    numbers.unshift(...page.map(({ text }) => Number(text)))
    before = page[0]?.id
  }
}

/** One user's app, killed again and again. */
class Lane {
  readonly #user: string
  readonly #chance: ReturnType<typeof seededIds>
  readonly #data: string
  readonly cids: readonly string[]
  readonly accepted: number[] = []
  /** Rounds it completed. */
  rounds = 0
  /** Kills while something was accepted and not sent. */
  killedAtWork = 0

  constructor(user: string, seed: number) {
    this.#user = user
    this.#chance = seededIds(seed)
    this.#data = join(folder, this.#user)
    this.cids = [`messaging:${this.#user}-a`, `messaging:${this.#user}-b`]
  }

  async settle(): Promise<void> {
    await asOperator(server.url, '/users', { users: { [this.#user]: { id: this.#user } } })
    for (const cid of this.cids) await createChannel(server.url, cid, [this.#user])
  }

  /** Starts the app and kills it at a random moment: while it starts, when it is open, or while it accepts. */
  async round(number: number): Promise<void> {
    const app = await this.#start(number * STRIDE)
    const awaitedLine = this.#chance.random() < 0.1 ? 'started' : this.#chance.random() < 0.1 ? 'open' : undefined
    const target = 1 + Math.floor(this.#chance.random() ** 2 * LONGEST)
    const turns = Math.floor(this.#chance.random() * 200)
    let count = 0
    let waiting = 0
    app.onLine((line) => {
      if (line.startsWith('unsent ')) waiting = Number(line.slice('unsent '.length))
      if (!line.startsWith('accepted ')) return
      count += 1
      waiting += 1
      this.accepted.push(Number(line.slice('accepted '.length)))
    })
    await app.line((line) => line === awaitedLine || (line.startsWith('accepted ') && count >= target))
    // A kill exactly after a line would always hit the same place; some turns of the event loop spread it.
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.kill()
    if (waiting > 0) this.killedAtWork += 1
  }

  /** Lets the app run until everything is sent. */
  async drain(end: (app: Process) => Promise<void> = (app) => app.kill()): Promise<void> {
    const app = await this.#start(0)
    await app.line((line) => line === 'unsent 0')
    await end(app)
  }

  /** The messages of a channel in the app's cache, in its order. */
  cached(cid: string): number[] {
    const accounts = join(this.#data, 'accounts')
    const [account = ''] = readdirSync(accounts)
    const cache = new Database(join(accounts, account, 'cache.db'), { readonly: true })
    const rows = cache.prepare('SELECT text FROM messages WHERE cid = ? ORDER BY created_at, id').all(cid)
    cache.close()
    return (rows as { text: string }[]).map(({ text }) => Number(text))
  }

  async #start(first: number): Promise<Process> {
    const token = await tokenOf({ user_id: this.#user })
    return new Process(join(built, 'writer.js'), [this.#data, server.url, token, String(first), ...this.cids], env)
  }
}

test(
  'kills of the app, and some of the server: nothing accepted is lost, duplicated or out of order',
  { timeout: PATIENCE_MS },
  async () => {
    const seed = replaySeed ?? freshFrom
    const isOver = timeFor(SHARE)
    const lanes = Array.from({ length: LANES }, (_none, index) => new Lane(`lane${index}`, seed + index))
    for (const lane of lanes) await lane.settle()
    const deaths = new Deaths()
    await Promise.all(
      lanes.map(async (lane) => {
        for (let round = 1; round <= ROUNDS / LANES && !isOver(); round += 1) {
          await Promise.all([deaths.next(), lane.round(round)])
          lane.rounds = round
        }
      }),
    )
    for (const lane of lanes) await lane.drain()
    const faults = (await Promise.all(lanes.map(faultsOf))).flat()
    const count = lanes.reduce((sum, lane) => sum + lane.rounds, 0)
    expect(faults, `PARLOR_SEED=${seed} npm run test:long -- tests/crash/kill.long`).toEqual([])
    for (const lane of lanes) {
      expect(lane.accepted.length).toBeGreaterThan(lane.rounds)
      expect(lane.killedAtWork).toBeGreaterThan(lane.rounds / 2)
    }
    noteCovered({ kind: 'kills of the app', isFresh: true, count, from: seed, to: seed })
  },
)

/** Counts the rounds of all lanes, and kills the server now and then, one kill at a time. */
class Deaths {
  #rounds = 0
  #dying: Promise<void> = Promise.resolve()

  async next(): Promise<void> {
    this.#rounds += 1
    if (this.#rounds % SERVER_DIES_EVERY === 0) this.#dying = this.#dying.then(restartServer)
    await this.#dying
  }
}

/** What is wrong in a lane's channels: too much, or missing. */
async function faultsOf(lane: Lane): Promise<string[]> {
  const faults: string[] = []
  for (const [index, cid] of lane.cids.entries()) {
    const onServer = await stored(cid)
    const held = new Set(onServer)
    const notified = new Set(lane.accepted)
    // One more may have been written than the killed process could print.
    const wasBegun = (n: number): boolean => notified.has(n) || notified.has(n - 1) || n % STRIDE === 0
    const accepted = lane.accepted.filter((n) => n % lane.cids.length === index)
    const cached = lane.cached(cid)
    faults.push(
      ...accepted.filter((n) => !held.has(n)).map((n) => `${cid}: ${n} is lost`),
      ...onServer.filter((n, at) => onServer.indexOf(n) !== at).map((n) => `${cid}: ${n} is doubled`),
      ...onServer.filter((n, at) => n < (onServer[at - 1] ?? 0)).map((n) => `${cid}: ${n} came too late`),
      ...onServer.filter((n) => n % lane.cids.length !== index).map((n) => `${cid}: ${n} is foreign`),
      ...onServer.filter((n) => !wasBegun(n)).map((n) => `${cid}: ${n} was never written`),
      ...(cached.join() === onServer.filter((n) => cached.includes(n)).join() ? [] : [`${cid}: the cache differs`]),
    )
  }
  return faults
}
