import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A child process that prints one JSON line when it is ready. */
export type Running = {
  readonly ready: Record<string, string>
  readonly child: ChildProcess
  /** The first line with this event that was not taken yet; waits for it. */
  nextEvent(event: string): Promise<Record<string, string>>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts an entry from source and waits for its line with `event`. Rejects with its output when it ends before. */
export function startProcess(
  entry: string,
  args: readonly string[],
  event: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const lines = new Lines()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`${entry} ended with ${code} before it was ready: ${complaint.slice(-2_000)}`)),
    )
    createInterface({ input: child.stdout }).on('line', (line) => lines.add(parse(line)))
    void lines.take(event).then((ready) =>
      resolve({
        ready,
        child,
        nextEvent: (name) => lines.take(name),
        async stop(signal = 'SIGTERM') {
          child.kill(signal)
          await ended
        },
      }),
    )
  })
}

type Line = Record<string, string>

/** Lines of a process, each given to one taker. */
class Lines {
  readonly #pending: Line[] = []
  readonly #takers: { event: string; take: (line: Line) => void }[] = []

  add(line: Line | undefined): void {
    if (line === undefined) return
    const at = this.#takers.findIndex(({ event }) => event === line['event'])
    if (at < 0) this.#pending.push(line)
    else this.#takers.splice(at, 1)[0]?.take(line)
  }

  take(event: string): Promise<Line> {
    const at = this.#pending.findIndex((line) => line['event'] === event)
    if (at >= 0) return Promise.resolve(this.#pending.splice(at, 1)[0] ?? {})
    return new Promise((take) => this.#takers.push({ event, take }))
  }
}

function parse(line: string): Record<string, string> | undefined {
  try {
    return JSON.parse(line) as Record<string, string>
  } catch {
    return undefined // Not every line of a process is JSON for this kit.
  }
}

export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `parlor-${name}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const SECRET = 'a-secret-of-at-least-thirty-two-characters'
/** As long as a random one, by which servers are recognized whatever their address. */
export const API_KEY = 'key-of-the-test-server'

/** The local server on its own, as `npm run server` starts it. Port 0 takes a free one. */
export const startServer = (
  data: string,
  { port = 0, seed = 'none' }: { port?: number; seed?: 'demo' | 'none' } = {},
): Promise<Running> =>
  startProcess(
    'main/entry/server.ts',
    ['--port', String(port), '--data', data, '--seed', seed, '--api-key', API_KEY],
    'listening',
    { PARLOR_SECRET: SECRET },
  )

/** The same with upload rules of its operator. */
export const startPickyServer = (data: string): Promise<Running> =>
  startProcess('tests/e2e/kit/picky-server.ts', [data, API_KEY], 'listening', { PARLOR_SECRET: SECRET })

/**
 * Parlor itself in the browser host, as `npm start` starts it for scripts. In a new folder the people of the demo do
 * nothing by themselves, so that a story sees only what it does.
 */
export function startApp(data: string, ...args: readonly string[]): Promise<Running> {
  keepDemoStill(data)
  return startProcess(
    'main/entry/start.ts',
    ['--host', 'browser', '--no-open', '--json', '--data', data, ...args],
    'ready',
    // Files that it saves for the user are there too.
    { HOME: data, USERPROFILE: data },
  )
}

/** In a folder without settings. */
export function keepDemoStill(data: string): void {
  const file = join(data, 'settings.json')
  if (!existsSync(file)) writeFileSync(file, JSON.stringify({ settings: { activePeople: false } }))
}

export const tokenFor = (userId: string): Promise<string> =>
  new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))

export async function connectArgs(serverUrl: string, userId: string): Promise<string[]> {
  return ['--connect', serverUrl, '--api-key', API_KEY, '--token', await tokenFor(userId)]
}
