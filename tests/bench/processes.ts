import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { API_KEY, SECRET } from './server-seed.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A child process that printed its one line of JSON. */
export type Running = {
  readonly pid: number
  readonly url: string
  /** From the spawn to that line. */
  readonly readyMs: number
  stop(): Promise<void>
}

/** Of the app's search, beside the sources; Electron runs what is built. */
export const cacheWorker = join(
  root,
  process.versions['electron'] === undefined ? 'main/entry/cache-worker.ts' : 'out/main/cache-worker.js',
)

const children = new Set<ChildProcess>()

/** However the bench ends, none of its processes stays. */
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a program and waits for its line with `url`. Rejects with the end of its log when it ends before. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Running> {
  const startedAt = performance.now()
  const child = spawn(program, args, { cwd: root, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let stderrText = ''
  child.stderr.on('data', (chunk: Buffer) => (stderrText = (stderrText + chunk.toString()).slice(-4_000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await firstUrl(child, () => stderrText)
  return {
    pid: child.pid ?? 0,
    url,
    readyMs: performance.now() - startedAt,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function firstUrl(child: ChildProcess, stderrText: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}: ${stderrText()}`)))
    if (!child.stdout) return reject(new Error('No standard output'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /"url":"([^"]+)"/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}

export type ServerOptions = {
  /** 0 takes a free one. */
  readonly port?: number
  readonly more?: readonly string[]
}

/** The command line of the local server; its secret is in {@link serverEnv}. */
export const serverArgs = (folder: string, { port = 0, more = [] }: ServerOptions = {}): readonly string[] => [
  '--port',
  `${port}`,
  '--data',
  folder,
  '--seed',
  'none',
  '--api-key',
  API_KEY,
  ...more,
]
/** The same for a process of the app in Electron, without a screen. */
export const electronServerArgs = (...given: Parameters<typeof serverArgs>): readonly string[] => [
  '--server',
  '--ozone-platform=headless',
  ...serverArgs(...given),
]
export const serverEnv = { PARLOR_SECRET: SECRET } as const

export const tokenFor = (userId: string): Promise<string> =>
  new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))

/** Proportional set size of a process and its descendants, in MiB; `undefined` where /proc does not have it. */
export function pssOf(pid: number): number | undefined {
  const own = ownPssOf(pid)
  return own === undefined ? undefined : own + pssOfChildren(pid)
}

/** Of the process alone. */
export function ownPssOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024
  } catch {
    // Not Linux, or the process has just ended.
    return undefined
  }
}

/** Of its descendants. */
export const pssOfChildren = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + (pssOf(child) ?? 0), 0)

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // It, or one of its threads, has just ended.
    return []
  }
}

/**
 * Processor time that all threads of a process have used so far, in microseconds. From the scheduler's own counter,
 * which is finer than the ticks of 10 ms in `stat`.
 */
export function cpuMicrosOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanos = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))
  return nanos.reduce((sum, each) => sum + each, 0) / 1_000
}
