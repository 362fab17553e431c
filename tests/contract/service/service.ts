import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** `npm run server` as an operator runs it: real processes, with their output. */

const ENTRY = fileURLToPath(new URL('../../../main/entry/server.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

// Files share this module, so an `afterAll` of it would be that of one file only.
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-service-'))
  folders.push(folder)
  return folder
}

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

type Run = { readonly child: ChildProcess; readonly output: { out: string; err: string } }

function run(words: readonly string[]): Run {
  const child = spawn(process.execPath, [ENTRY, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (output.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output.err += part.toString()))
  return { child, output }
}

/** Runs a command, or a server that does not start, to its end. */
export function ending(words: readonly string[]): Promise<Ended> {
  const { child, output } = run(words)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

export type Service = {
  readonly child: ChildProcess
  /** The line that it printed. */
  readonly line: { readonly url: string; readonly apiKey: string; readonly port?: number }
  /** What it has logged so far. */
  log(): string
  /** Resolves once the log contains this event. */
  logged(event: string): Promise<void>
}

/** Starts a server, which ends with the test, and waits until it listens. */
export function serving(words: readonly string[]): Promise<Service> {
  const { child, output } = run([...words, '--log-level', 'info'])
  onTestFinished(async () => void (await stop(child)))
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${output.err}`)))
    child.stdout?.once('data', (part: Buffer) =>
      resolve({
        child,
        line: JSON.parse(part.toString()) as Service['line'],
        log: () => output.err,
        logged: (event) =>
          new Promise((done) => {
            const look = (): void => {
              if (!output.err.includes(`"event":"${event}"`)) return
              child.stderr?.off('data', look)
              done()
            }
            child.stderr?.on('data', look)
            look()
          }),
      }),
    )
  })
}

/** Ends a server as a service manager does. */
export function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('close', resolve)
    child.kill('SIGTERM')
  })
}
