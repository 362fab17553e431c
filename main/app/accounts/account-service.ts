import type { ClientWindow } from '#main/hosts/host.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { AccountRef, Profile, StoredAccount } from '#main/settings/profile.ts'
import type { SettingsChanges, SettingsStore } from '#main/settings/store.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { updateApp } from '#shared/wire/admin.ts'
import { ACCOUNT_HUES, type AccountEntry, type AccountHue, type AccountList } from '#shared/domain/session.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import * as users from '#main/cache/people/users.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import { accountKey, placeOf, type Account, isGuest, sessionOf } from './account.ts'
import type { AccountChange, AccountRepository } from './account-repository.ts'
import type { Accounts } from './accounts.ts'
import type { AccountActions } from './session-calls.ts'
import type { WindowTable, CallWindow } from '../windows/windows.ts'

type OwnRef = Extract<AccountRef, { kind: 'own' }>

type AccountServiceOptions = {
  readonly store: SettingsStore
  readonly repository: AccountRepository
  readonly accounts: Accounts
  readonly listing: AccountListing
  readonly windows: WindowTable
  readonly publish: (settings: Settings) => void
  readonly log: Logger
}

/** Adds and removes accounts: keeps the repository, the open accounts, the windows and the rail in step. */
export class AccountService implements AccountActions {
  readonly #options: AccountServiceOptions
  /** Keys of accounts signed out in this run: a window that is leaving one may still store its place. */
  readonly #removed = new Set<string>()

  constructor(options: AccountServiceOptions) {
    this.#options = options
  }

  /** Adds an account to the profile and shows it in the window that requested it. */
  async signIn(window: ClientWindow, ref: AccountRef, serverName?: string): Promise<void> {
    const { accounts, repository, windows, listing, log } = this.#options
    await accounts.open(ref)
    this.#removed.delete(accountKey(ref))
    repository.add(ref, serverName)
    if (serverName !== undefined) accounts.publishNames()
    this.show(window, ref)
    windows.welcome()
    listing.refresh()
    log.info('signed-in', { kind: ref.kind })
  }

  /** Adds an account that no window asked for. Windows that show another one stay as they are. */
  async add(ref: AccountRef, serverName?: string): Promise<void> {
    const { accounts, repository, windows, listing, log } = this.#options
    await accounts.open(ref)
    this.#removed.delete(accountKey(ref))
    repository.add(ref, serverName)
    accounts.publishNames()
    if (!repository.shown) {
      repository.show(ref)
      windows.showWhereNone(ref)
    }
    listing.refresh()
    log.info('signed-in', { kind: ref.kind })
  }

  show(window: ClientWindow, ref: AccountRef): void {
    this.#options.repository.show(ref)
    this.#options.windows.show(window, ref)
  }

  /** The name and the icon of an own workspace, for everyone in it. */
  async describe(ref: OwnRef, { name, icon }: Pick<AccountChange, 'name' | 'icon'>): Promise<void> {
    const { store, accounts, repository, log } = this.#options
    const { workspaces } = store.profile()
    const place = placeOf(ref)
    const before = workspaces[place] ?? { name: ref.name, userId: ref.userId }
    const next = {
      ...before,
      founded: before.founded ?? ref.name,
      name: name === undefined || name === '' ? before.name : name,
      icon: icon === undefined ? before.icon : (icon ?? undefined),
    }
    store.saveProfile({ workspaces: { ...workspaces, [place]: next } })
    // A name of the user's own for it, from before it could be renamed, would hide this one.
    repository.change(accountKey(ref), { name: '' })
    accounts.publishNames()
    const body = {
      ...(next.name === before.name ? {} : { name: next.name }),
      ...(icon === undefined ? {} : { workspace_icon: icon && { base64: icon.base64, mime_type: icon.mimeType } }),
    }
    if (Object.keys(body).length === 0) return
    try {
      await (await accounts.workspace(place).serverApi()).send(updateApp, { body })
    } catch (error) {
      // Clients elsewhere read it from the server; here it is renamed already.
      log.warn('name-not-sent', { code: error instanceof AppError ? error.code : 'unknown' })
    }
  }

  expect(ref: AccountRef): void {
    this.#options.windows.expect(ref)
  }

  changed(): void {
    this.#options.accounts.publishNames()
    this.#options.listing.refresh()
  }

  reopen(ref: AccountRef): Promise<void> {
    return this.renew(ref, () => Promise.resolve())
  }

