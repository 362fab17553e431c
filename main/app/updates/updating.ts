import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Effect } from '#shared/domain/changes.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { UpdateMode } from '#shared/domain/desktop/policies.ts'
import { NOTHING_NEWER, type NoUpdates, type UpdateState } from '#shared/domain/desktop/desktop.ts'
import {
  afterDamage,
  afterUpdateEvent,
  atDeclined,
  atInstall,
  atPlaced,
  atStart,
  atUp,
  isDamaged,
  isQuiet,
  isRefused,
  isWanted,
  notSkipping,
  quietFrom,
  skipping,
  versionBefore,
  whyNotInstalled,
  withoutDamage,
  type UpdateEvent,
  type UpdateMemory,
} from '#shared/rules/desktop/updates.ts'
import type { Host, SystemQuestion, UpdateCapability } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { type Clock, every, type Stop } from '#main/lib/clock.ts'
import { type Logger, logger, type LogSink } from '#main/lib/logger.ts'
import type { Translate } from '../texts.ts'
import type { CallWindow } from '../windows/windows.ts'

export type Updating = {
  readonly calls: HandlersOf<'updates', CallWindow>
  start(): void
  /** A window has opened. */
  cameUp(): void
  /** The settings have changed. */
  changed(): void
  stop(): void
}

type Options = {
  readonly host: Pick<Host, 'updates' | 'ending' | 'info' | 'ports' | 'log'>
  readonly store: Pick<SettingsStore, 'settings' | 'profile' | 'saveProfile'>
  readonly translate: Translate
  readonly notifyAll: (effect: Effect) => void
}

/** Connects updates with the settings, the stored state, the windows and the host. */
export function linkUpdates({ host, store, translate, notifyAll }: Options): Updating {
  const offered = host.updates ?? { unable: 'files' as const }
  const updates = new Updates({
    ...('unable' in offered ? { updates: undefined, unable: offered.unable } : { updates: offered, unable: undefined }),
    version: host.info.version,
    clock: host.ports.clock,
    log: host.log,
    mode: () => store.settings().desktop.updates,
    memory: {
      read: () => store.profile().updates,
      write: (memory) => void store.saveProfile({ updates: memory }),
    },
    notify: (state) => notifyAll({ type: 'updates', state }),
    // In a dialog of the system: it is the windows that may not open.
    help: (before) => void host.ending?.ask(wayBack(before)),
    leave: (work) => host.ending?.begin(work) ?? Promise.resolve(false),
  })
  const wayBack = (before: string): SystemQuestion => {
    const command = 'unable' in offered ? undefined : offered.commandBack?.(before)
    const text = (key: string, params: Readonly<Record<string, string>>): string =>
      translate('updates', `help.${key}`, params)
    return {
      message: text('title', { version: host.info.version }),
      detail: command === undefined ? text('remove', { before }) : `${text('install', { before })}\n${command}`,
      buttons: [text('close', {})],
      cancel: 0,
    }
  }
  const here = (): Updates => {
    if (updates.state.unable !== undefined) throw new AppError('update/none')
    return updates
  }
  return {
    calls: {
      check: () => here().check(),
      download: () => here().download(),
      install: () => here().install(),
      later: () => here().later(),
      skip: () => here().skip(),
    },
    start: () => updates.start(),
    cameUp: () => updates.cameUp(),
    changed: () => updates.changed(),
    stop: () => updates.stop(),
  }
}

/** Delayed, so that it does not slow down the start. */
const FIRST_CHECK_MS = 60_000
const CHECK_EVERY_MS = 6 * 60 * 60_000

type UpdatesOptions = {
  /** Absent: see `unable`. */
  readonly updates: UpdateCapability | undefined
  readonly unable: NoUpdates | undefined
  /** Version of the running program. */
  readonly version: string
  readonly clock: Clock
  readonly log: LogSink
  readonly mode: () => UpdateMode
  readonly memory: { read(): UpdateMemory; write(memory: UpdateMemory): void }
  /** For every window, including those opened later. */
  readonly notify: (state: UpdateState) => void
  /** This version never opened a window when it was started before, since it replaced the version `before`. */
  readonly help: (before: string) => void
  /** Quits in order, with `work` as the last step. Resolves with whether it quits. */
  readonly leave: (work: () => void) => Promise<boolean>
}

/** Updates: checked and downloaded in the background, announced at most daily, installed on request. */
export class Updates {
  readonly #options: UpdatesOptions
  readonly #log: Logger
  #state: UpdateState
  /** The checksum of the found version's file. */
  #file = ''
  #busy: Promise<void> = Promise.resolve()
  #stops: Stop[] = []

