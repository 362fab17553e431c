import { fork, type ChildProcess } from 'node:child_process'
import { systemClock } from '#main/lib/clock.ts'
import type { LocalServer, LocalServerOptions, ServerCapability, ServerTask } from '../host.ts'

/** A started server process: Node's fork here, a utility process in Electron. */
type ServerProcess = {
  onOutput(fn: (text: string) => void): void
  onExit(fn: (reason: string) => void): void
  /** Asks it to end; it closes its database first. */
  stop(): void
  kill(): void
}

export type StartServerProcess = (args: readonly string[], environment: Record<string, string>) => ServerProcess

/** A server that needs more is ended by V8, and started again. */
export const HEAP_FLAG = '--max-old-space-size=512'

const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 5_000

/** Starts the local server in a separate process. Resolves once the server listens. */
export function localServers(start: StartServerProcess): ServerCapability {
  return {
    start: (options) =>
      new Promise((resolve, reject) => {
        const child = start(serverArguments(options), { PARLOR_SECRET: options.secret })
        const stopTimer = systemClock.after(START_TIMEOUT_MS, () => {
          child.kill()
          reject(new Error('The local server did not start in time.'))
        })
        const exits: ((reason: string) => void)[] = []
        const sharing: (() => void)[] = []
        let ended: string | undefined
        child.onExit((reason) => {
          stopTimer()
          ended = reason
          for (const fn of exits) fn(reason)
          reject(new Error(`The local server ended before it listened (${reason}).`))
        })
        child.onOutput(
          statusLines(({ event, url }) => {
            if (event === 'listening' && typeof url === 'string') {
              stopTimer()
              resolve({ ...runningServer(url, child, exits, () => ended), onSharing: (fn) => void sharing.push(fn) })
            }
            if (event === 'sharing') sharing.forEach((fn) => fn())
          }),
        )
      }),
    run: (task) => runTask(start, task),
  }
}

function runTask(start: StartServerProcess, { args, environment, signal, onLine }: ServerTask): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const child = start(args, { ...environment })
    const end = (): void => child.kill()
    signal.addEventListener('abort', end)
    child.onExit(() => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    child.onOutput(statusLines(onLine))
  })
}

/** With Node's fork: the child ends by itself when this process has ended. */
export function forkedServer(serverEntry: string): StartServerProcess {
  return (args, environment) => {
    const child = fork(serverEntry, [...args], {
      env: { ...process.env, ...environment },
      execArgv: ['--disable-warning=ExperimentalWarning', HEAP_FLAG],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    return forkedProcess(child)
  }
}

function forkedProcess(child: ChildProcess): ServerProcess {
  return {
    onOutput: (fn) => void child.stdout?.setEncoding('utf8').on('data', fn),
    onExit: (fn) => {
      child.once('error', (error) => fn(error.message))
      child.once('exit', (code, signal) => fn(String(code ?? signal)))
    },
    // By message: a signal would end it at once on Windows, before its database is closed.
    stop: () => void (child.connected ? child.send('stop') : child.kill('SIGTERM')),
    kill: () => void child.kill('SIGKILL'),
  }
}

function serverArguments(options: LocalServerOptions): string[] {
  const { dataFolder, seed, apiKey, port } = options
  return ['--port', String(port), '--data', dataFolder, '--seed', seed, '--api-key', apiKey]
}

/** Calls back for each line of JSON, as `{"event":"listening",…}`; anything else that is printed is ignored. */
function statusLines(on: (line: Readonly<Record<string, unknown>>) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const status = readStatus(line)
      if (status) on(status)
    }
  }
}

function readStatus(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

function runningServer(
  url: string,
  child: ServerProcess,
  exits: ((reason: string) => void)[],
  ended: () => string | undefined,
): LocalServer {
  let stopping = false
  return {
    url,
    onExit(fn) {
      exits.push((reason) => {
        if (!stopping) fn(reason)
      })
    },
    stop: () =>
      new Promise((resolve) => {
        stopping = true
        if (ended() !== undefined) return resolve()
        const stopTimer = systemClock.after(STOP_TIMEOUT_MS, () => child.kill())
        exits.push(() => {
          stopTimer()
          resolve()
        })
        child.stop()
      }),
  }
}