  /** Rebuilds the data of an account, or replaces its credential; its windows attach again. */
  async renew(ref: AccountRef, work: () => Promise<void>): Promise<void> {
    const { accounts, windows, listing } = this.#options
    const before = accounts.find(ref)
    try {
      await accounts.renew(ref, work)
    } finally {
      if (before) windows.reopened(before)
      listing.refresh()
    }
  }

  /** Its windows show another account of the profile; after the last one they ask for a sign-in. */
  async signOut(ref: AccountRef, wipe: boolean): Promise<void> {
    const { accounts, repository, windows, listing, log } = this.#options
    await accounts.leaving(ref, wipe)
    if (wipe) windows.effectAll({ type: 'deleted', accounts: [accountKey(ref)] })
    this.#removed.add(accountKey(ref))
    repository.remove(accountKey(ref))
    windows.leave(accountKey(ref))
    await accounts.close(ref)
    await accounts.left(ref)
    listing.refresh()
    this.#forgetPlaces()
    log.info('signed-out', { kind: ref.kind })
  }

  /** Signs everyone of the workspace out, and deletes nothing: it has moved to another device. */
  async putAside(place: string): Promise<void> {
    const { accounts, repository } = this.#options
    const refs = [...accounts.all(), ...repository.all()].map(({ ref }) => ref)
    for (const ref of refs) if (ref.kind === 'own' && placeOf(ref) === place) await this.signOut(ref, false)
  }

  /** Signs out all users of the workspace, including those that windows were opened as. */
  async deleteLocal(place: string): Promise<void> {
    const { store, accounts, repository, windows, listing, log } = this.#options
    const refs = [...accounts.all(), ...repository.all()].map(({ ref }) => ref)
    for (const ref of refs) {
      if (ref.kind === 'hosted' || placeOf(ref) !== place) continue
      this.#removed.add(accountKey(ref))
      repository.remove(accountKey(ref))
      windows.leave(accountKey(ref))
    }
    const { [place]: _removed, ...workspaces } = store.profile().workspaces
    const { [place]: _shared, ...sharing } = store.profile().sharing
    store.saveProfile({ workspaces, sharing })
    windows.effectAll({ type: 'deleted', accounts: await accounts.destroy(place) })
    listing.refresh()
    this.#forgetPlaces()
    log.info('deleted', { place })
  }

