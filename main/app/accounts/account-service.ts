import type { ClientWindow } from '#main/hosts/host.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsChanges, SettingsStore } from '#main/settings/store.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { updateApp } from '#shared/wire/admin.ts'
import { accountKey, placeOf } from './account.ts'
import type { AccountChange, AccountRepository } from './account-repository.ts'
import type { Accounts } from './accounts.ts'
import type { AccountListing } from './account-listing.ts'
import type { AccountActions } from './session-calls.ts'
import type { WindowTable } from '../windows/windows.ts'

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
