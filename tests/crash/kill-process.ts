import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const API_KEY = 'crash'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'

/**
 * Each program as one file, as the product is built: hundreds of starts from source would spend their time on stripping
 * types.
 */
export async function bundle(name: string, programs: Readonly<Record<string, string>>): Promise<string> {
  // Below the root, so that better-sqlite3 is found.
  const outDir = join(ROOT, 'test-results', name)
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(programs).map(([key, path]) => [key, join(ROOT, path)])),
      },
    },
  })
  return outDir
}

/** A child process, read line by line. */
export class Process {
  static readonly running = new Set<ChildProcess>()
  readonly lines: string[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<string>
  readonly #listeners: ((line: string) => void)[] = []
  #complaint = ''

  /** @param inside the words of a command that runs another one, such as `nsenter` */
  constructor(entry: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, inside: readonly string[] = []) {
    const [command, ...words] = [...inside, process.execPath, '--disable-warning=ExperimentalWarning', entry]
    this.#child = spawn(command, [...words, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // Of a process that was killed.
    this.#child.stdin?.on('error', () => undefined)
    Process.running.add(this.#child)
    this.#child.stderr?.on('data', (part: Buffer) => (this.#complaint += part.toString()))
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.lines.push(line)
        for (const listener of this.#listeners) listener(line)
      })
    this.#ended = new Promise((resolve) =>
      this.#child.once('close', (code, signal) => {
        Process.running.delete(this.#child)
        resolve(signal ?? `code ${code}: ${this.#complaint.slice(-2_000)}`)
      }),
    )
  }

  /** How it ended: a signal's name, or a code with its last output. All its output has been read by then. */
  get ended(): Promise<string> {
    return this.#ended
  }

  onLine(listener: (line: string) => void): void {
    this.#listeners.push(listener)
  }

  /** The first matching line from now on. Rejects when the process ends before. */
  async line(passes: (line: string) => boolean): Promise<string> {
    const found = new Promise<string>((resolve) => this.onLine((line) => passes(line) && resolve(line)))
    const endedEarly = this.#ended.then((how) => Promise.reject(new Error(`ended too early: ${how}`)))
    return Promise.race([found, endedEarly])
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Writes a line to its input. */
  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Lets it end normally. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#ended
  }
}

export type Server = { readonly process: Process; readonly url: string }

export async function startServer(entry: string, data: string, port: number, env: NodeJS.ProcessEnv): Promise<Server> {
  const args = ['--port', String(port), '--data', data, '--api-key', API_KEY]
  const child = new Process(entry, args, { ...env, PARLOR_SECRET: SECRET })
  const { url } = JSON.parse(await child.line((line) => line.includes('"listening"'))) as { url: string }
  return { process: child, url }
}

export const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(SECRET))

/** One request with a server token. Rejects when it is refused. */
export const asOperator = (url: string, path: string, body: unknown): Promise<Record<string, unknown>> =>
  callAsOperator(url, path, { method: 'POST', body: JSON.stringify(body) })

export const deleteAsOperator = (url: string, path: string): Promise<Record<string, unknown>> =>
  callAsOperator(url, path, { method: 'DELETE' })

async function callAsOperator(url: string, path: string, call: RequestInit): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}${path}?api_key=${API_KEY}`, {
    ...call,
    headers: {
      authorization: await tokenOf({ server: true }),
      'stream-auth-type': 'jwt',
      'content-type': 'application/json',
    },
  })
  if (answer.status >= 300) throw new Error(`${path} was refused: ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

/** A channel with these members. */
export async function createChannel(url: string, cid: string, members: readonly string[]): Promise<void> {
  await asOperator(url, `/channels/${cid.replace(':', '/')}/query`, {
    data: { members, created_by_id: members[0] },
    state: false,
  })
}
