import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { SignJWT } from 'jose'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededIds } from '#kit/seeded-ids.ts'
import { replayLine, replaySeed, runs } from '../fuzz/counts.ts'

/**
 * Promises R1, R2, R3 and R8: `kill -9` of a real app process on real files, at any moment while it accepts messages, and
 * now and then of the server as well. Nothing accepted is lost, nothing is doubled, nothing changes places.
 */
const ROUNDS = runs(200)
/** Apps killed side by side, each of a person of its own: while one starts, another waits for its disk or the server. */
const LANES = 4
/** Every so many rounds of all lanes together the server dies too. */
const SERVER_DIES_EVERY = 12
/** Most messages a round accepts before its kill; most rounds end far sooner, a few go on until much is on its way. */
const LONGEST = 40
/** Numbers left free between rounds: more than one round can have begun and not said. */
const STRIDE = 1_000
const SECRET = 'a-secret-of-at-least-thirty-two-characters'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Below the root, so that better-sqlite3 is found. */
const BUILT = join(ROOT, 'test-results', 'crash')
const WRITER = join(BUILT, 'writer.js')
const SERVER = join(BUILT, 'server.js')
const folder = mkdtempSync(join(tmpdir(), 'parlor-crash-'))
const running = new Set<ChildProcess>()

let server: Server

type Server = { readonly process: Process; readonly url: string }

beforeAll(async () => {
  await bundle()
  await compileOnce()
  server = await startServer(0)
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Each one file, as the product is built: hundreds of starts from source would be spent on reading types away. */
async function bundle(): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      rolldownOptions: {
        input: {
          writer: fileURLToPath(new URL('writer.ts', import.meta.url)),
          server: join(ROOT, 'main/entry/server.ts'),
        },
      },
    },
  })
}

/** Node keeps what it compiled when a process ends by itself; a killed one leaves nothing for the next. */
async function compileOnce(): Promise<void> {
  server = await startServer(0)
  const lane = new Lane('warm', 0)
  await lane.settle()
  await lane.drain((app) => app.stop())
  await server.process.stop()
}

/** A process of ours, heard line by line. */
class Process {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #listeners: ((line: string) => void)[] = []
  #complaint = ''

  constructor(entry: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(this.#child)
    this.#child.stderr?.on('data', (part: Buffer) => (this.#complaint += part.toString()))
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        for (const listener of this.#listeners) listener(line)
      })
    this.#ended = new Promise((resolve) =>
      this.#child.once('close', () => {
        running.delete(this.#child)
        resolve()
      }),
    )
  }

  hear(listener: (line: string) => void): void {
    this.#listeners.push(listener)
  }

  /** The first line from now on that passes. Rejects when the process ends before. */
  async line(passes: (line: string) => boolean): Promise<string> {
    const found = new Promise<string>((resolve) => this.hear((line) => passes(line) && resolve(line)))
    const gone = this.#ended.then(() => Promise.reject(new Error(`ended too early: ${this.#complaint.slice(-2_000)}`)))
    return Promise.race([found, gone])
  }

  /** Ends when all it said has been heard. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Lets it end by itself. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#ended
  }
}

async function startServer(port: number): Promise<Server> {
  const args = ['--port', String(port), '--data', join(folder, 'server'), '--api-key', 'crash']
  const child = new Process(SERVER, args, { PARLOR_SECRET: SECRET })
  const { url } = JSON.parse(await child.line((line) => line.includes('"listening"'))) as { url: string }
  return { process: child, url }
}

/** Kills the server and starts it again at its address, while apps talk to it. */
async function restartServer(): Promise<void> {
  const { process, url } = server
  await process.kill()
  server = await startServer(Number(new URL(url).port))
}

