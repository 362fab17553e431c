import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { AnyArea, Dispatch } from '#main/bridge/dispatch.ts'
import type { CallContext, Commit } from '#main/engine/context.ts'
import { createEngine, type Engine, type EngineOptions, type ServerApp } from '#main/engine/engine.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { managedStore } from '#main/settings/policies/policies.ts'
import { openSettings, type SettingsStore } from '#main/settings/store.ts'
import type { Ending } from '#main/desktop/ending.ts'
import type { Account } from './accounts/account.ts'
import { mediaOf, type Media } from './media/media.ts'
import { AccountRepository } from './accounts/account-repository.ts'
import { HistoryImports } from './local-workspace/imports.ts'
import { createWorkspaceNetwork, type WorkspaceNetwork } from './workspace-network.ts'
import { finishMoving } from './local-workspace/moving.ts'
import { Accounts, finishAllLeaving } from './accounts/accounts.ts'
import { DemoLife } from './active-people/demo-life.ts'
import { appCalls, settingsCalls } from './app-calls.ts'
import { type CallWindow, WindowTable } from './windows/windows.ts'
import { type DesktopLink, linkDesktop } from './windows/desktop-link.ts'
import { dataCalls } from './accounts/local-data.ts'
import { Navigator, OwnWindows } from './windows/navigator.ts'
import { AppLock, lockCalls, callGates } from './lock/app-lock.ts'
import { serverIconOf, serverNameOf, startOf, type Start } from './accounts/hosted.ts'
import { AccountService, AccountListing, elsewhereCalls } from './accounts/account-service.ts'
import { useProxy, certificateCalls, Certificates, identityCalls, useIdentity } from './network/network.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { finishDeleting, type LocalWorkspace } from './local-workspace/local-workspace.ts'
import { allowedStart } from './policies/gate.ts'
import { inPlainText, createTranslate, type Translate } from './texts.ts'
import { watchAway, watchNetwork, watchResume, linkEnding } from './lifecycle.ts'
import { Arrivals, type ArrivalsOptions } from './notifications/arrivals.ts'
import { createDelivery, type DeliveryOptions, notificationCalls, choicesWhenLocked } from './notifications/delivery.ts'
import { DigestNotifier } from './notifications/digests.ts'
import { ReminderNotifier } from './notifications/reminders.ts'
import { sessionCalls } from './accounts/session-calls.ts'
import { linkUpdates, type Updating } from './updates/updating.ts'

type OpenEngine = (options: EngineOptions) => Engine

/**
 * Starts Parlor on a host. Called once by an entry, after it has taken the profile lock. The account of the last run is
 * open when this resolves, from the cache alone: no request is awaited.
 *
 * @param dispatch the one that the host hands the requests of its windows to
 * @throws AppError with a plain-text message if the launch options cannot be fulfilled: `session/invalid-url`,
 * `session/token-empty`, `session/token-mismatch`, `store/from-the-future`, `disk/full`
 */
export async function compose(
  host: Host,
  dispatch: Dispatch,
  options: LaunchOptions,
  openEngine: OpenEngine = createEngine,
): Promise<Composed> {
  try {
    const app = await start(host, dispatch, options, openEngine)
    return {
      ready: () => Promise.resolve(),
      startsHidden: () => app.startsHidden(),
      follow: (link) => app.follow(link),
      stop: () => app.stop(),
    }
  } catch (error) {
    throw inPlainText(error, host.paths.resources)
  }
}

async function start(
  host: Host,
  dispatch: Dispatch,
  options: LaunchOptions,
  openEngine: OpenEngine,
): Promise<AppController> {
  const policies = host.info.managed?.values ?? {}
  const store = managedStore(
    openSettings(host.paths.data, host.log, host.openSettingsFile, () => host.ports.clock.now()),
    policies,
  )
  await finishAllLeaving(host, store)
  await finishDeleting(host.paths.data)
  await finishMoving(host, store)
  // The proxy is set before any request, including those for tokens.
  const certificates = new Certificates(host)
  certificates.apply()
  await useIdentity(host, store)
  await useProxy(host, store.settings())
  const first = allowedStart(await startOf(options, store.profile(), host), policies)
  const repository = new AccountRepository(store, first.save ? undefined : first.ref)
  const { clock } = host.ports
  const minutes = (): number => store.settings().lockMinutes
  const lock = await AppLock.open({ secrets: host.secrets, clock, power: host.power, minutes })
  const app = new AppController({ host, dispatch, store, openEngine, repository, certificates, lock })
  await app.open(first)
  await app.startDesktop()
  return app
}

