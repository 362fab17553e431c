import { readdir, rm, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Engine, EngineOptions, ServerApp } from '#main/engine/engine.ts'
import type { Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { every } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import type { ServerHealth } from '../local-workspace/local-server.ts'
import { checkAccount } from '../policies/gate.ts'
import { createLocalWorkspace, DEMO_PLACE, type LocalWorkspace } from '../local-workspace/local-workspace.ts'
import {
  type Account,
  accountKey,
  type AccountOptions,
  openAccount,
  placeOf,
  sessionOf,
  accountFolder,
  trusting,
} from './account.ts'
import { readCredential } from './credential.ts'
import { accepts } from './hosted.ts'

const REPAIR_PAUSE_MS = 30_000
/** How often a read-only folder is checked again. */
const CHECK_WRITABLE_MS = 2_000

type AccountsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly openEngine: (options: EngineOptions) => Engine
  /** An account was opened: attach its listeners. */
  readonly onOpened: (account: Account) => void
  /** An account is about to be closed. */
  readonly onClosing?: (account: Account) => void
  /** The server of a local workspace runs, again or for the first time, or not anymore. */
  readonly onServer?: (place: string, isRunning: boolean) => void
  /** Someone waits to join a local workspace on the network, comes or goes. */
  readonly onSharing?: (place: string) => void
  /** An open account has to be reopened: one of its files is damaged, or its folder is writable again. */
  readonly onDue: (ref: AccountRef) => void
  /** What the server of a hosted account says of its workspace. */
  readonly onServerApp?: (key: string, app: ServerApp) => void
}

/**
 * The open accounts, each at most once, and their local workspaces. Opening and closing of one account are serialized: two
 * engines never open the same databases.
 */
export class Accounts {
  readonly #options: AccountsOptions
  readonly #open = new Map<string, Account>()
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #workspaces = new Map<string, LocalWorkspace>()
  /** Credentials from the command line: in memory for the life of this process only. */
  readonly #given = new Map<string, string>()
  /** When each account was last reopened because of damage: monotonic time. */
  readonly #repaired = new Map<string, number>()
  /** Callers that wait for an account to be closed. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** After stop no account is opened, including those in progress. */
  #stopped = false

  constructor(options: AccountsOptions) {
    this.#options = options
  }

  /** Open accounts, in the order they were opened. */
  all(): readonly Account[] {
    return [...this.#open.values()]
  }

  find(ref: AccountRef): Account | undefined {
    return this.#open.get(accountKey(ref))
  }

  /** The open account; opens it if necessary. `credential` is for a hosted account that is not stored yet. */
  async open(ref: AccountRef, credential?: string): Promise<Account> {
    checkAccount(ref, this.#options.host.info.managed?.values ?? {})
    const key = accountKey(ref)
    return this.#inTurn(key, async () => this.#open.get(key) ?? (await this.#openNew(ref, key, credential)))
  }

  async close(ref: AccountRef): Promise<void> {
    const key = accountKey(ref)
    await this.#inTurn(key, async () => {
      const account = this.#taken(key)
      await account?.stop()
    })
  }

