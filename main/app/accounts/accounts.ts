import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Engine, EngineOptions } from '#main/engine/engine.ts'
import type { Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { every } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import { type Account, accountKey, type AccountOptions, openAccount, placeOf, sessionOf } from './account.ts'
import { credentialName, finishLeaving, noteLeaving } from './leaving.ts'
import type { ServerHealth } from '../local-workspace/local-server.ts'
import { checkAccount } from '../policies/gate.ts'
import { createLocalWorkspace, DEMO_PLACE, type LocalWorkspace } from '../local-workspace/local-workspace.ts'

const REPAIR_PAUSE_MS = 30_000
/** A folder that takes nothing is looked at again this often. */
const WRITABLE_AGAIN_MS = 2_000

type AccountsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly openEngine: (options: EngineOptions) => Engine
  /** An account was opened: connect what listens to it. */
  readonly onOpened: (account: Account) => void
  /** An open account is to be opened again: a file of it is damaged, or its folder can be written again. */
  readonly onDue: (ref: AccountRef) => void
}

/**
 * The accounts that are open, each at most once, and the local workspaces they live in. Opening and closing one account
 * wait for each other: two engines never hold the same databases.
 */
export class Accounts {
  readonly #options: AccountsOptions
  readonly #open = new Map<string, Account>()
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #workspaces = new Map<string, LocalWorkspace>()
  /** Credentials that came with the command line: kept for as long as this process runs, and nowhere else. */
  readonly #given = new Map<string, string>()
  /** When each account was opened again last because of damage: monotonic time. */
  readonly #repaired = new Map<string, number>()
  /** Who waits for an account to be closed. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** From then on none is opened, anyone asks and whatever was under way. */
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

  /** The open account, opening it if need be. `credential` is for a hosted account that has not been kept yet. */
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

