import { utilityProcess } from 'electron'
import type { StartServerProcess } from '../node/local-server.ts'

/** Electron's way to run the local server in a process of its own: forking Node is switched off by a fuse. */
export function utilityServer(serverEntry: string): StartServerProcess {
  return (args, environment) => {
    const child = utilityProcess.fork(serverEntry, [...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      serviceName: 'Parlor local server',
    })
    return {
      onOutput: (fn) => void child.stdout?.on('data', (chunk: Buffer) => fn(chunk.toString('utf8'))),
      onExit: (fn) => void child.once('exit', (code) => fn(String(code))),
      // By message: a signal would end it at once on Windows, before its database is closed.
      // A parent port is no window: it has no origin to name.
      stop: () => Reflect.apply(child.postMessage, child, ['stop']),
      kill: () => void (child.pid !== undefined && process.kill(child.pid, 'SIGKILL')),
    }
  }
}
