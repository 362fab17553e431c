import type { ChangeSet, Effect } from '#shared/domain/changes.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { Pipe } from '#main/bridge/clients.ts'
import { NOT_CONNECTED } from '#main/engine/changes/memory.ts'
import type { Commit } from '#main/engine/context.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Account } from './account.ts'

export type WindowEntry = {
  readonly window: ClientWindow
  readonly pipe: Pipe
  /** The account it shows; absent while nobody is signed in, and before it attached. */
  account: Account | undefined
  /** It shows one thread only: nobody is led elsewhere in it. */
  alone: boolean
}

export type WindowTableOptions = {
  readonly clock: Clock
  readonly settings: () => Settings
  /** Which account a window shows now; `undefined` when nobody is signed in. */
  readonly refFor: (window: ClientWindow) => AccountRef | undefined
  readonly open: (ref: AccountRef) => Promise<Account>
  /** No window shows this account any more. */
  readonly onUnused: (account: Account) => void
}

/** Every window that ever called, the pipe to it, and the account it is bound to. */
export class WindowTable {
  readonly #options: WindowTableOptions
  readonly #entries = new Map<string, WindowEntry>()
  /** What the next window of an account is to do once it shows it. */
  readonly #waiting = new WeakMap<Account, Effect>()
  #standing: Effect | undefined

  constructor(options: WindowTableOptions) {
    this.#options = options
  }

  entry(window: ClientWindow): WindowEntry {
    const known = this.#entries.get(window.id)
    if (known) return known
    const pipe = new Pipe(window, this.#options.clock)
    const entry: WindowEntry = { window, pipe, account: undefined, alone: false }
    this.#entries.set(window.id, entry)
    return entry
  }

  /** The account of a window that has attached. Throws `session/signed-out`. */
  account(window: ClientWindow): Account {
    const account = this.#entries.get(window.id)?.account
    if (!account) throw new AppError('session/signed-out')
    return account
  }

  /** Binds the window to its account and answers the snapshot that pushes count on from. */
  async attach(window: ClientWindow, lastChannel: Cid | undefined, alone = false): Promise<ChangeSet> {
    const entry = this.entry(window)
    entry.alone = alone
    this.#standingAfterAttach(entry)
    const ref = this.#options.refFor(window)
    const account = ref && (await this.#options.open(ref))
    if (entry.account && entry.account !== account) this.#unbind(entry)
    entry.account = account
    if (!account) return entry.pipe.attached(signedOut(this.#options.settings()))
    account.engine.detach(window.id)
    this.#effectAfterAttach(entry, account)
    const first = lastChannel ?? (alone ? undefined : this.#lastShown())
    return entry.pipe.attached(account.engine.attach(window.id, { lastChannel: first }))
  }

  /** No window ever called, or all of them closed. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The window of this account that was opened last; those of one thread do not count. */
  shown(account: Account): ClientWindow | undefined {
    return [...this.#entries.values()].findLast((entry) => entry.account === account && !entry.alone)?.window
  }

  /** To every window of this account; to those of one thread only where there is no other, so that nothing is said twice. */
  effect(account: Account, effect: Effect): void {
    const entries = [...this.#entries.values()].filter((entry) => entry.account === account)
    const whole = entries.filter((entry) => !entry.alone)
    for (const entry of whole.length > 0 ? whole : entries) entry.pipe.effect(effect)
  }

  /** To every window, whatever it shows, and to those that open later. */
  tellAll(effect: Effect): void {
    this.#standing = effect
    for (const { pipe } of this.#entries.values()) pipe.effect(effect)
  }

  /** For the next window that shows this account. */
  effectLater(account: Account, effect: Effect): void {
    this.#waiting.set(account, effect)
  }

  #standingAfterAttach({ pipe }: WindowEntry): void {
    const effect = this.#standing
    if (effect) this.#options.clock.after(0, () => pipe.effect(effect))
  }

  #effectAfterAttach({ pipe, alone }: WindowEntry, account: Account): void {
    const effect = this.#waiting.get(account)
    if (!effect || alone) return
    this.#waiting.delete(account)
    // The page has to hold the picture before it can go somewhere in it.
    this.#options.clock.after(0, () => pipe.effect(effect))
  }

  /** A fresh window knows no channel yet: its first picture is of the one that was shown last. */
  #lastShown(): Cid | undefined {
    const { lastChannel } = this.#options.settings()
    return lastChannel === undefined ? undefined : asCid(lastChannel)
  }

  closed(window: ClientWindow): void {
    const entry = this.#entries.get(window.id)
    if (!entry) return
    this.#entries.delete(window.id)
    entry.pipe.close()
    this.#unbind(entry)
  }

  /** First in the list after a commit: the windows. */
  onCommit(commit: Commit): void {
    for (const [client, changes] of commit.changes) this.#entries.get(client)?.pipe.push(changes)
  }

  /** Windows without an account hear of settings from here; the others from their engine. */
  publishSettings(settings: Settings): void {
    for (const { account, pipe } of this.#entries.values())
      if (!account) pipe.push(changesOf({ settings: { self: settings } }))
  }

  /** Every window whose account is not the right one any more attaches again. */
  rebind(): void {
    for (const entry of this.#entries.values()) {
      entry.account?.engine.detach(entry.window.id)
      entry.account = undefined
      entry.pipe.restart()
    }
  }

  #unbind(entry: WindowEntry): void {
    const { account } = entry
    entry.account = undefined
    if (!account) return
    account.engine.detach(entry.window.id)
    for (const other of this.#entries.values()) if (other.account === account) return
    this.#options.onUnused(account)
  }
}

const changesOf = (put: ChangeSet['put']): ChangeSet => ({ rev: 0, put, del: {}, windows: [], closed: [] })

const signedOut = (settings: Settings): ChangeSet =>
  changesOf({
    session: { self: { state: 'signed-out' } },
    settings: { self: settings },
    connection: { self: NOT_CONNECTED },
  })
