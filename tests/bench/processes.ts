import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { keepDemoStill } from '../e2e/kit/processes.ts'
import { API_KEY, SECRET } from './server-seed.ts'
import { VIEWER } from './seeds.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A child process that printed its one line of JSON. */
export type Running = {
  readonly pid: number
  readonly url: string
  /** From the spawn to that line. */
  readonly readyMs: number
  stop(): Promise<void>
}

const children = new Set<ChildProcess>()

/** Compiled code of the last start, as `npm start` has it. */
const compiled = join(root, 'node_modules/.cache/parlor-compiled')

/** However the bench ends, none of its processes stays. */
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a program with Node and waits for its line with `url`. Its log goes to our standard error when it fails. */
export async function startNode(args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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

/** The built local server on a seeded folder. */
export const startServerProcess = (folder: string, port: number, more: readonly string[] = []): Promise<Running> =>
  startNode(
    [
      ...profiling,
      join(root, 'out/main/server.js'),
      '--port',
      `${port}`,
      '--data',
      folder,
      '--seed',
      'none',
      '--api-key',
      API_KEY,
      ...more,
    ],
    { PARLOR_SECRET: SECRET },
  )

/** `PARLOR_BENCH_PROFILE=DIR` writes a processor profile of every local server to that folder. */
const profileFolder = process.env['PARLOR_BENCH_PROFILE']
const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]

/** The built app in the browser host, signed in as the viewer of a server that may be down. */
export async function startAppProcess(folder: string, serverUrl: string): Promise<Running> {
  const token = await tokenFor(VIEWER)
  const connect = ['--connect', serverUrl, '--api-key', API_KEY, '--token', token]
  return startNode([join(root, 'out/main/browser.js'), '--no-open', '--json', '--data', folder, ...connect])
}

/** The built app on its demo workspace, without its people's own activity: every run measures the same. */
export function startDemoProcess(folder: string): Promise<Running> {
  keepDemoStill(folder)
  return startNode([join(root, 'out/main/browser.js'), '--no-open', '--json', '--demo', '--data', folder])
}

export const tokenFor = (userId: string): Promise<string> =>
  new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))

/** Proportional set size of a process and its descendants, in MiB; `undefined` where /proc does not have it. */
export function pssOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const own = Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024
    return childrenOf(pid).reduce((sum, child) => sum + (pssOf(child) ?? 0), own)
  } catch {
    // Not Linux, or the process has just ended.
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
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
