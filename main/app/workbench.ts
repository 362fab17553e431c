import { contract } from '#shared/bridge/index.ts'
import type { DeepLink } from '#shared/domain/deep-link.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { Effect } from '#shared/domain/changes.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { type AnyArea, createDispatch } from '#main/bridge/dispatch.ts'
import type { CallContext, Commit } from '#main/engine/context.ts'
import type { Engine, EngineOptions } from '#main/engine/engine.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { AccountRef, Profile } from '#main/settings/profile.ts'
import { managedStore } from '#main/settings/policies/managed-store.ts'
import { openSettings, type SettingsStore } from '#main/settings/store.ts'
import { type Account, accountKey } from './account.ts'
import { Accounts } from './accounts.ts'
import { appCalls, settingsCalls } from './app-calls.ts'
import type { CallWindow } from './call-window.ts'
import { writeCredential } from './credential.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { type DesktopLink, linkDesktop } from './desktop-link.ts'
import { dataCalls } from './local-data.ts'
import { finishAllLeaving } from './leaving.ts'
import { watchResume } from './lifecycle.ts'
import { DEMO_PERSON } from './local-workspace.ts'
import { createMedia, type Media } from './media.ts'
import { useProxy } from './network.ts'
import { Arrivals, type ArrivalsOptions } from './notifications/arrivals.ts'
import { notificationCalls } from './notifications/calls.ts'
import { choicesWhenLocked } from './notifications/choices.ts'
import { placeOfNotification } from './notifications/forgotten.ts'
import { createDelivery, type DeliveryOptions } from './notifications/delivery.ts'
import { Bell } from './notifications/reminders.ts'
import { readHosted, sessionCalls } from './session-calls.ts'
import { wordsFrom } from './texts.ts'
import { policyGate } from './policies/gate.ts'
import { allowedStart } from './policies/start.ts'
import { WindowTable } from './windows.ts'

export type Parts = { readonly openEngine: (options: EngineOptions) => Engine }

/** Who the profile is signed in as at the start, the credential if it came by the command line, and whether to remember. */
type Start = { readonly ref: AccountRef | undefined; readonly credential?: string; readonly keep: boolean }

/**
 * Puts the parts together on a host. The account of the last run is open when this resolves, from the cache alone: no
 * request is awaited.
 */
export async function openWorkbench(host: Host, options: LaunchOptions, parts: Parts): Promise<Composed> {
  const policies = host.info.managed?.values ?? {}
  const store = managedStore(openSettings(host.paths.data, host.log), policies)
  await finishAllLeaving(host, store)
  const workbench = new Workbench(host, store, parts)
  // The way out is set before anything is asked for, a token included.
  await useProxy(host, store.settings())
  await workbench.open(allowedStart(await startOf(options, store.profile(), host), policies))
  await workbench.startDesktop()
  return {
    ready: () => Promise.resolve(),
    startsHidden: () => workbench.startsHidden(),
    follow: (link) => workbench.follow(link),
    stop: () => workbench.stop(),
  }
}

/** Which account the profile shows, the windows that show it, and what happens between them. */
class Workbench {
  readonly #host: Host
  readonly #store: SettingsStore
  readonly #log: Logger
  readonly #accounts: Accounts
  readonly #windows: WindowTable
  readonly #media = new WeakMap<Account, Media>()
  readonly #bell: Bell
  readonly #telling: ArrivalsOptions
  readonly #arrivals: Arrivals
  readonly #stopWatching: Stop
  readonly #desktop: DesktopLink
  #primary: AccountRef | undefined

  /** After every commit of an account, in this order. */
  readonly #afterCommit: readonly ((commit: Commit, account: Account) => void)[] = [
    (commit) => this.#windows.onCommit(commit),
    (commit, account) => this.#desktop.committed(commit, account),
    (commit, account) => {
      if (this.#isPrimary(account)) this.#host.badge?.set(badgeOf(commit, this.#store.settings().notifications))
    },
  ]

