import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import type * as Electron from 'electron'

/** For a program that should end but does not: a test must not wait for it forever. */
const ENDS_WITHIN_MS = 20_000

type Reply = {
  readonly id?: number
  readonly error?: { readonly message: string }
  readonly result?: {
    readonly result: { readonly value: unknown }
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } }
  }
}

/**
 * Electron with both of its debuggers: the windows are pages of Playwright, and functions are run in main. Playwright's
 * own `_electron` makes every page believe that it has the focus, which hides what happens without it.
 */
export class ElectronProcess {
  /** What it printed on both streams, line by line. */
  readonly output: string[] = []
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  #main: WebSocket | undefined
  #context: BrowserContext | undefined
  #lastId = 0
  readonly #watchers: ((line: string) => void)[] = []
  readonly #pending = new Map<number, (reply: Reply) => void>()

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(program, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.exited = new Promise((resolve) => this.child.once('close', resolve))
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        this.output.push(line)
        for (const look of this.#watchers) look(line)
      })
    }
  }

  static async launch(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<ElectronProcess> {
    const electron = new ElectronProcess(program, ['--inspect=0', '--remote-debugging-port=0', ...args], env)
    await electron.#inspect(await electron.#printed(/^Debugger listening on (ws:\S+)/))
    await electron.reconnect()
    // It waits for this when it ends.
    void electron.#printed(/^(Waiting for the debugger to disconnect)/).then(
      () => electron.#main?.close(),
      () => undefined,
    )
    return electron
  }

  /** New pages for all windows: Playwright cannot reuse a page whose renderer died. */
  async reconnect(): Promise<void> {
    const address = await this.#printed(/^DevTools listening on (ws:\S+)/)
    const browser = await chromium.connectOverCDP(address, { noDefaults: true })
    this.#context = browser.contexts()[0]
  }

  windows(): Page[] {
    return this.#pages().pages()
  }

  nextWindow(): Promise<Page> {
    return this.#pages().waitForEvent('page')
  }

  async firstWindow(): Promise<Page> {
    return this.windows()[0] ?? (await this.nextWindow())
  }

  /** Runs a function in main. Nothing of the test's file is known there but the argument. */
  async evaluate<T, A = undefined>(
    run: (electron: typeof Electron, argument: A) => T,
    argument?: A,
  ): Promise<Awaited<T>> {
    const { error, result } = await this.#send('Runtime.evaluate', {
      // Held there until it is settled: a promise that only a debugger waits for may be collected.
      expression: `(() => {
        const all = (globalThis.runningForTests ??= new Set())
        const one = (async () => (${String(run)})(require('electron'), ${JSON.stringify(argument)}))()
        all.add(one)
        const done = () => all.delete(one)
        one.then(done, done)
        return one
      })()`,
      includeCommandLineAPI: true,
      awaitPromise: true,
      returnByValue: true,
    })
    const { exceptionDetails } = result ?? {}
    const problem = error?.message ?? exceptionDetails?.exception?.description ?? exceptionDetails?.text
    if (problem !== undefined) throw new Error(problem)
    return result?.result.value as Awaited<T>
  }

  /** Quits as the menu does, and waits for the end of the process. Returns its exit code. */
  async quit(): Promise<number | null> {
    // The response may be lost with the process.
    this.evaluate(({ app }) => setImmediate(() => app.quit()) && undefined).catch(() => undefined)
    return this.ended()
  }

  /** The exit code; nothing if it had to be killed. */
  async ended(): Promise<number | null> {
    const stop = setTimeout(() => this.child.kill('SIGKILL'), ENDS_WITHIN_MS)
    const code = await this.exited
    clearTimeout(stop)
    return code
  }

  #pages(): BrowserContext {
    if (!this.#context) throw new Error('This start of Electron is not debugged.')
    return this.#context
  }

  async #inspect(address: string): Promise<void> {
    const main = new WebSocket(address)
    this.#main = main
    main.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply
      this.#pending.get(reply.id ?? 0)?.(reply)
      this.#pending.delete(reply.id ?? 0)
    })
    main.addEventListener('close', () => {
      for (const answer of this.#pending.values()) answer({ error: { message: 'Electron ended.' } })
    })
    await new Promise<void>((resolve, reject) => {
      main.addEventListener('open', () => resolve())
      main.addEventListener('error', () => reject(new Error('Electron’s inspector does not answer.')))
    })
  }

  #send(method: string, params: object): Promise<Reply> {
    this.#lastId += 1
    const id = this.#lastId
    const answered = new Promise<Reply>((resolve) => this.#pending.set(id, resolve))
    this.#main?.send(JSON.stringify({ id, method, params }))
    return answered
  }

  /** The first group of the first line that matches, also of one that comes later. Rejects when the process ends. */
  #printed(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (line: string): void => {
        const found = pattern.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      }
      for (const line of this.output) look(line)
      this.#watchers.push(look)
      void this.exited.then((code) => reject(new Error(`Electron ended with ${code}: ${this.output.join('\n')}`)))
    })
  }
}
