import type { AccountEntry, AccountList } from '#shared/domain/account-list.ts'
import type { ChangeSet, Effect } from '#shared/domain/changes.ts'
import type { Lock } from '#shared/domain/desktop/lock.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { isSamePlace, type WindowPlace } from '#shared/bridge/window-place.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { Pipe } from '#main/bridge/clients.ts'
import { NOT_CONNECTED } from '#main/engine/changes/memory.ts'
import type { Commit } from '#main/engine/context.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { Clock } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { type Account, accountKey } from '../accounts/account.ts'

/** What the page of a window says that it shows. */
type Seen = { readonly cid?: Cid | undefined; readonly beside?: Cid | undefined }

type WindowEntry = {
  readonly window: ClientWindow
  readonly pipe: Pipe
  /** The account it is to show: chosen at its first attach, and by the person from then on. */
  ref: AccountRef | undefined
  /** The account it shows; absent while no one is signed in, and before it attached. */
  account: Account | undefined
  /** It shows this channel or thread only: no one is led elsewhere in it. Absent in a whole window. */
  own: WindowPlace | undefined
  /** What stands in it, as its page told last. */
  seen: Seen
  /** What it is to do once it shows its account. */
  next: Effect | undefined
  /** It was opened "as" someone, or for a place, of an account that was left: it shows no one else. */
  over: boolean
}

type WindowTableOptions = {
  readonly clock: Clock
  /** Absent: windows are never locked. */
  readonly lock?: () => Lock
  readonly settings: () => Settings
  /** Which account a window shows that was sent to none; `undefined` when no one is signed in. */
  readonly refFor: (window: ClientWindow) => AccountRef | undefined
  /** The accounts of the profile, in the order of the rail. */
  readonly accounts: () => readonly AccountEntry[]
  readonly open: (ref: AccountRef) => Promise<Account>
  /** Resolves when this account closes, to be opened again. */
  readonly closing: (account: Account) => Promise<void>
  /** No window shows this account any more. */
  readonly onUnused: (account: Account) => void
  /** Another set of windows is open, or they show other accounts. */
  readonly onChanged?: () => void
}

const NEW = { own: undefined, seen: {}, next: undefined, over: false } as const

/** A window that was asked for comes within this time, or was held back by a browser. Source: `app.openWindowAs`. */
const EXPECTED_MS = 60_000