  /** Resolves when this account closes: one in which damage was met is being opened again. */
  closing({ key, engine }: Account): Promise<void> {
    if (this.#open.get(key)?.engine !== engine) return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]))
  }

  #taken(key: string): Account | undefined {
    const account = this.#open.get(key)
    this.#open.delete(key)
    for (const goOn of this.#waiting.get(key) ?? []) goOn()
    this.#waiting.delete(key)
    return account
  }

  /** Closes an account, has something done in its folder, and opens it again, whatever came of it. */
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

  /** Writes down that someone leaves, before anything is done about it: {@link left} ends it, or the next start does. */
  leaving = (ref: AccountRef, wipe: boolean): Promise<void> =>
    noteLeaving(this.#options.host.paths.data, accountKey(ref), wipe)

  /** Forgets the credential of a closed account and, as it was noted, all that is kept of it, unsent things too. */
  async left(ref: AccountRef): Promise<void> {
    const key = accountKey(ref)
    await this.#inTurn(key, () => finishLeaving(this.#options.host, key))
  }

  /** Anyone who comes back while something of their leaving is undone has left first. */
  async keepCredential(ref: AccountRef, credential: string): Promise<void> {
    await this.left(ref)
    await this.#options.host.secrets.set(credentialName(accountKey(ref)), credential)
  }

  /** The local workspace in a folder; its server is started by anyone who needs it first. */
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
    })
    this.#workspaces.set(place, made)
    return made
  }

  /** Deletes a local workspace: its people's accounts on this computer, its server's data, its secrets. */
  async destroy(place: string): Promise<void> {
    const mine = this.all().filter(({ ref }) => isIn(ref, place))
    // Anyone who a window was opened as has a folder too, and only the server knows them by name.
    const known = await this.workspace(place)
      .people()
      .catch(() => [])
    const keys = known.map(({ id: userId }) => accountKey({ kind: 'own', userId, name: '', place }))
    for (const account of mine) await this.close(account.ref)
    await this.workspace(place).destroy()
    this.#workspaces.delete(place)
    const folder = join(this.#options.host.paths.data, 'accounts')
    const names = await readdir(folder).catch(() => [])
    const gone = new Set([...keys, ...mine.map(({ key }) => key)])
    for (const name of names) {
      const isDemo = place === DEMO_PLACE && name.startsWith(`${DEMO_PLACE}-`)
      if (isDemo || gone.has(name)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }

  publishSettings(settings: Settings): void {
    for (const account of this.all()) account.engine.publish({ settings })
  }

  /** Engines first, so that their goodbyes still reach the servers. */
  async stop(): Promise<void> {
    this.#stopped = true
    // One that is being opened again just now ends first.
    await Promise.allSettled(this.#turns.values())
    await Promise.all(this.all().map((account) => this.close(account.ref)))
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace.stop()))
  }

  async #openNew(ref: AccountRef, key: string, credential: string | undefined): Promise<Account> {
    const { host, store } = this.#options
    await finishLeaving(host, key)
    const workspace = ref.kind === 'hosted' ? undefined : this.workspace(placeOf(ref))
    if (credential !== undefined) this.#given.set(key, credential)
    const isHurt = { already: false }
    const options: AccountOptions = {
      ref,
      host,
      openEngine: this.#options.openEngine,
      workspace,
      credential: workspace
        ? ''
        : (credential ?? (await host.secrets.get(credentialName(key))) ?? this.#given.get(key) ?? ''),
      apiKey: ref.kind === 'hosted' ? ref.apiKey : await this.workspace(placeOf(ref)).apiKey(),
      settings: store.settings(),
      installId: store.profile().installIds[key],
      onInstallId: (id) => store.saveProfile({ installIds: { ...store.profile().installIds, [key]: id } }),
      onDamage: () => {
        isHurt.already = true
        if (this.#open.get(key)?.ref === ref) this.#repairSoon(ref, key)
      },
    }
    // Everything up to here takes time.
    if (this.#stopped) throw new AppError('app/closing')
    const account = this.#openRepaired(options, isHurt)
    this.#open.set(key, account)
    this.#options.onOpened(account)
    if (isHurt.already) this.#repairSoon(ref, key)
    this.#watchFolder(account)
    return account
  }

  /** Damage that is met on the way is noted where the next attempt finds it. */
  #openRepaired(options: AccountOptions, isHurt: { already: boolean }): Account {
    try {
      return openAccount(options)
    } catch (error) {
      if (!isDamage(error)) throw error
      isHurt.already = false
      return openAccount(options)
    }
  }

  /** Not within what met it; and a disk that damages everything is not rebuilt upon without a pause. */
  #repairSoon(ref: AccountRef, key: string): void {
    const { clock } = this.#options.host.ports
    const now = clock.monotonic()
    const wait = Math.max(0, (this.#repaired.get(key) ?? -Infinity) + REPAIR_PAUSE_MS - now)
    this.#repaired.set(key, now + wait)
    clock.after(wait, () => {
      if (this.#open.get(key)?.ref === ref) this.#options.onDue(ref)
    })
  }

  /** An account of which only copies are open moves back as soon as it can. */
  #watchFolder({ ref, key, engine }: Account): void {
    const { copied } = engine.stores
    if (!copied) return
    const stop = every(this.#options.host.ports.clock, WRITABLE_AGAIN_MS, () => {
      const isOpen = this.#open.get(key)?.engine === engine
      if (isOpen && !copied.canMoveBack()) return
      stop()
      if (isOpen) this.#options.onDue(ref)
    })
  }

  #onHealth(place: string, health: ServerHealth): void {
    for (const { ref, engine, baseUrl } of this.all()) {
      if (!isIn(ref, place)) continue
      engine.publish({ serverRestarting: health === 'restarting', session: sessionOf(ref, baseUrl()) })
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

/** The account, if it lives in a local workspace. Throws `app/not-local` for a hosted one. */
export function localRef(ref: AccountRef | undefined): LocalRef {
  if (!ref || ref.kind === 'hosted') throw new AppError('app/not-local')
  return ref
}

type LocalRef = Exclude<AccountRef, { kind: 'hosted' }>