  constructor(host: Host, store: SettingsStore, parts: Parts) {
    this.#host = host
    this.#store = store
    this.#log = logger('app', host.log)
    this.#accounts = new Accounts({ host, store, openEngine: parts.openEngine, onOpened: (one) => this.#onOpened(one) })
    this.#windows = new WindowTable({
      clock: host.ports.clock,
      settings: () => store.settings(),
      refFor: (window) => this.#refFor(window),
      open: (ref) => this.#accounts.open(ref),
      onUnused: (account) => this.#onUnused(account),
    })
    const delivery = createDelivery({
      host,
      play: (account, name) => this.#play(account, name),
      show: (account, effect) => this.#showIn(account, effect),
      push: (account, effect) => this.#windows.effect(account, effect),
    })
    const choices = choicesWhenLocked(host.power, () => store.settings().notifications)
    const words = wordsFrom(host.paths.resources, () => store.settings())
    host.speak?.(words)
    host.notifier?.onForgotten?.((id) => this.#openForgotten(id))
    this.#telling = { delivery, words, choices, clock: host.ports.clock }
    this.#bell = new Bell({ delivery, words, sounds: () => choices().sound, sound: () => choices().sounds.reminder })
    this.#arrivals = new Arrivals(this.#telling)
    this.#desktop = linkDesktop({
      host,
      store,
      words,
      notifying: choices,
      publish: (settings) => {
        this.#accounts.publishSettings(settings)
        this.#windows.publishSettings(settings)
        this.#desktop.changed()
      },
      accounts: () => this.#accounts.all(),
      isShown: (account) => this.#windows.shown(account) !== undefined,
      showIn: (account, place) => this.#showIn(account, place),
      tellSaving: (on) => this.#windows.tellAll({ type: 'saving', on }),
    })
    this.#serveWindows()
    this.#stopWatching = watchResume(host, () => {
      for (const account of this.#accounts.all()) account.networkChanged('resumed')
    })
  }

  async open({ ref, credential, keep }: Start): Promise<void> {
    this.#primary = ref
    if (ref && keep) this.#store.saveProfile({ account: ref })
    if (ref) await this.#accounts.open(ref, credential)
  }

  /** Signed out there is nowhere to lead to; a window comes to the front all the same. */
  follow(link: DeepLink): void {
    const account = this.#accounts.all().find((one) => this.#isPrimary(one))
    if (account) this.#showIn(account, { type: 'link', link })
    else if (this.#windows.isEmpty) this.#openWindow({})
    else this.#host.windows.focus()
  }

  startDesktop(): Promise<void> {
    return this.#desktop.start()
  }

  /** A start by the system shows no window, where somebody would find Parlor all the same. */
  startsHidden(): boolean {
    return this.#store.settings().desktop.startHidden && this.#desktop.canHide()
  }

  async stop(): Promise<void> {
    this.#stopWatching()
    this.#desktop.stop()
    await this.#accounts.stop()
  }

  /** Signs the profile in as somebody else, or out. Every window attaches again, whatever came of it. */
  async #switchTo(ref: AccountRef | undefined, credential?: string): Promise<void> {
    const before = this.#primary
    if (ref && before && accountKey(ref) === accountKey(before) && credential === undefined) return
    this.#primary = undefined
    this.#windows.rebind()
    for (const account of this.#accounts.all()) await this.#accounts.close(account.ref)
    try {
      if (ref) await this.#accounts.open(ref, credential)
      this.#primary = ref
      this.#store.saveProfile({ account: ref, signedOut: ref === undefined })
    } finally {
      this.#windows.rebind()
    }
    this.#host.badge?.set(0)
    this.#log.info('account', { kind: ref?.kind ?? 'none' })
  }

  /** What is held of an account is made anew; its windows attach again. */
  async #renew(account: Account, work: () => Promise<void>): Promise<void> {
    try {
      await this.#accounts.renew(account.ref, work)
    } finally {
      this.#windows.rebind()
    }
  }

  readonly #play: DeliveryOptions['play'] = (account, name) => {
    const window = this.#windows.shown(account)
    window?.push({ kind: 'effect', effect: { type: 'sound', name } })
    return window !== undefined
  }

  #serveWindows(): void {
    const host = this.#host
    const dispatch = createDispatch<ClientWindow>({
      contract,
      clock: host.ports.clock,
      log: host.log,
      handlersFor: this.#handlersFor(this.#ownHandlers()),
      check: policyGate(host.info.managed?.values ?? {}),
    })
    host.windows.onCall((window, name, input) => dispatch.call(window, name, input))
    host.windows.onClosed((window) => {
      this.#windows.closed(window)
      dispatch.forget(window.id)
    })
    host.media.serve(async (window, ref, variant) => {
      const { account } = this.#windows.entry(window)
      return account && this.#media.get(account)?.resolve(ref, variant)
    })
  }

  /** The areas that are answered here; all others are the engine's. */
  #ownHandlers(): Readonly<Record<string, AnyArea>> {
    const primary = (): AccountRef | undefined => this.#primary
    const switchTo = (ref: AccountRef | undefined, credential?: string): Promise<void> =>
      this.#switchTo(ref, credential)
    return {
      app: appCalls({ host: this.#host, windows: this.#windows, primary }),
      desktop: this.#desktop.calls,
      data: dataCalls({
        host: this.#host,
        renew: (account, work) => this.#renew(account, work),
        media: (account) => this.#media.get(account),
      }),
      notifications: notificationCalls({ ...this.#telling, arrivals: this.#arrivals }),
      session: sessionCalls({ host: this.#host, accounts: this.#accounts, primary, switchTo }),
      settings: settingsCalls({
        host: this.#host,
        store: this.#store,
        publish: (settings) => {
          this.#accounts.publishSettings(settings)
          this.#windows.publishSettings(settings)
          this.#desktop.changed()
        },
        accept: ({ desktop }) => this.#desktop.accept(desktop),
        reconnect: () => {
          for (const account of this.#accounts.all()) account.engine.reconnectNow()
        },
      }),
    }
  }

  #handlersFor(own: Readonly<Record<string, AnyArea>>) {
    return (window: ClientWindow, area: string): { handlers: AnyArea; context: CallWindow | CallContext } => {
      const handlers = own[area]
      if (handlers) return { handlers, context: { window, account: () => this.#windows.entry(window).account } }
      const { engine } = this.#windows.account(window)
      return { handlers: engine.handlers[area as keyof Engine['handlers']], context: { client: window.id } }
    }
  }

  #onOpened(account: Account): void {
    this.#media.set(account, mediaOf(account, this.#host))
    account.engine.onCommitted((commit) => {
      for (const step of this.#afterCommit) step(commit, account)
    })
    this.#bell.watch(account)
    this.#arrivals.watch(account)
  }

  /** A notification was pressed: in the window of that account, or in a new one. */
  #showIn(account: Account, effect: Effect): void {
    const window = this.#windows.shown(account)
    if (window) {
      window.push({ kind: 'effect', effect })
      this.#host.windows.focus(window.id)
      return
    }
    this.#windows.effectLater(account, effect)
    this.#openWindow(this.#isPrimary(account) ? {} : { asUserId: account.ref.userId })
  }

  /** Of an account that is open, to the place it was about; else only to the front. */
  #openForgotten(id: string): void {
    const about = placeOfNotification(id)
    const account = this.#accounts.all().find(({ key }) => key === about?.account)
    if (!account || !about) return this.#host.windows.focus()
    const { cid, parentId } = about
    this.#showIn(account, { type: 'focus', cid, ...(parentId === undefined ? {} : { parentId }) })
  }

  #openWindow(what: { readonly asUserId?: string }): void {
    this.#host.windows.open(what).catch((error: unknown) => {
      this.#log.error('open-failed', { error: error instanceof AppError ? error.code : String(error) })
    })
  }

  #onUnused(account: Account): void {
    if (this.#isPrimary(account)) return
    this.#accounts.close(account.ref).catch((error: unknown) => {
      this.#log.error('close-failed', { error: error instanceof AppError ? error.code : String(error) })
    })
  }

  #isPrimary(account: Account): boolean {
    return this.#primary !== undefined && account.key === accountKey(this.#primary)
  }

  /** A window opened "as" somebody follows the profile's local workspace; every other one follows the profile. */
  #refFor(window: ClientWindow): AccountRef | undefined {
    const primary = this.#primary
    if (window.asUserId === undefined || !primary) return primary
    return primary.kind === 'hosted' ? undefined : { ...primary, userId: window.asUserId }
  }
}