  /** Resolves when this account is closed: a damaged one is being reopened. */
  closing({ key, engine }: Account): Promise<void> {
    if (this.#open.get(key)?.engine !== engine) return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]))
  }

  #taken(key: string): Account | undefined {
    const account = this.#open.get(key)
    this.#open.delete(key)
    if (account) this.#options.onClosing?.(account)
    for (const goOn of this.#waiting.get(key) ?? []) goOn()
    this.#waiting.delete(key)
    return account
  }

  /** Closes an account, runs `work` on its folder, and opens it again, even if the work failed. */
  async renew(ref: AccountRef, work: () => Promise<void>): Promise<void> {
    const key = accountKey(ref)
    await this.#inTurn(key, async () => {
      const account = this.#taken(key)
      try {
        await account?.stop()
        await work()
      } finally {
        await this.#openNew(ref, key, undefined)
      }
    })
  }

  /** Stores that a user signs out, before anything is deleted: {@link left} completes it, or the next start does. */
  leaving = (ref: AccountRef, wipe: boolean): Promise<void> =>
    noteLeaving(this.#options.host.paths.data, accountKey(ref), wipe)

  /** Deletes the credential of a closed account and, if so stored, all its data including unsent messages. */
  async left(ref: AccountRef): Promise<void> {
    const key = accountKey(ref)
    await this.#inTurn(key, () => finishLeaving(this.#options.host, key))
  }

  /** If a sign-out of this account is incomplete, it is completed before the new credential is stored. */
  async saveCredential(ref: AccountRef, credential: string): Promise<void> {
    await this.left(ref)
    await this.#options.host.secrets.set(credentialName(accountKey(ref)), credential)
  }

  /** Whether a hosted server accepts the stored credential; if it does not answer, nobody knows better. */
  async isAccepted(ref: Extract<AccountRef, { kind: 'hosted' }>): Promise<boolean> {
    const { host } = this.#options
    const stored = await host.secrets.get(credentialName(accountKey(ref)))
    if (stored === undefined) return false
    return accepts(trusting(ref, host), ref, readCredential(stored))
  }

  /** Stores the API secret of a hosted server, or removes it. It applies once the account is opened again. */
  saveApiSecret(ref: AccountRef, secret: string | undefined): Promise<void> {
    const { secrets } = this.#options.host
    const name = apiSecretName(accountKey(ref))
    return secret === undefined ? secrets.remove(name) : secrets.set(name, secret)
  }

  /** The local workspace in a folder; its server is started by the first caller that needs it. */
  workspace(place: string): LocalWorkspace {
    const known = this.#workspaces.get(place)
    if (known) return known
    const { host, store } = this.#options
    const made = createLocalWorkspace({
      place,
      host,
      lastPort: store.profile().ports[place] ?? 0,
      onPort: (port) => store.saveProfile({ ports: { ...store.profile().ports, [place]: port } }),
      onHealth: (health) => this.#onHealth(place, health),
      onSharing: () => this.#options.onSharing?.(place),
    })
    this.#workspaces.set(place, made)
    return made
  }

  /** Deletes a local workspace: its accounts on this device, its server's data, its secrets. */
  async destroy(place: string): Promise<readonly string[]> {
    const mine = this.all().filter(({ ref }) => isIn(ref, place))
    // Users that windows were opened as have folders too, and only the server knows their names.
    const known = await this.workspace(place)
      .people()
      .catch(() => [])
    const keys = known.map(({ id: userId }) => accountKey({ kind: 'own', userId, name: '', place }))
    for (const account of mine) await this.close(account.ref)
    await this.workspace(place).destroy()
    this.#workspaces.delete(place)
    const folder = join(this.#options.host.paths.data, 'accounts')
    const names = await readdir(folder).catch(() => [])
    const deleted = new Set([...keys, ...mine.map(({ key }) => key)])
    for (const name of names) {
      const isDemo = place === DEMO_PLACE && name.startsWith(`${DEMO_PLACE}-`)
      if (!isDemo && !deleted.has(name)) continue
      await rm(join(folder, name), { recursive: true, force: true })
      deleted.add(name)
    }
    return [...deleted]
  }

  /** What the workspace of an account is called: own ones by everyone in them, others by the user or by their server. */
  nameOf(ref: AccountRef): string | undefined {
    const { workspaces, accounts } = this.#options.store.profile()
    if (ref.kind === 'own') return workspaces[placeOf(ref)]?.name
    const stored = accounts.find((each) => accountKey(each.ref) === accountKey(ref))
    return stored?.name ?? stored?.serverName
  }

  /** Names may have changed: every window shows the current ones. */
  publishNames(): void {
    for (const { ref, engine, baseUrl } of this.all()) engine.publish({ session: this.#sessionOf(ref, baseUrl()) })
  }

  #sessionOf(ref: AccountRef, url: string): Session {
    return sessionOf(ref, url, this.nameOf(ref))
  }

  publishSettings(settings: Settings): void {
    for (const account of this.all()) account.engine.publish({ settings })
  }

  /** Engines first, so that their last requests still reach the local servers. */
  async stop(): Promise<void> {
    this.#stopped = true
    // An account that is being reopened is awaited first.
    await Promise.allSettled(this.#turns.values())
    await Promise.all(this.all().map((account) => this.close(account.ref)))
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace.stop()))
  }

  async #openNew(ref: AccountRef, key: string, credential: string | undefined): Promise<Account> {
    const { host, store } = this.#options
    await finishLeaving(host, key)
    const workspace = ref.kind === 'hosted' ? undefined : this.workspace(placeOf(ref))
    if (credential !== undefined) this.#given.set(key, credential)
    const damage = { already: false }
    const options: AccountOptions = {
      ref,
      host,
      openEngine: this.#options.openEngine,
      workspace,
      credential: workspace
        ? ''
        : (credential ?? (await host.secrets.get(credentialName(key))) ?? this.#given.get(key) ?? ''),
      workspaceName: this.nameOf(ref),
      apiKey: ref.kind === 'hosted' ? ref.apiKey : await this.workspace(placeOf(ref)).apiKey(),
      apiSecret: workspace ? undefined : await host.secrets.get(apiSecretName(key)),
      settings: store.settings(),
      installId: store.profile().installIds[key],
      onInstallId: (id) => store.saveProfile({ installIds: { ...store.profile().installIds, [key]: id } }),
      onServerApp: workspace ? undefined : (app) => this.#options.onServerApp?.(key, app),
      onDamage: () => {
        damage.already = true
        if (this.#open.get(key)?.ref === ref) this.#scheduleRepair(ref, key)
      },
    }
    // Opening is asynchronous up to here, so the state may have changed.
    if (this.#stopped) throw new AppError('app/closing')
    const account = this.#openRepaired(options, damage)
    this.#open.set(key, account)
    this.#options.onOpened(account)
    if (damage.already) this.#scheduleRepair(ref, key)
    this.#watchFolder(account)
    return account
  }

  /** Damage found while opening is repaired by a second attempt. */
  #openRepaired(options: AccountOptions, damage: { already: boolean }): Account {
    try {
      return openAccount(options)
    } catch (error) {
      if (!isDamage(error)) throw error
      damage.already = false
      return openAccount(options)
    }
  }

  /** Asynchronous, because the damage was found inside a call; with pauses, in case the disk damages everything. */
  #scheduleRepair(ref: AccountRef, key: string): void {
    const { clock } = this.#options.host.ports
    const now = clock.monotonic()
    const wait = Math.max(0, (this.#repaired.get(key) ?? -Infinity) + REPAIR_PAUSE_MS - now)
    this.#repaired.set(key, now + wait)
    clock.after(wait, () => {
      if (this.#open.get(key)?.ref === ref) this.#options.onDue(ref)
    })
  }

  /** An account opened as a copy moves back as soon as its folder is writable. */
  #watchFolder({ ref, key, engine }: Account): void {
    const { copied } = engine.stores
    if (!copied) return
    const stop = every(this.#options.host.ports.clock, CHECK_WRITABLE_MS, () => {
      const isOpen = this.#open.get(key)?.engine === engine
      if (isOpen && !copied.canMoveBack()) return
      stop()
      if (isOpen) this.#options.onDue(ref)
    })
  }

  #onHealth(place: string, health: ServerHealth): void {
    this.#options.onServer?.(place, health === 'running')
    for (const { ref, engine, baseUrl } of this.all()) {
      if (!isIn(ref, place)) continue
      engine.publish({ serverRestarting: health === 'restarting', session: this.#sessionOf(ref, baseUrl()) })
      if (health === 'running') engine.reconnectNow()
      if (health === 'failed') notifyServerStopped(engine)
    }
  }

  #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#turns.set(key, mine)
    return mine
  }
}

function notifyServerStopped(engine: Engine): void {
  engine.notify({ code: 'session/local-server-stopped', type: 'local:server:stopped', severity: 'error' })
}

const isIn = (ref: AccountRef, place: string): boolean => ref.kind !== 'hosted' && placeOf(ref) === place

/** The account, if it belongs to a local workspace. Throws `app/not-local` for a hosted one. */
export function localRef(ref: AccountRef | undefined): LocalRef {
  if (!ref || ref.kind === 'hosted') throw new AppError('app/not-local')
  return ref
}

type LocalRef = Exclude<AccountRef, { kind: 'hosted' }>

/**
 * Signing out takes several steps on disk. The request is stored first, as `DATA/accounts/<key>.leaving`, and that file is
 * deleted last: if the app is killed in between, the next start completes it, so that no text or token stays on a device
 * that was supposed to delete them.
 */
const ENDING = '.leaving'
const WIPE = 'wipe'
const KEEP = 'keep'

type Place = Pick<Host, 'paths' | 'secrets'>

/** Credentials of hosted servers, by account folder. */
export const credentialName = (key: string): string => `token/${key}`

/** API secrets of hosted servers, by account folder. */
const apiSecretName = (key: string): string => `api-secret/${key}`

const notePath = (dataFolder: string, key: string): string => accountFolder(dataFolder, key) + ENDING

export async function noteLeaving(dataFolder: string, key: string, wipe: boolean): Promise<void> {
  const path = notePath(dataFolder, key)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, wipe ? WIPE : KEEP, { mode: 0o600, flush: true })
}

/** `undefined` if there is none, or one that was truncated: then nothing was started either. */
async function readNote(dataFolder: string, key: string): Promise<string | undefined> {
  const translate = await readFile(notePath(dataFolder, key), 'utf8').catch(() => undefined)
  return translate === WIPE || translate === KEEP ? translate : undefined
}

/** Completes a stored sign-out of this account; does nothing without one. The account is closed. */
async function finishLeaving({ paths, secrets }: Place, key: string): Promise<void> {
  const wanted = await readNote(paths.data, key)
  if (wanted === undefined) return
  if (wanted === WIPE) await rm(accountFolder(paths.data, key), { recursive: true, force: true })
  await secrets.remove(credentialName(key))
  await secrets.remove(apiSecretName(key))
  await rm(notePath(paths.data, key), { force: true })
}

/** At start, before any account is opened. */
export async function finishAllLeaving(host: Place, store: SettingsStore): Promise<void> {
  const names = await readdir(join(host.paths.data, 'accounts')).catch(() => [])
  for (const name of names) {
    if (!name.endsWith(ENDING)) continue
    const key = name.slice(0, -ENDING.length)
    const isMeant = (await readNote(host.paths.data, key)) !== undefined
    if (isMeant) removeFromProfile(store, key)
    await finishLeaving(host, key)
  }
}

/** Removes the account from the profile: the next one is shown at this start, if there is one. */
function removeFromProfile(store: SettingsStore, key: string): void {
  const { account, accounts } = store.profile()
  const others = accounts.filter(({ ref }) => accountKey(ref) !== key)
  const shown = account && accountKey(account) === key ? others[0]?.ref : account
  store.saveProfile({ accounts: others, account: shown })
}