type AppParts = {
  readonly host: Host
  readonly dispatch: Dispatch
  readonly store: SettingsStore
  readonly openEngine: OpenEngine
  readonly repository: AccountRepository
  readonly certificates: Certificates
  readonly lock: AppLock
}

/** Follows the system: waking up, the network and the user's absence. */
function watchSystem(
  host: Host,
  accounts: Accounts,
  windows: WindowTable,
  awayMs: () => number | undefined,
): readonly Stop[] {
  const reconnect = (why: 'resumed' | 'online') => (): void => {
    for (const account of accounts.all()) account.networkChanged(why)
  }
  return [
    watchResume(host, reconnect('resumed')),
    watchNetwork(host, reconnect('online')),
    // Meanwhile messages on screen are not read.
    watchAway(host, (on) => windows.notifyAll({ type: 'away', on })),
    watchAway(
      host,
      (on) => {
        for (const account of accounts.all()) account.engine.setAway(on)
      },
      awayMs,
    ),
  ]
}

/** All accounts of the profile, the windows that show them, and the connections between them. */
class AppController {
  readonly #host: Host
  readonly #store: SettingsStore
  readonly #log: Logger
  readonly #repository: AccountRepository
  readonly #certificates: Certificates
  readonly #lock: AppLock
  readonly #accounts: Accounts
  readonly #network: WorkspaceNetwork
  readonly #demoLife: DemoLife
  readonly #digests: DigestNotifier
  readonly #listing: AccountListing
  readonly #windows: WindowTable
  readonly #media = new WeakMap<Account, Media>()
  readonly #reminderNotifier: ReminderNotifier
  readonly #arrivalsOptions: ArrivalsOptions
  readonly #arrivals: Arrivals
  readonly #stopWatching: readonly Stop[]
  readonly #desktop: DesktopLink
  readonly #navigator: Navigator
  readonly #updating: Updating
  readonly #ending: Ending | undefined
  readonly #ownWindows: OwnWindows
  readonly #accountService: AccountService
  #others: Promise<void> = Promise.resolve()
  #stopped = false
  #badge = 0

