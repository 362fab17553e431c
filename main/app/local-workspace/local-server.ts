import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { LocalServer } from '#main/hosts/host.ts'

/** After more exits than this within the span, the server is not restarted. */
const MAX_RESTARTS = 5
const RESTART_SPAN_MS = 10 * 60_000

export type ServerHealth = 'stopped' | 'starting' | 'running' | 'restarting' | 'failed'

type SupervisorOptions = {
  /** Starts the process; `port` 0 lets the system choose. */
  readonly start: (port: number) => Promise<LocalServer>
  /** Port of the last run, 0 when there was none. */
  readonly lastPort: number
  readonly onPort: (port: number) => void
  readonly onHealth: (health: ServerHealth) => void
  readonly clock: Clock
  readonly ids: Pick<Ids, 'random'>
  readonly log: Logger
}

type Waiter = { readonly resolve: (url: string) => void; readonly reject: (error: AppError) => void }

/**
 * Keeps one server process running:
 *
 * ```
 *   stopped ──running()──▶ starting ──listens──▶ running
 *                             ▲ │ fails             │ exits
 *                       wait  │ ▼                   │
 *                          restarting ◀─────────────┘      sixth exit within ten minutes ──▶ failed ──retry()──▶ starting
 * ```
 */
export class LocalServerSupervisor {
  readonly #options: SupervisorOptions
  #health: ServerHealth = 'stopped'
  #server: LocalServer | undefined
  #url = ''
  #waiters: Waiter[] = []
  #ends: number[] = []
  #stopTimer: Stop | undefined
  /** Grows with every stop: a process that starts too late is ended at once. */
  #generation = 0
  /** While it is on, nobody starts the server: who wants it running waits. */
  #isHeld = false

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get health(): ServerHealth {
    return this.#health
  }

  /** The address of the last run; empty before the first. */
  get url(): string {
    return this.#url
  }

  /** The address once the server listens; starts it if necessary. Rejects with `session/local-server-stopped`. */
  running(): Promise<string> {
    if (this.#health === 'running') return Promise.resolve(this.#url)
    if (this.#health === 'failed') return Promise.reject(stoppedError())
    const waiting = new Promise<string>((resolve, reject) => this.#waiters.push({ resolve, reject }))
    if (this.#health === 'stopped' && !this.#isHeld) void this.#start()
    return waiting
  }

  /** Starts it again after it failed, or at once instead of at the planned time. */
  retry(): void {
    if (this.#isHeld || (this.#health !== 'failed' && this.#stopTimer === undefined)) return
    this.#ends = []
    void this.#start()
  }

  /** Stops it, and keeps it stopped until it is released: what it wrote is then all there is. */
  async hold(): Promise<void> {
    this.#isHeld = true
    const waiters = this.#waiters
    this.#waiters = []
    await this.stop()
    this.#waiters.push(...waiters)
  }

  /** Starts it again. */
  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (this.#health === 'stopped') void this.#start()
  }

  async stop(): Promise<void> {
    this.#generation += 1
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const server = this.#server
    this.#server = undefined
    this.#become('stopped')
    this.#settle((waiter) => waiter.reject(stoppedError()))
    await server?.stop()
  }

  async #start(): Promise<void> {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const mine = this.#generation
    this.#become(this.#ends.length === 0 ? 'starting' : 'restarting')
    const server = await this.#launch(mine)
    if (mine !== this.#generation) return void server?.stop()
    if (!server) return this.#ended('did not start')
    this.#server = server
    this.#url = server.url
    server.onExit((reason) => {
      if (mine === this.#generation && this.#server === server) this.#ended(reason)
    })
    this.#options.onPort(Number(new URL(server.url).port))
    this.#become('running')
    this.#settle((waiter) => waiter.resolve(server.url))
  }

  /** Reuses the port of the last run, so that stored addresses stay valid; if it is taken, any port is used. */
  async #launch(mine: number): Promise<LocalServer | undefined> {
    const known = this.#url === '' ? this.#options.lastPort : Number(new URL(this.#url).port)
    for (const port of known === 0 ? [0] : [known, 0]) {
      if (mine !== this.#generation) return undefined
      try {
        return await this.#options.start(port)
      } catch (error) {
        this.#options.log.warn('start-failed', {
          anyPort: port === 0,
          reason: error instanceof Error ? error.name : 'unknown',
        })
      }
    }
    return undefined
  }

  #ended(reason: string): void {
    const { clock, ids, log } = this.#options
    this.#server = undefined
    const now = clock.monotonic()
    this.#ends = [...this.#ends.filter((at) => now - at < RESTART_SPAN_MS), now]
    log.error('server-ended', { reason, ends: this.#ends.length })
    if (this.#ends.length > MAX_RESTARTS) {
      this.#become('failed')
      return this.#settle((waiter) => waiter.reject(stoppedError()))
    }
    this.#become('restarting')
    this.#stopTimer = clock.after(backoffMs(this.#ends.length - 1, ids.random()), () => void this.#start())
  }

  #become(health: ServerHealth): void {
    if (this.#health === health) return
    this.#health = health
    this.#options.onHealth(health)
  }

  #settle(each: (waiter: Waiter) => void): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) each(waiter)
  }
}

const stoppedError = (): AppError => new AppError('session/local-server-stopped')