  constructor(options: UpdatesOptions) {
    this.#options = options
    this.#log = logger('updates', options.log)
    const { unable } = options
    this.#state = unable === undefined ? NOTHING_NEWER : { ...NOTHING_NEWER, unable }
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Once, before the first window. */
  start(): void {
    const { version, memory, clock, help } = this.#options
    this.#remember((known) => atStart(known, version))
    const failure = whyNotInstalled(memory.read(), version)
    if (failure !== undefined) this.#state = { ...this.#state, failure }
    this.#options.notify(this.#state)
    const before = versionBefore(memory.read(), version)
    if (before !== undefined) help(before)
    if (!this.#options.updates) return
    this.#stops = [
      clock.after(FIRST_CHECK_MS, () => this.#checkAutomatically()),
      every(clock, CHECK_EVERY_MS, () => this.#checkAutomatically()),
    ]
  }

  /** A window has opened: this version works, and the file that it was installed from is of no more use. */
  cameUp(): void {
    const isNew = this.#remember((memory) => atUp(memory, this.#options.version))
    if (isNew) this.#options.updates?.tidy().catch(() => this.#log.warn('not-tidied'))
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** A manual check: a skipped version is offered again, a damaged file downloaded again. Rejects with the reason of a failure: `update/…`. */
  async check(): Promise<void> {
    this.#remember((memory) => withoutDamage(notSkipping(memory)))
    await this.#inTurn(() => this.#check())
    await this.#inTurn(() => this.#goOn())
    this.#throwFailure()
  }

  /** Rejects with `update/…`. */
  async download(): Promise<void> {
    await this.#inTurn(() => this.#download())
    this.#throwFailure()
  }

  /** Quits Parlor, installs and starts again. Does nothing if the user, asked about uploads in progress, cancels. */
  async install(): Promise<void> {
    const { version, stage } = this.#state
    const { updates, leave } = this.#options
    if (!updates || version === undefined || stage !== 'ready') throw new AppError('update/not-ready')
    // It may have waited for days, where other programs delete what looks old.
    await this.#inTurn(() => updates.verify())
    this.#throwFailure()
    this.#after({ type: 'install-started' })
    const isQuitting = await leave(() => {
      // Not earlier: a program that did not quit has tried nothing.
      this.#remember((memory) => atInstall(memory, version, this.#options.version))
      this.#log.info('installing', { version })
      updates.install({
        onPlaced: () => void this.#remember(atPlaced),
        onDeclined: () => void this.#remember(atDeclined),
      })
    })
    if (!isQuitting) this.#after({ type: 'downloaded' })
  }

  /** Postpones: announced tomorrow at the earliest. */
  later(): void {
    this.#remember((memory) => quietFrom(memory, this.#options.clock.now()))
    this.#after({ type: 'dismissed' })
  }

  /** Skips this version; the next one is announced. */
  skip(): void {
    const { version, lookedAt } = this.#state
    if (version === undefined) return
    this.#remember((memory) => skipping(memory, version))
    this.#after({ type: 'nothing', at: lookedAt ?? this.#options.clock.now() })
  }

  /** The update mode was changed. */
  changed(): void {
    if (this.#state.stage === 'found') void this.#inTurn(() => this.#goOn())
  }

  #checkAutomatically(): void {
    if (this.#options.mode() === 'off') return
    // A downloaded version waits for the user; checking again would only download it again.
    if (this.#state.stage === 'ready') return this.#announce()
    void this.#inTurn(() => this.#check()).then(() => this.#inTurn(() => this.#goOn()))
  }

  /** Steps run one at a time; a failure is reported in the state. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#busy = this.#busy.then(work).catch((error: unknown) => {
      const code = error instanceof AppError ? error.code : 'update/unreachable'
      this.#log.warn('failed', { code })
      this.#after({ type: 'failed', code })
    })
    return this.#busy
  }

  async #check(): Promise<void> {
    const { updates, clock, memory } = this.#options
    if (!updates) throw new AppError('update/none')
    if (this.#state.stage === 'ready') return
    this.#after({ type: 'check-started' })
    const newest = await updates.check()
    const at = clock.now()
    if (newest === undefined) return this.#after({ type: 'nothing', at })
    const { version, file } = newest
    if (isRefused(memory.read(), version)) return this.#after({ type: 'nothing', at, refused: version })
    if (!isWanted(memory.read(), version)) return this.#after({ type: 'nothing', at })
    this.#file = file
    this.#after({ type: 'found', version, at })
  }

  /** Downloads or announces the found version, depending on the mode. */
  async #goOn(): Promise<void> {
    if (this.#state.stage !== 'found') return
    const { mode, memory } = this.#options
    if (mode() !== 'auto') return this.#announce()
    if (isDamaged(memory.read(), this.#file)) throw new AppError('update/untrusted')
    await this.#download()
  }

  async #download(): Promise<void> {
    const { updates } = this.#options
    if (!updates || this.#state.stage !== 'found') return
    this.#after({ type: 'download-started' })
    try {
      await updates.download((share) => this.#after({ type: 'share', share }))
    } catch (error) {
      if (error instanceof AppError && error.code === 'update/untrusted')
        this.#remember((memory) => afterDamage(memory, this.#file))
      throw error
    }
    this.#remember(withoutDamage)
    this.#after({ type: 'downloaded' })
    this.#announce()
  }

  #announce(): void {
    const { memory, clock } = this.#options
    const now = clock.now()
    if (this.#state.announced || isQuiet(memory.read(), now)) return
    this.#remember((known) => quietFrom(known, now))
    this.#after({ type: 'announced' })
  }

  #throwFailure(): void {
    const { failure } = this.#state
    if (failure !== undefined) throw new AppError(failure)
  }

  /** Returns whether anything has changed. */
  #remember(change: (memory: UpdateMemory) => UpdateMemory): boolean {
    const { memory } = this.#options
    const before = memory.read()
    const next = change(before)
    if (next !== before) memory.write(next)
    return next !== before
  }

  #after(event: UpdateEvent): void {
    const next = afterUpdateEvent(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    this.#options.notify(next)
  }
}
