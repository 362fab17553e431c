import { ACCOUNT_HUES, type AccountEntry, type AccountHue, type AccountList } from '#shared/domain/session.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as users from '#main/cache/people/users.ts'
import type { Badge } from '#main/engine/context.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Profile, StoredAccount } from '#main/settings/profile.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import { type Account, accountKey, isGuest, placeOf, sessionOf } from './account.ts'
import type { AccountRepository } from './account-repository.ts'
import type { Accounts } from './accounts.ts'
import type { CallWindow } from '../windows/windows.ts'

type AccountListingOptions = {
  readonly repository: AccountRepository
  readonly accounts: Accounts
  /** Own workspaces of the profile. */
  readonly workspaces: () => Profile['workspaces']
  /** Called when the list has changed. */
  readonly onChanged: () => void
}

/**
 * The accounts of the profile as the rail shows them, each with the counts of its own engine. Only names and counts leave
 * an account this way.
 */
export class AccountListing {
  readonly #options: AccountListingOptions
  #entries: readonly AccountEntry[] = []

  constructor(options: AccountListingOptions) {
    this.#options = options
  }

  entries(): readonly AccountEntry[] {
    return this.#entries
  }

  /** Called after a commit of this account; without one, after a change of the repository. */
  refresh(only?: Account): void {
    const { repository } = this.#options
    const now = only
      ? this.#entries.map((entry) => this.#again(entry, only, repository))
      : repository.all().map((stored) => this.#entryOf(stored))
    if (isSame(now, this.#entries)) return
    this.#entries = now
    this.#options.onChanged()
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

  #again(entry: AccountEntry, { key }: Account, repository: AccountRepository): AccountEntry {
    const stored = entry.key === key ? repository.find(key) : undefined
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