/** Every window that ever called, the pipe to it, and the account it is bound to. */
export class WindowTable {
  readonly #options: WindowTableOptions
  readonly #entries = new Map<string, WindowEntry>()
  /** What the next window of an account is to do once it shows it. */
  readonly #waiting = new WeakMap<Account, Effect>()
  /** What every window is to know, by kind: the newest of each. */
  readonly #standing = new Map<Effect['type'], Effect>()
  #coming: readonly {
    readonly ref: AccountRef
    readonly place: WindowPlace | undefined
    /** What it is to do once it is there. */
    readonly effect: Effect | undefined
    readonly until: number
  }[] = []

  constructor(options: WindowTableOptions) {
    this.#options = options
  }

  entry(window: ClientWindow): WindowEntry {
    const known = this.#entries.get(window.id)
    if (known) return known
    const pipe = new Pipe(window, this.#options.clock)
    const entry: WindowEntry = { window, pipe, ref: undefined, account: undefined, ...NEW }
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
  async attach(window: ClientWindow, lastChannel: Cid | undefined, own?: WindowPlace): Promise<ChangeSet> {
    const entry = this.entry(window)
    entry.own = own
    this.#standingAfterAttach(entry)
    if (this.isLocked) return entry.pipe.attached(this.#withLock(locked(this.#options.settings())))
    if (!entry.over && !entry.ref) entry.ref = this.#expected(entry) ?? this.#options.refFor(window)
    const { ref } = entry
    const account = ref && (await this.#options.open(ref))
    // Sent elsewhere, or signed out, while the account was opened: what it was asked for holds no more.
    if (entry.ref !== ref || this.isLocked) return this.attach(window, lastChannel, own)
    if (entry.account && entry.account !== account) this.#unbind(entry)
    entry.account = account
    if (!account) return entry.pipe.attached(this.#withAccounts(entry, signedOut(this.#options.settings())))
    account.engine.detach(window.id)
    this.#effectAfterAttach(entry, account)
    const first = lastChannel ?? (own ? undefined : this.#lastShown(account))
    this.#options.onChanged?.()
    try {
      return entry.pipe.attached(this.#withAccounts(entry, account.engine.attach(window.id, { lastChannel: first })))
    } catch (error) {
      if (!isDamage(error)) throw error
      // Damage that the first look at an account meets: it is opened again, and the window shows what that gives.
      await this.#options.closing(account)
      return this.attach(window, lastChannel, own)
    }
  }

  /** Sends a window to another account: it attaches again. */
  show(window: ClientWindow, ref: AccountRef): void {
    const entry = this.entry(window)
    entry.ref = ref
    entry.over = false
    this.#unbind(entry)
    entry.pipe.restart()
  }

  /** The next new window (of this place) is to show this account: it may take a while until it asks. */
  expect(ref: AccountRef, place?: WindowPlace, effect?: Effect): void {
    const others = this.#coming.filter((coming) => !isSamePlace(coming.place, place))
    this.#coming = [...others, { ref, place, effect, until: this.#options.clock.monotonic() + EXPECTED_MS }]
  }

  #expected(entry: WindowEntry): AccountRef | undefined {
    const { own } = entry
    const { asUserId } = entry.window
    const coming = this.#coming.find(({ place }) => isSamePlace(place, own))
    if (!coming || coming.until < this.#options.clock.monotonic()) return undefined
    // A window "as" someone is no one else's.
    if (asUserId !== undefined && coming.ref.userId !== asUserId) return undefined
    this.#coming = this.#coming.filter((other) => other !== coming)
    entry.next = coming.effect
    return coming.ref
  }

  /** The list is another one: every window that can show it hears of it. */
  publishAccounts(): void {
    for (const entry of this.#entries.values()) {
      if (!entry.own) entry.pipe.push(changesOf({ accounts: { self: this.#listFor(entry) } }))
    }
  }

  #withAccounts(entry: WindowEntry, snapshot: ChangeSet): ChangeSet {
    return this.#withLock({ ...snapshot, put: { ...snapshot.put, accounts: { self: this.#listFor(entry) } } })
  }

  #withLock(snapshot: ChangeSet): ChangeSet {
    return { ...snapshot, put: { ...snapshot.put, lock: { self: this.#options.lock?.() ?? UNLOCKED } } }
  }

  /** Windows show nothing of any account, and hear nothing of one. */
  get isLocked(): boolean {
    return this.#options.lock?.().locked === true
  }

  /** Another state of the lock. `turned`: every window attaches again, to the little that is there, or to all of it. */
  lockChanged(turned: boolean): void {
    for (const entry of this.#entries.values()) {
      if (turned) this.#forget(entry)
      else entry.pipe.push(this.#withLock(changesOf({})))
    }
  }

  /** Only whole windows of the profile's own accounts have a rail. */
  #listFor({ window, own, ref }: WindowEntry): AccountList {
    if (window.asUserId !== undefined || own || this.isLocked) return { accounts: [] }
    return { accounts: this.#options.accounts(), ...(ref ? { shown: accountKey(ref) } : {}) }
  }

  /** Where something about an account that no window shows can be said: the whole window that was opened last. */
  get anyWhole(): WindowEntry | undefined {
    return [...this.#entries.values()].findLast(({ window, own }) => window.asUserId === undefined && !own)
  }

  /** No window ever called, or all of them closed. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The window of this account that was opened last; those of one place do not count. */
  shown(account: Account): ClientWindow | undefined {
    return this.#of(account).findLast(({ own }) => !own)?.window
  }

  /** The window of its own that shows just this. */
  of(account: Account, place: WindowPlace): ClientWindow | undefined {
    return this.#of(account).findLast(({ own }) => own && isSamePlace(own, place))?.window
  }

  /**
   * Where someone is led who wants to see a place: the window of that thread, that of the channel, a whole one where it
   * stands already, else the whole one that was opened last.
   */
  showing(account: Account, { cid, parentId }: WindowPlace): ClientWindow | undefined {
    const ofChannel = this.of(account, { cid })
    const stands = this.#of(account).findLast(({ own, seen }) => !own && (seen.cid === cid || seen.beside === cid))
    return this.of(account, { cid, parentId }) ?? ofChannel ?? stands?.window ?? this.shown(account)
  }

  /** The windows of their own of the profile's accounts: whose, and of what. */
  get places(): readonly { readonly account: string; readonly place: WindowPlace }[] {
    return [...this.#entries.values()].flatMap(({ window, own, ref }) =>
      own && ref && window.asUserId === undefined ? [{ account: accountKey(ref), place: own }] : [],
    )
  }

  reportFocus(window: ClientWindow, seen: Seen): void {
    this.entry(window).seen = seen
  }

  #of(account: Account): readonly WindowEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.account === account)
  }

  /**
   * To every window of this account; to those of one place only where there is no other, so that nothing is said twice.
   * Answers whether there was any.
   */
  effect(account: Account, effect: Effect): boolean {
    const entries = this.#of(account)
    const whole = entries.filter(({ own }) => !own)
    for (const entry of whole.length > 0 ? whole : entries) entry.pipe.effect(effect)
    return entries.length > 0
  }

  /** To every window, whatever it shows, and to those that open later. */
  notifyAll(effect: Effect): void {
    this.#standing.set(effect.type, effect)
    for (const { pipe } of this.#entries.values()) pipe.effect(effect)
  }

  /** To every window that is open now. */
  effectAll(effect: Effect): void {
    for (const { pipe } of this.#entries.values()) pipe.effect(effect)
  }

  /** For the next window that shows this account. */
  effectLater(account: Account, effect: Effect): void {
    this.#waiting.set(account, effect)
  }

  #standingAfterAttach({ pipe }: WindowEntry): void {
    for (const effect of this.#standing.values()) this.#options.clock.after(0, () => pipe.effect(effect))
  }

  #effectAfterAttach(entry: WindowEntry, account: Account): void {
    const { pipe, own } = entry
    const waiting = own ? undefined : this.#waiting.get(account)
    if (waiting) this.#waiting.delete(account)
    const effects = [entry.next, waiting].filter((effect) => effect !== undefined)
    entry.next = undefined
    // The page has to hold the picture before it can go somewhere in it.
    for (const effect of effects) this.#options.clock.after(0, () => pipe.effect(effect))
  }

  /** A fresh window knows no channel yet: its first picture is of the one that was shown last. */
  #lastShown({ key }: Account): Cid | undefined {
    const lastChannel = this.#options.settings().lastChannels[key]
    return lastChannel === undefined ? undefined : asCid(lastChannel)
  }

  closed(window: ClientWindow): void {
    const entry = this.#entries.get(window.id)
    if (!entry) return
    this.#entries.delete(window.id)
    entry.pipe.close()
    this.#unbind(entry)
    this.#options.onChanged?.()
  }

  /** First in the list after a commit: the windows. */
  onCommit(commit: Commit): void {
    for (const [client, changes] of commit.changes) this.#entries.get(client)?.pipe.push(changes)
  }

  /** Windows without an account hear of settings from here; the others from their engine. */
  publishSettings(settings: Settings): void {
    const self = this.isLocked ? lookOf(settings) : settings
    for (const { account, pipe } of this.#entries.values()) if (!account) pipe.push(changesOf({ settings: { self } }))
  }

  /** No one is signed in to this account any more: its windows show another one, if there is any. */
  leave(key: string): void {
    for (const entry of this.#entries.values()) {
      if (!entry.ref || accountKey(entry.ref) !== key) continue
      entry.ref = undefined
      entry.over = entry.window.asUserId !== undefined || entry.own !== undefined
      this.#forget(entry)
    }
  }

  /** Someone signed in: windows that showed no one show them. */
  welcome(): void {
    for (const entry of this.#entries.values()) if (!entry.ref) this.#forget(entry)
  }

  /** The account was closed and is opened again: its windows attach again. */
  reopened(account: Account): void {
    for (const entry of this.#entries.values()) if (entry.account === account) this.#forget(entry)
  }

  #forget(entry: WindowEntry): void {
    entry.account?.engine.detach(entry.window.id)
    entry.account = undefined
    entry.pipe.restart()
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

const UNLOCKED: Lock = { on: false, locked: false }

/** Nothing that anyone wrote: how the page looks, and no more. */
const locked = (settings: Settings): ChangeSet => signedOut(lookOf(settings))

function lookOf(settings: Settings): Settings {
  const { theme, accent, density, textScale, motion, language, clock, weekStart, noticeSeconds } = settings
  const look = { theme, accent, density, textScale, motion, language, clock, weekStart, noticeSeconds }
  return { ...DEFAULT_SETTINGS, ...look }
}