/** Mentions and direct messages, unless chosen otherwise. Source: product paper 4.3 "Badge sum". */
function badgeOf({ badge }: Commit, { badge: counts }: NotificationChoices): number {
  if (counts === 'off') return 0
  return counts === 'all' ? badge.unread : badge.mentions
}

/** Command line first, then the account of the last run; a fresh profile opens the demo, unless somebody signed out. */
async function startOf(options: LaunchOptions, profile: Profile, host: Host): Promise<Start> {
  if (options.connect) {
    const { ref } = await readHosted(options.connect, host)
    return { ref, credential: writeCredential(options.connect.credential), keep: false }
  }
  const { asUserId } = options
  const kept = profile.account
  if (asUserId !== undefined) {
    const ref = kept?.kind === 'own' ? { ...kept, userId: asUserId } : { kind: 'demo' as const, userId: asUserId }
    return { ref, keep: false }
  }
  const fresh = kept === undefined && !profile.signedOut
  return { ref: fresh ? { kind: 'demo', userId: DEMO_PERSON } : kept, keep: fresh }
}

function mediaOf(account: Account, host: Host): Media {
  const { cache, outbox } = account.engine.stores
  const { workspace } = account
  return createMedia({
    folder: account.folder,
    cache: cache.reader,
    outbox: outbox.reader,
    api: account.api,
    files: host.ports.files,
    clock: host.ports.clock,
    ...(workspace ? { localUrl: () => workspace.running() } : {}),
    log: logger('media', host.log),
  })
}
