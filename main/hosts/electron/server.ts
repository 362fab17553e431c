import { utilityProcess } from 'electron'
import { HEAP_FLAG, type StartServerProcess } from '../node/local-server.ts'

/** Runs the local server in a utility process: forking Node is disabled by a fuse. */
export function utilityServer(serverEntry: string): StartServerProcess {
  return (args, environment) => {
    const child = utilityProcess.fork(serverEntry, [...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      execArgv: [HEAP_FLAG],
      serviceName: 'Parlor local server',
    })
    return {
      onOutput: (fn) => void child.stdout?.on('data', (chunk: Buffer) => fn(chunk.toString('utf8'))),
      onExit: (fn) => void child.once('exit', (code) => fn(String(code))),
      // SIGTERM where there are signals: the server closes its database first. Elsewhere it ends after its last commit.
      stop: () => void child.kill(),
      kill: () => void (child.pid !== undefined && process.kill(child.pid, 'SIGKILL')),
    }
  }
}
