import type { AccountEntry, AccountList } from '#shared/domain/session.ts'
import { type ChangeSet, type Effect, type Push, mergeChangeSets } from '#shared/domain/changes.ts'
import type { Lock } from '#shared/domain/desktop/desktop.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { isSamePlace, type WindowPlace } from '#shared/bridge/window-place.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { NOT_CONNECTED } from '#main/engine/changes/memory.ts'
import type { Commit } from '#main/engine/context.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import { type Clock, endOfStep } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { type Account, accountKey } from '../accounts/account.ts'

/** What the page of a window has reported that it shows. */
type Seen = { readonly cid?: Cid; readonly beside?: Cid }

type WindowEntry = {
  readonly window: ClientWindow
  readonly pipe: Pipe
  /** The account it should show: set at its first attach, later by the user. */
  ref: AccountRef | undefined
  /** The account it shows; absent while signed out, and before it has attached. */
  account: Account | undefined
  /** It shows only this channel or thread and navigates nowhere else. Absent in a whole window. */
  own: WindowPlace | undefined
  /** What it shows, as its page last reported. */
  seen: Seen
  /** Effect to run once it shows its account. */
  next: Effect | undefined
  /** It was opened "as" a user, or for a place, of an account that was signed out: it shows no other account. */
  over: boolean
}

type WindowTableOptions = {
  readonly clock: Clock
  /** Absent: windows are never locked. */
  readonly lock?: () => Lock
  readonly settings: () => Settings
  /** Account of a window that was assigned none; `undefined` when signed out. */
  readonly refFor: (window: ClientWindow) => AccountRef | undefined
  /** The accounts of the profile, in the order of the rail. */
  readonly accounts: () => readonly AccountEntry[]
  readonly open: (ref: AccountRef) => Promise<Account>
  /** Resolves when this account is closed, to be reopened. */
  readonly closing: (account: Account) => Promise<void>
  /** No window shows this account anymore. */
  readonly onUnused: (account: Account) => void
  /** The set of open windows, or the accounts they show, have changed. */
  readonly onChanged?: () => void
}

const NEW = { own: undefined, seen: {}, next: undefined, over: false } as const

/** A requested window attaches within this time, or was blocked by a browser. Source: `app.openWindowAs`. */
const EXPECTED_MS = 60_000

