import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { record } from './record.ts'

type ForkOptions = { env?: NodeJS.ProcessEnv; stdio?: 'pipe' | ('ignore' | 'pipe' | 'inherit')[] }

/** A Node child with the parts of a utility process that the app uses. */
class UtilityProcess extends EventEmitter {
  readonly #child: ReturnType<typeof fork>
  constructor(file: string, args: string[], options: ForkOptions) {
    super()
    const { NODE_OPTIONS: _dropped, ...env } = options.env ?? process.env
    const [, out = 'inherit', error = 'inherit'] = Array.isArray(options.stdio) ? options.stdio : []
    this.#child = fork(file, args, { env, execArgv: [], stdio: ['ignore', out, error, 'ipc'] })
    this.#child.on('exit', (code) => this.emit('exit', code ?? 0))
    this.#child.on('message', (message) => this.emit('message', message))
  }
  get stdout() {
    return this.#child.stdout
  }
  get pid(): number | undefined {
    return this.#child.pid
  }
  kill(): boolean {
    return this.#child.kill('SIGTERM')
  }
  postMessage(message: unknown): void {
    this.#child.send(message as object)
  }
}

export const utilityProcess = {
  fork(file: string, args: string[] = [], options: ForkOptions = {}) {
    record('utilityProcess.fork', file, args)
    return new UtilityProcess(file, args, options)
  },
}