  /** Settings changes of a window, without places of accounts that were signed out. */
  withoutRemoved<Changes extends SettingsChanges>(changes: Changes): Changes {
    const { lastChannels, leftPlaces } = changes
    return {
      ...changes,
      ...(lastChannels === undefined ? {} : { lastChannels: this.#ofThoseHere(lastChannels) }),
      ...(leftPlaces === undefined ? {} : { leftPlaces: this.#ofThoseHere(leftPlaces) }),
    }
  }

  #forgetPlaces(): void {
    const { store, publish } = this.#options
    const { lastChannels, leftPlaces } = store.settings()
    publish(store.update(this.withoutRemoved({ lastChannels, leftPlaces })))
  }

  #ofThoseHere = <Value>(byAccount: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(byAccount).filter(([key]) => !this.#removed.has(key)))
}

type AccountListingOptions = {
  readonly clock: Pick<Clock, 'after'>
  readonly repository: AccountRepository
  readonly accounts: Accounts
  /** Own workspaces of the profile. */
  readonly workspaces: () => Profile['workspaces']
  /** Called when the list has changed. */
  readonly onChanged: () => void
}

/**
 * What is unread may be counted so much later than it is shown, in milliseconds: the window draws what arrived first, and
 * many commits in a row are counted once.
 */
const COUNTED_AFTER_MS = 100

/**
 * The accounts of the profile as the rail shows them, each with the counts of its own engine. Only names and counts leave
 * an account this way.
 */
export class AccountListing {
  readonly #options: AccountListingOptions
  /** Keys of accounts with commits that are not counted yet. */
  readonly #changed = new Set<string>()
  #entries: readonly AccountEntry[] = []
  #stop: Stop | undefined

  constructor(options: AccountListingOptions) {
    this.#options = options
  }

  entries(): readonly AccountEntry[] {
    return this.#entries
  }

  /** The repository has changed. */
  refresh(): void {
    this.#replace(this.#options.repository.all().map((stored) => this.#entryOf(stored)))
  }

  /** A commit of this account: its entry follows within {@link COUNTED_AFTER_MS}. */
  committed({ key }: Account): void {
    this.#changed.add(key)
    this.#stop ??= this.#options.clock.after(COUNTED_AFTER_MS, () => {
      this.stop()
      const entries = this.#entries.map((entry) => (this.#changed.has(entry.key) ? this.#again(entry) : entry))
      this.#changed.clear()
      this.#replace(entries)
    })
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  /** Sum over all accounts that are not muted: for the tray icon and the badge. */
  unmutedTotal(): Badge {
    const add = (sum: Badge, { unread, mentions }: Badge): Badge => ({
      unread: sum.unread + unread,
      mentions: sum.mentions + mentions,
    })
    return this.#entries.filter(({ muted }) => !muted).reduce(add, NOTHING)
  }

  /** The number on the system's icon. */
  total({ badge }: Pick<NotificationChoices, 'badge'>): number {
    const { unread, mentions } = this.unmutedTotal()
    return badge === 'off' ? 0 : badge === 'all' ? unread : mentions
  }

  #replace(entries: readonly AccountEntry[]): void {
    if (isSame(entries, this.#entries)) return
    this.#entries = entries
    this.#options.onChanged()
  }

  #again(entry: AccountEntry): AccountEntry {
    const stored = this.#options.repository.find(entry.key)
    return stored ? this.#entryOf(stored) : entry
  }

  #entryOf(stored: StoredAccount): AccountEntry {
    const { ref, name, serverName, icon, serverIcon, muted = false } = stored
    const account = this.#options.accounts.find(ref)
    const { workspace } = sessionOf(ref, account?.baseUrl() ?? '')
    const own = ref.kind === 'own' ? this.#options.workspaces()[placeOf(ref)] : undefined
    const workspaceName = own?.name ?? serverName ?? workspace?.name ?? ''
    const { unread, mentions } = readable(() => account?.engine.badge()) ?? NOTHING
    const key = accountKey(ref)
    return {
      key,
      kind: ref.kind,
      name: name ?? workspaceName,
      workspaceName,
      icon: own?.icon ?? icon ?? serverIcon,
      userId: asUserId(ref.userId),
      userName: readable(() => account && nameOf(account)) ?? ref.userId,
      guest: isGuest(ref) ? (true as const) : undefined,
      hue: stored.hue ?? hueOf(key),
      muted,
      unread,
      mentions,
      ...connectionOf(account),
      link: workspace ? linkWorkspace(workspace) : '',
    }
  }
}

const NOTHING: Badge = { unread: 0, mentions: 0 }

/**
 * A database that cannot be read counts nothing: a damaged account is opened again, and the list is rebuilt after
 * that.
 */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    return undefined
  }
}

const nameOf = ({ engine, ref }: Account): string | undefined =>
  users.byId(engine.stores.cache.reader, asUserId(ref.userId))?.name

function connectionOf(account: Account | undefined): Pick<AccountEntry, 'connection' | 'blocked'> {
  if (!account) return { connection: 'connecting' }
  const { state, offline, blocked } = account.engine.connection()
  if (blocked !== undefined) return { connection: 'sign-in', blocked }
  if (offline) return { connection: 'offline' }
  return { connection: state === 'healthy' ? 'connected' : 'connecting' }
}

/** From the folder's name, which is a hash: neighboring accounts rarely get the same color. */
const hueOf = (key: string): AccountHue =>
  ACCOUNT_HUES[Number.parseInt(key.slice(-2), 16) % ACCOUNT_HUES.length] ?? ACCOUNT_HUES[0]

type Options = {
  readonly accounts: Pick<Accounts, 'all'>
  /** The accounts that a window may know of; none while Parlor is locked. */
  readonly listed: (window: ClientWindow) => AccountList
}

/**
 * `elsewhere.*` of the contract: each question goes to the engine of one account, and its answer to the window alone.
 * Whether the window may have it is checked again when it arrives: meanwhile the account may have been signed out, or
 * Parlor locked.
 */
export function elsewhereCalls({ accounts, listed }: Options): HandlersOf<'elsewhere', CallWindow> {
  function allowed(window: ClientWindow, key: string): Account {
    if (!listed(window).accounts.some((entry) => entry.key === key)) throw new AppError('session/no-account')
    const account = accounts.all().find((one) => one.key === key)
    if (!account) throw new AppError('search/not-open')
    if (account.engine.connection().blocked !== undefined) throw new AppError('session/signed-out')
    return account
  }
  return {
    async messages({ key, ...question }, { window }) {
      const { search } = allowed(window, key).engine.handlers
      const page = await search.messages(question, { client: window.id })
      allowed(window, key)
      return page
    },
    async names({ key, ...question }, { window }) {
      const { search } = allowed(window, key).engine.handlers
      const found = await search.names(question, { client: window.id })
      allowed(window, key)
      return found
    },
  }
}