  /** Called after every commit of an account, in this order. */
  readonly #afterCommit: readonly ((commit: Commit, account: Account) => void)[] = [
    (commit) => this.#windows.onCommit(commit),
    (_commit, account) => this.#listing.committed(account),
    () => this.#desktop.touched(),
    () => this.#ending?.touched(),
    (_commit, account) => this.#network.look(account),
  ]

  constructor({ host, dispatch, store, openEngine, repository, certificates, lock }: AppParts) {
    this.#host = host
    this.#store = store
    this.#repository = repository
    this.#certificates = certificates
    this.#lock = lock
    this.#log = logger('app', host.log)
    this.#accounts = this.#createAccounts(openEngine)
    this.#network = this.#createNetwork()
    this.#demoLife = new DemoLife({ host, accounts: this.#accounts, settings: () => store.settings() })
    this.#listing = new AccountListing({
      clock: host.ports.clock,
      repository,
      accounts: this.#accounts,
      workspaces: () => store.profile().workspaces,
      onChanged: () => this.#onAccountsChanged(),
    })
    this.#windows = new WindowTable({
      clock: host.ports.clock,
      lock: () => lock.state(),
      settings: () => store.settings(),
      refFor: (window) => this.#refFor(window),
      accounts: () => this.#listing.entries(),
      open: (ref) => this.#accounts.open(ref),
      closing: (account) => this.#accounts.closing(account),
      onUnused: (account) => this.#onUnused(account),
      onChanged: () => this.#ownWindows.changed(),
    })
    this.#ownWindows = new OwnWindows({ host, store, repository, windows: this.#windows })
    this.#accountService = new AccountService({
      store,
      repository,
      accounts: this.#accounts,
      listing: this.#listing,
      windows: this.#windows,
      publish: (settings) => this.#publish(settings),
      log: this.#log,
    })
    const translate = createTranslate(host.paths.resources, () => store.settings())
    host.localize?.(translate)
    host.theme?.set(store.settings().theme)
    this.#navigator = new Navigator({
      host,
      repository,
      accounts: this.#accounts,
      windows: this.#windows,
      entries: () => this.#listing.entries(),
      translate,
    })
    host.notifier?.onForgotten?.((id, reply) => this.#navigator.openForgotten(id, reply))
    this.#arrivalsOptions = this.#createArrivalsOptions(translate)
    this.#reminderNotifier = new ReminderNotifier(this.#arrivalsOptions)
    this.#arrivals = new Arrivals(this.#arrivalsOptions)
    this.#digests = new DigestNotifier(this.#arrivalsOptions)
    this.#desktop = this.#linkDesktop(this.#arrivalsOptions)
    this.#updating = linkUpdates({
      host,
      store,
      translate,
      notifyAll: (effect) => this.#windows.notifyAll(effect),
    })
    this.#ending = linkEnding({
      host,
      translate,
      accounts: () => this.#accounts.all(),
      closing: () => this.#ownWindows.stop(),
      stop: () => this.stop(),
    })
    this.#serve(dispatch)
    lock.listen({
      locking: () => this.#windows.effectAll({ type: 'locking' }),
      changed: (turned) => this.#onLock(turned),
    })
    const watching = watchSystem(host, this.#accounts, this.#windows, () => this.#awayMs())
    const watchAddresses = watchNetwork(host, () => void this.#network.sharing.networkChanged())
    this.#stopWatching = [() => lock.stop(), watchAddresses, ...watching]
  }

  /** After how long without input the viewer is away. */
  #awayMs(): number | undefined {
    const { awayMinutes } = this.#store.settings()
    return awayMinutes === 0 ? undefined : awayMinutes * 60_000
  }

  /** How messages and reminders are notified. */
  #createArrivalsOptions(translate: Translate): ArrivalsOptions {
    const host = this.#host
    const delivery = createDelivery({
      host,
      play: (account, name) => this.#play(account, name),
      show: (account, place) => this.#navigator.showIn(account, place),
      push: (account, effect) => this.#navigator.push(account, effect),
      titled: (account, title) => this.#navigator.titled(account, title),
    })
    const isLocked = (): boolean => this.#lock.locked
    return {
      delivery,
      translate,
      choices: choicesWhenLocked(host.power, () => this.#store.settings().notifications, isLocked),
      clock: host.ports.clock,
      muted: ({ key }) => this.#repository.find(key)?.muted === true,
      isLocked,
      draw: (how) => host.attention?.draw(how),
    }
  }

  #linkDesktop({ translate, choices }: ArrivalsOptions): DesktopLink {
    return linkDesktop({
      host: this.#host,
      store: this.#store,
      translate,
      notifying: choices,
      publish: (settings) => this.#publish(settings),
      accounts: () => this.#accounts.all(),
      entries: () => this.#listing.entries(),
      showAccount: (key) => this.#navigator.showAccount(key),
      badge: () => this.#listing.unmutedTotal(),
      isShown: (account) => this.#windows.shown(account) !== undefined,
      showIn: (account, place) => this.#navigator.showIn(account, place),
      notifySaving: (on) => this.#windows.notifyAll({ type: 'saving', on }),
      isLocked: () => this.#lock.locked,
    })
  }

  /**
   * The account of the last run is opened first, because a window waits for it; the others follow in the background.
   */
  async open({ ref, credential, save }: Start): Promise<void> {
    if (ref && save) this.#tryStore(() => (this.#repository.add(ref), this.#repository.show(ref)))
    if (ref && save && credential !== undefined) await this.#saveCredential(ref, credential)
    if (ref) await this.#accounts.open(ref, credential)
    this.#listing.refresh()
    this.#others = this.#openOthers()
    this.#network.start()
  }

  /** If the key store refuses, Parlor starts anyway: the next start asks for a token again. */
  async #saveCredential(ref: AccountRef, credential: string): Promise<void> {
    try {
      await this.#accounts.saveCredential(ref, credential)
    } catch (error) {
      this.#log.error('credential-not-saved', { error: error instanceof AppError ? error.code : String(error) })
    }
  }

  /** Stores the state of this start; if the disk refuses the write, the start continues. */
  #tryStore(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
      this.#log.warn('not-noted', { code: error.code })
    }
  }

  async #openOthers(): Promise<void> {
    for (const { ref } of this.#repository.all()) {
      if (this.#stopped) return
      try {
        await this.#accounts.open(ref)
      } catch (error) {
        // It is listed in the rail anyway, and shows the reason when it is opened.
        this.#log.error('open-failed', { error: error instanceof AppError ? error.code : String(error) })
      }
    }
  }

  follow(link: DeepLink): void {
    this.#navigator.follow(link)
  }

  startDesktop(): Promise<void> {
    this.#updating.start()
    return this.#desktop.start()
  }

  /** A start by the system shows no window if Parlor can be reached in another way. */
  startsHidden(): boolean {
    return this.#store.settings().desktop.startHidden && this.#desktop.canHide()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#ownWindows.stop()
    this.#network.stop()
    this.#listing.stop()
    for (const stop of this.#stopWatching) stop()
    this.#updating.stop()
    this.#desktop.stop()
    await this.#others
    await this.#accounts.stop()
  }

  /** Plays in a window of the account, else in the last one: a sound reveals nothing. */
  readonly #play: DeliveryOptions['play'] = (account, name) => {
    const window = this.#windows.shown(account) ?? this.#windows.anyWhole?.window
    window?.push({ kind: 'effect', effect: { type: 'sound', name } })
    return window !== undefined
  }

  #serve(dispatch: Dispatch): void {
    const own = this.#ownHandlers()
    dispatch.serve({
      handlersFor: this.#handlersFor(own),
      check: callGates({
        policies: this.#host.info.managed?.values ?? {},
        lock: this.#lock,
        own: new Set(Object.keys(own)),
        shown: (window) => this.#windows.entry(window).account?.ref,
      }),
      closed: (window) => {
        this.#windows.closed(window)
        this.#network.closed(window)
      },
      media: async (window, ref, variant) => {
        const { account } = this.#windows.entry(window)
        // A page may still request pictures while its account is being closed.
        const isOpen = account !== undefined && this.#accounts.find(account.ref) === account
        return isOpen ? this.#media.get(account)?.resolve(ref, variant) : undefined
      },
    })
  }

  /** The areas that are handled here; the engine handles all others. */
  #ownHandlers(): Readonly<Record<string, AnyArea>> {
    const [refOf, network] = [this.#refOf, this.#network]
    const workspace = (place: string): LocalWorkspace => this.#accounts.workspace(place)
    const { translate } = this.#arrivalsOptions
    return {
      lock: lockCalls({
        host: this.#host,
        lock: this.#lock,
        repository: this.#repository,
        deleted: (accounts) => this.#windows.effectAll({ type: 'deleted', accounts }),
        store: this.#store,
        accountService: this.#accountService,
        publish: () => this.#publish(this.#store.settings()),
      }),
      app: appCalls({
        host: this.#host,
        windows: this.#windows,
        refOf,
        lead: (account, place) => this.#navigator.showWhole(account, place),
        onFront: (account, cid) => this.#desktop.writesIn(account, cid),
        onAttached: () => this.#updating.cameUp(),
      }),
      certificates: {
        ...certificateCalls(this.#certificates, () => this.#reconnect()),
        ...identityCalls(this.#host, this.#store, () => this.#reconnect()),
      },
      desktop: this.#desktop.calls,
      elsewhere: elsewhereCalls({ accounts: this.#accounts, listed: (window) => this.#windows.listed(window) }),
      updates: this.#updating.calls,
      data: dataCalls({
        host: this.#host,
        renew: ({ ref }, work) => this.#accountService.renew(ref, work),
        media: (account) => this.#media.get(account),
        translate,
        store: this.#store,
        accounts: () => this.#accounts.all(),
        entries: () => this.#listing.entries(),
        publish: (settings) => this.#publish(settings),
      }),
      imports: new HistoryImports({ host: this.#host, refOf, translate, workspace }).calls(),
      notifications: notificationCalls({ ...this.#arrivalsOptions, arrivals: this.#arrivals }),
      session: sessionCalls({
        host: this.#host,
        store: this.#store,
        accounts: this.#accounts,
        repository: this.#repository,
        refOf,
        accountService: this.#accountService,
        cameBack: (place) => void network.sharing.serverRuns(place),
      }),
      ...network.calls(),
      settings: settingsCalls({
        host: this.#host,
        store: this.#store,
        publish: (settings) => this.#publish(settings),
        allowed: (changes) => this.#accountService.withoutRemoved(changes),
        accept: ({ desktop }) => this.#desktop.accept(desktop),
        reconnect: () => this.#reconnect(),
      }),
    }
  }

  #reconnect(): void {
    for (const account of this.#accounts.all()) account.engine.reconnectNow()
  }

  #handlersFor(own: Readonly<Record<string, AnyArea>>) {
    return (window: ClientWindow, area: string): { handlers: AnyArea; context: CallWindow | CallContext } => {
      const handlers = own[area]
      if (handlers) return { handlers, context: { window, account: () => this.#windows.entry(window).account } }
      const { engine } = this.#windows.account(window)
      return { handlers: engine.handlers[area as keyof Engine['handlers']], context: { client: window.id } }
    }
  }

  #createAccounts(openEngine: OpenEngine): Accounts {
    return new Accounts({
      host: this.#host,
      store: this.#store,
      openEngine,
      onOpened: (one) => this.#onOpened(one),
      onClosing: (one) => {
        this.#demoLife.closing(one)
        this.#digests.closing(one)
        this.#network.closing(one)
      },
      onServer: (place, isRunning) => {
        if (isRunning) void this.#network.sharing.serverRuns(place)
        else this.#network.sharing.serverEnds(place)
      },
      onSharing: (place) => this.#network.heard(place),
      onDue: (ref) => this.#repair(ref),
      onServerApp: (key, app) => this.#tryStore(() => this.#describeServer(key, app)),
    })
  }

  #createNetwork(): WorkspaceNetwork {
    return createWorkspaceNetwork({
      host: this.#host,
      store: this.#store,
      accounts: this.#accounts,
      repository: this.#repository,
      refOf: this.#refOf,
      windows: () => this.#windows,
      accountService: () => this.#accountService,
      arrivals: () => this.#arrivalsOptions,
      navigator: () => this.#navigator,
    })
  }

  #onOpened(account: Account): void {
    this.#media.set(account, mediaOf(account, this.#host))
    account.engine.onCommitted((commit) => {
      for (const step of this.#afterCommit) step(commit, account)
    })
    this.#reminderNotifier.watch(account)
    this.#arrivals.watch(account)
    this.#digests.opened(account)
    this.#demoLife.opened(account)
  }

  /** A server may have been given on the command line, or renamed since the sign-in. */
  #describeServer(key: string, app: ServerApp): void {
    const seen = { serverName: serverNameOf(app.name), serverIcon: serverIconOf(app.workspace_icon) }
    if (this.#repository.describeServer(key, seen)) this.#accountService.changed()
  }

  /**
   * Reopens an account: damaged files are rebuilt or salvaged, a copy is replaced by the account itself, and a notice
   * says so.
   */
  #repair(ref: AccountRef): void {
    this.#accountService.reopen(ref).catch((error: unknown) => {
      this.#log.error('repair-failed', { error: error instanceof AppError ? error.code : String(error) })
    })
  }

  /** The list of accounts has changed: names, counts or members. */
  #onAccountsChanged(): void {
    this.#windows.publishAccounts()
    this.#setBadge()
    this.#desktop.touched()
  }

  /** Anyone who changed them. */
  #publish(settings: Settings): void {
    this.#accounts.publishSettings(settings)
    this.#windows.publishSettings(settings)
    this.#setBadge()
    this.#desktop.changed()
    this.#updating.changed()
    this.#demoLife.changed()
    this.#host.theme?.set(settings.theme)
  }

  /** Tray, menus and notifications show no more than the windows do. */
  #onLock(turned: boolean): void {
    if (turned && this.#lock.locked) {
      this.#arrivals.hide()
      this.#reminderNotifier.hide()
      this.#digests.hide()
    }
    this.#windows.lockChanged(turned)
    this.#desktop.touched()
  }

  #setBadge(): void {
    const count = this.#listing.total(this.#store.settings().notifications)
    if (count === this.#badge) return
    this.#badge = count
    this.#host.badge?.set(
      count,
      count === 0 ? '' : this.#arrivalsOptions.translate('desktop', 'tray.unread', { count }),
    )
  }

  #onUnused(account: Account): void {
    if (this.#repository.find(account.key)) return
    this.#accounts.close(account.ref).catch((error: unknown) => {
      this.#log.error('close-failed', { error: error instanceof AppError ? error.code : String(error) })
    })
  }

  readonly #refOf = (window: ClientWindow): AccountRef | undefined =>
    this.#windows.entry(window).ref ?? this.#refFor(window)

  /** A window opened "as" someone belongs to the local workspace it was opened from; others show the last account. */
  #refFor({ asUserId }: ClientWindow): AccountRef | undefined {
    const { shown } = this.#repository
    if (asUserId === undefined || !shown) return shown
    return shown.kind === 'hosted' ? undefined : { ...shown, userId: asUserId }
  }
}