/** One request with the authority of an operator. */
async function asOperator(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}?api_key=crash`, {
    method: 'POST',
    headers: {
      authorization: await tokenOf({ server: true }),
      'stream-auth-type': 'jwt',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect([path, answer.status < 300]).toEqual([path, true])
  return (await answer.json()) as Record<string, unknown>
}

const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(SECRET))

/** Texts of a channel on the server, oldest first. */
async function stored(cid: string): Promise<number[]> {
  const numbers: number[] = []
  for (let before: string | undefined; ;) {
    const answer = await asOperator(`/channels/${cid.replace(':', '/')}/query`, {
      data: { created_by_id: 'lane0' },
      state: true,
      messages: { limit: 300, ...(before === undefined ? {} : { id_lt: before }) },
    })
    const page = answer['messages'] as { id: string; text: string }[]
    if (page.length === 0) return numbers
    numbers.unshift(...page.map(({ text }) => Number(text)))
    before = page[0]?.id
  }
}

/** One person's app, killed again and again. */
class Lane {
  readonly #user: string
  readonly #chance: ReturnType<typeof seededIds>
  readonly #data: string
  readonly cids: readonly string[]
  readonly accepted: number[] = []
  /** Kills that met something accepted and not sent. */
  killedAtWork = 0

  constructor(user: string, seed: number) {
    this.#user = user
    this.#chance = seededIds(seed)
    this.#data = join(folder, this.#user)
    this.cids = [`messaging:${this.#user}-a`, `messaging:${this.#user}-b`]
  }

  async settle(): Promise<void> {
    await asOperator('/users', { users: { [this.#user]: { id: this.#user } } })
    for (const cid of this.cids)
      await asOperator(`/channels/${cid.replace(':', '/')}/query`, {
        data: { members: [this.#user], created_by_id: this.#user },
        state: false,
      })
  }

  /** Starts the app and kills it at a moment of chance: while it starts, when it is open, or while it accepts. */
  async round(number: number): Promise<void> {
    const app = await this.#start(number * STRIDE)
    const heard = this.#chance.random() < 0.1 ? 'started' : this.#chance.random() < 0.1 ? 'open' : undefined
    const target = 1 + Math.floor(this.#chance.random() ** 2 * LONGEST)
    const turns = Math.floor(this.#chance.random() * 200)
    let count = 0
    let waiting = 0
    app.hear((line) => {
      if (line.startsWith('unsent ')) waiting = Number(line.slice('unsent '.length))
      if (!line.startsWith('accepted ')) return
      count += 1
      waiting += 1
      this.accepted.push(Number(line.slice('accepted '.length)))
    })
    await app.line((line) => line === heard || (line.startsWith('accepted ') && count >= target))
    // A kill exactly after a line would always meet the same place; some turns of the loop spread it.
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.kill()
    if (waiting > 0) this.killedAtWork += 1
  }

  /** Leaves the app alone until everything is sent. */
  async drain(end: (app: Process) => Promise<void> = (app) => app.kill()): Promise<void> {
    const app = await this.#start(0)
    await app.line((line) => line === 'unsent 0')
    await end(app)
  }

  /** What the app's own cache holds of a channel, in its order. */
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
    return new Process(WRITER, [this.#data, server.url, token, String(first), ...this.cids])
  }
}

test(
  'two hundred kills of the app, and some of the server: nothing accepted is lost, doubled or out of order',
  async () => {
    const seed = replaySeed ?? 20_261_121
    const lanes = Array.from({ length: LANES }, (_none, index) => new Lane(`lane${index}`, seed + index))
    for (const lane of lanes) await lane.settle()
    const deaths = new Deaths()
    await Promise.all(
      lanes.map(async (lane) => {
        for (let round = 1; round <= ROUNDS / LANES; round += 1) await Promise.all([deaths.next(), lane.round(round)])
      }),
    )
    for (const lane of lanes) await lane.drain()
    const faults = (await Promise.all(lanes.map(faultsOf))).flat()
    const replay = replayLine('tests/crash', seed)
    expect({ replay, faults }).toEqual({ replay, faults: [] })
    for (const lane of lanes) {
      expect(lane.accepted.length).toBeGreaterThan(ROUNDS)
      expect(lane.killedAtWork).toBeGreaterThan(ROUNDS / LANES / 2)
    }
  },
  ROUNDS * 12_000,
)

/** Counts the rounds of all lanes, and kills the server now and then, one death at a time. */
class Deaths {
  #rounds = 0
  #dying: Promise<void> = Promise.resolve()

  async next(): Promise<void> {
    this.#rounds += 1
    if (this.#rounds % SERVER_DIES_EVERY === 0) this.#dying = this.#dying.then(restartServer)
    await this.#dying
  }
}

/** What a lane's channels hold that they should not, or lack. */
async function faultsOf(lane: Lane): Promise<string[]> {
  const faults: string[] = []
  for (const [index, cid] of lane.cids.entries()) {
    const onServer = await stored(cid)
    const held = new Set(onServer)
    const told = new Set(lane.accepted)
    // One more may have been written than a kill let it say.
    const wasBegun = (n: number): boolean => told.has(n) || told.has(n - 1) || n % STRIDE === 0
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