/** Every window that has called, its pipe, and the account it is bound to. */
export class WindowTable {
  readonly #options: WindowTableOptions
  readonly #entries = new Map<string, WindowEntry>()
  /** Effects for the next window of an account. */
  readonly #waiting = new WeakMap<Account, Effect>()
  /** The latest effect of each kind that every window has to receive. */
  readonly #lastEffects = new Map<Effect['type'], Effect>()
  #coming: readonly {
    readonly ref: AccountRef
    readonly place: WindowPlace | undefined
    /** Effect to run once it is attached. */
    readonly effect: Effect | undefined
    readonly until: number
  }[] = []

  constructor(options: WindowTableOptions) {
    this.#options = options
  }

  entry(window: ClientWindow): WindowEntry {
    const known = this.#entries.get(window.id)
    if (known) return known
    const pipe = new Pipe(window)
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

  /** Binds the window to its account and returns the snapshot that later pushes build on. */
  async attach(window: ClientWindow, lastChannel: Cid | undefined, own?: WindowPlace): Promise<ChangeSet> {
    const entry = this.entry(window)
    entry.own = own
    this.#lastEffectsAfterAttach(entry)
    if (this.isLocked) return entry.pipe.attached(this.#withLock(locked(this.#options.settings())))
    if (!entry.over && !entry.ref) entry.ref = this.#expected(entry) ?? this.#options.refFor(window)
    const { ref } = entry
    const account = ref && (await this.#options.open(ref))
    // The window was switched or signed out while the account was opened: the request is outdated.
    if (entry.ref !== ref || this.isLocked) return this.attach(window, lastChannel, own)
    if (entry.account && entry.account !== account) this.#unbind(entry)
    entry.account = account
    this.#startEffectAfterAttach(entry)
    if (!account) return entry.pipe.attached(this.#withAccounts(entry, signedOut(this.#options.settings())))
    account.engine.detach(window.id)
    this.#effectAfterAttach(entry, account)
    const first = lastChannel ?? (own ? undefined : this.#lastShown(account))
    this.#options.onChanged?.()
    try {
      return entry.pipe.attached(this.#withAccounts(entry, account.engine.attach(window.id, { lastChannel: first })))
    } catch (error) {
      if (!isDamage(error)) throw error
      // The first read found damage: the account is reopened, and the window shows the result.
      await this.#options.closing(account)
      return this.attach(window, lastChannel, own)
    }
  }

  /** Switches a window to another account: it attaches again. */
  show(window: ClientWindow, ref: AccountRef): void {
    const entry = this.entry(window)
    entry.ref = ref
    entry.over = false
    this.#unbind(entry)
    entry.pipe.restart()
  }

  /** Every window that asks for a sign-in shows this account instead. */
  showWhereNone(ref: AccountRef): void {
    for (const { window, ref: shown, over } of this.#entries.values()) if (!shown && !over) this.show(window, ref)
  }

  /** The next new window (of this place) shows this account; it may take a while until it attaches. */
  expect(ref: AccountRef, place?: WindowPlace, effect?: Effect): void {
    const others = this.#coming.filter((coming) => !isSamePlace(coming.place, place))
    this.#coming = [...others, { ref, place, effect, until: this.#options.clock.monotonic() + EXPECTED_MS }]
  }

  #expected(entry: WindowEntry): AccountRef | undefined {
    const { own } = entry
    const { asUserId } = entry.window
    const coming = this.#coming.find(({ place }) => isSamePlace(place, own))
    if (!coming || coming.until < this.#options.clock.monotonic()) return undefined
    // A window "as" a user must not show another one's account.
    if (asUserId !== undefined && coming.ref.userId !== asUserId) return undefined
    this.#coming = this.#coming.filter((other) => other !== coming)
    entry.next = coming.effect
    return coming.ref
  }

  /** The list of accounts has changed: sent to every window with a rail. */
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

  /** Locks: windows show no account data, and receive none. */
  get isLocked(): boolean {
    return this.#options.lock?.().locked === true
  }

  /**
   * The state of the lock changed. `turned`: every window attaches again, to the locked snapshot or to the full one.
   */
  lockChanged(turned: boolean): void {
    for (const entry of this.#entries.values()) {
      if (turned) this.#forget(entry)
      else entry.pipe.push(this.#withLock(changesOf({})))
    }
  }

  /** The accounts that this window may know of. */
  listed(window: ClientWindow): AccountList {
    return this.#listFor(this.entry(window))
  }

  /** Only whole windows of the profile's own accounts have a rail. */
  #listFor({ window, own, ref }: WindowEntry): AccountList {
    if (window.asUserId !== undefined || own || this.isLocked) return { accounts: [] }
    return { accounts: this.#options.accounts(), shown: ref ? accountKey(ref) : undefined }
  }

  /** Where to show a notice about an account that no window shows: the whole window that was opened last. */
  get anyWhole(): WindowEntry | undefined {
    return [...this.#entries.values()].findLast(({ window, own }) => window.asUserId === undefined && !own)
  }

  /** No window has called, or all of them were closed. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The window of this account that was opened last, without windows of one place. */
  shown(account: Account): ClientWindow | undefined {
    return this.#of(account).findLast(({ own }) => !own)?.window
  }

  /** The window that shows only this place. */
  of(account: Account, place: WindowPlace): ClientWindow | undefined {
    return this.#of(account).findLast(({ own }) => own && isSamePlace(own, place))?.window
  }

  /**
   * The window in which a place should be shown: the one of that thread, else of the channel, else a whole one that already
   * shows it, else the whole one that was opened last.
   */
  showing(account: Account, { cid, parentId }: WindowPlace): ClientWindow | undefined {
    const ofChannel = this.of(account, { cid })
    const inChannel = this.#of(account).findLast(({ own, seen }) => !own && (seen.cid === cid || seen.beside === cid))
    return this.of(account, { cid, parentId }) ?? ofChannel ?? inChannel?.window ?? this.shown(account)
  }

  /** Windows of one place of the profile's accounts, with account and place. */
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
   * Sends to every whole window of this account; to windows of one place only if there is no other, to avoid duplicates.
   * Returns whether there was any.
   */
  effect(account: Account, effect: Effect): boolean {
    const entries = this.#of(account)
    const whole = entries.filter(({ own }) => !own)
    for (const entry of whole.length > 0 ? whole : entries) entry.pipe.effect(effect)
    return entries.length > 0
  }

  /** Sends to every window of any account, including those that open later. */
  notifyAll(effect: Effect): void {
    this.#lastEffects.set(effect.type, effect)
    for (const { pipe } of this.#entries.values()) pipe.effect(effect)
  }

  /** Sends to every window that is open now. */
  effectAll(effect: Effect): void {
    for (const { pipe } of this.#entries.values()) pipe.effect(effect)
  }

  /** Queues an effect for the next window that shows this account. */
  effectLater(account: Account, effect: Effect): void {
    this.#waiting.set(account, effect)
  }

  /** For the start page: of the window that shows it, or of the next one that comes up. */
  effectAtStart(effect: Effect): void {
    const shown = this.anyWhole
    if (shown?.pipe.isAttached === true && !this.isLocked) shown.pipe.effect(effect)
    else this.#atStart = effect
  }
  #atStart: Effect | undefined

  #startEffectAfterAttach({ pipe, own, window }: WindowEntry): void {
    const effect = this.#atStart
    if (effect === undefined || own || window.asUserId !== undefined) return
    this.#atStart = undefined
    this.#options.clock.after(0, () => pipe.effect(effect))
  }

  #lastEffectsAfterAttach({ pipe }: WindowEntry): void {
    for (const effect of this.#lastEffects.values()) this.#options.clock.after(0, () => pipe.effect(effect))
  }

  #effectAfterAttach(entry: WindowEntry, account: Account): void {
    const { pipe, own } = entry
    const waiting = own ? undefined : this.#waiting.get(account)
    if (waiting) this.#waiting.delete(account)
    const effects = [entry.next, waiting].filter((effect) => effect !== undefined)
    entry.next = undefined
    // The page must have applied the snapshot before it can navigate.
    for (const effect of effects) this.#options.clock.after(0, () => pipe.effect(effect))
  }

  /** A new window knows no channel yet: its snapshot includes the one that was shown last. */
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

  /** The first listener after a commit: what else follows from it does not keep the windows waiting. */
  onCommit(commit: Commit): void {
    for (const [client, changes] of commit.changes) {
      const pipe = this.#entries.get(client)?.pipe
      pipe?.push(changes)
      pipe?.flush()
    }
  }

  /** Windows without an account receive settings from here; others from their engine. */
  publishSettings(settings: Settings): void {
    const self = this.isLocked ? lookOf(settings) : settings
    for (const { account, pipe } of this.#entries.values()) if (!account) pipe.push(changesOf({ settings: { self } }))
  }

  /** The account was signed out: its windows show another one, if there is any. */
  leave(key: string): void {
    for (const entry of this.#entries.values()) {
      if (!entry.ref || accountKey(entry.ref) !== key) continue
      entry.ref = undefined
      entry.over = entry.window.asUserId !== undefined || entry.own !== undefined
      this.#forget(entry)
    }
  }

  /** An account has another address from now on. */
  readdressed(ref: AccountRef): void {
    for (const entry of this.#entries.values())
      if (entry.ref && accountKey(entry.ref) === accountKey(ref)) entry.ref = ref
  }

  /** After a sign-in: windows without an account show it. */
  welcome(): void {
    for (const entry of this.#entries.values()) if (!entry.ref) this.#forget(entry)
  }

  /** The account was closed and reopened: its windows attach again. */
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

/** Appearance only, without any user data. */
const locked = (settings: Settings): ChangeSet => signedOut(lookOf(settings))

function lookOf(settings: Settings): Settings {
  const { theme, accent, density, textScale, motion, language, clock, weekStart, noticeSeconds } = settings
  const look = { theme, accent, density, textScale, motion, language, clock, weekStart, noticeSeconds }
  return { ...DEFAULT_SETTINGS, ...look }
}

/** Context of `app.*`, `session.*` and `settings.*` calls: the calling window, and the account that it shows. */
export type CallWindow = { readonly window: ClientWindow; readonly account: () => Account | undefined }

type Sink = { push(message: Push): void }

/**
 * The connection to one window. Each pipe has its own revisions, which increase by one per push, so that a window
 * detects a missing one and attaches again. Changes are pushed at the end of the step in which they come, or as soon as
 * `flush` says that these are all: each push costs the window a rendering. Those of one frame of the screen the window merges itself (docs/adr/0034).
 */
export class Pipe {
  readonly #window: Sink
  #rev = 0
  #attached = false
  #waiting: ChangeSet | undefined

  constructor(window: Sink) {
    this.#window = window
  }

  /** It has a snapshot, and follows the changes to it. */
  get isAttached(): boolean {
    return this.#attached
  }

  /** Stamps a snapshot: pushes continue from it. */
  attached(snapshot: ChangeSet): ChangeSet {
    this.flush()
    this.#attached = true
    return { ...snapshot, rev: this.#rev }
  }

  /** Ignored until the window has attached, because its snapshot will contain the changes. */
  push(changes: ChangeSet): void {
    if (!this.#attached) return
    if (this.#waiting === undefined) endOfStep(() => this.flush())
    this.#waiting = this.#waiting === undefined ? changes : mergeChangeSets(this.#waiting, changes)
  }

  /** Pushes what is waiting now. */
  flush(): void {
    const changes = this.#waiting
    this.#waiting = undefined
    if (changes === undefined) return
    this.#rev += 1
    this.#window.push({ kind: 'changes', changeSet: { ...changes, rev: this.#rev } })
  }

  effect(effect: Effect): void {
    this.flush()
    this.#window.push({ kind: 'effect', effect })
  }

  /** Makes the window attach again, for another account: it detects the skipped revision. */
  restart(): void {
    if (!this.#attached) return
    this.flush()
    this.#attached = false
    this.#rev += 2
    this.#window.push({ kind: 'changes', changeSet: { rev: this.#rev, put: {}, del: {}, windows: [], closed: [] } })
  }

  close(): void {
    this.#waiting = undefined
    this.#attached = false
  }
}
