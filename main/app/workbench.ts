import { contract } from '#shared/bridge/index.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { type AnyArea, createDispatch } from '#main/bridge/dispatch.ts'
import type { Commit } from '#main/engine/context.ts'
import type { Engine, EngineOptions } from '#main/engine/engine.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { openSettings } from '#main/settings/store.ts'
import { type Account, accountKey } from './account.ts'
import { Accounts } from './accounts.ts'
import { appCalls, settingsCalls } from './app-calls.ts'
import type { CallWindow } from './call-window.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { watchResume } from './lifecycle.ts'
import { DEMO_PERSON } from './local-workspace.ts'
import { createMedia, type Media } from './media.ts'
import { readHosted, sessionCalls } from './session-calls.ts'
import { WindowTable } from './windows.ts'

export type Parts = { readonly openEngine: (options: EngineOptions) => Engine }

/** Who the profile is signed in as at the start, and the token if it was given on the command line. */
type Start = { readonly ref: AccountRef | undefined; readonly token?: string }

/**
 * Puts the parts together on a host. The account of the last run is open when this resolves, from the cache alone: no
 * request is awaited.
 */
export async function openWorkbench(host: Host, options: LaunchOptions, parts: Parts): Promise<Composed> {
  const log = logger('app', host.log)
  const store = openSettings(host.paths.data, host.log)
  const start = startOf(options, store.profile())
  let primary = start.ref
  const media = new WeakMap<Account, Media>()

  const accounts = new Accounts({ host, store, openEngine: parts.openEngine, onOpened })
  const windows = new WindowTable({
    clock: host.ports.clock,
    settings: () => store.settings(),
    refFor,
    open: (ref) => accounts.open(ref),
    onUnused: (account) => {
      if (!isPrimary(account)) void accounts.close(account.ref).catch(report('close-failed'))
    },
  })

  /** After every commit, in this order. */
  const afterCommit: readonly ((commit: Commit, account: Account) => void)[] = [
    (commit) => windows.onCommit(commit),
    (commit, account) => {
      if (isPrimary(account)) host.badge?.set(commit.badge.unread)
    },
  ]

  function onOpened(account: Account): void {
    media.set(account, mediaOf(account, host))
    account.engine.onCommitted((commit) => {
      for (const step of afterCommit) step(commit, account)
    })
  }

  const isPrimary = (account: Account): boolean => primary !== undefined && account.key === accountKey(primary)

  /** A window opened "as" somebody follows the profile's local workspace; every other one follows the profile. */
  function refFor(window: ClientWindow): AccountRef | undefined {
    if (window.asUserId === undefined || !primary) return primary
    return primary.kind === 'hosted' ? undefined : { ...primary, userId: window.asUserId }
  }

  async function switchTo(ref: AccountRef | undefined, token?: string): Promise<void> {
    const before = primary
    if (ref && before && accountKey(ref) === accountKey(before) && token === undefined) return
    primary = undefined
    windows.rebind()
    for (const account of accounts.all()) await accounts.close(account.ref)
    try {
      if (ref) await accounts.open(ref, token)
      primary = ref
      store.saveProfile({ account: ref, signedOut: ref === undefined })
    } finally {
      windows.rebind()
    }
    host.badge?.set(0)
    log.info('account', { kind: ref?.kind ?? 'none' })
  }

  const settingsPublished = (settings: Settings): void => {
    accounts.publishSettings(settings)
    windows.publishSettings(settings)
  }
  const report =
    (event: string) =>
    (error: unknown): void =>
      log.error(event, { error: error instanceof AppError ? error.code : String(error) })

  const own: Readonly<Record<string, AnyArea>> = {
    app: appCalls({ host, windows, primary: () => primary }),
    session: sessionCalls({ host, accounts, primary: () => primary, switchTo }),
    settings: settingsCalls(store, settingsPublished),
  }

  const dispatch = createDispatch<ClientWindow>({
    contract,
    clock: host.ports.clock,
    log: host.log,
    handlersFor(window, area) {
      const handlers = own[area]
      const context: CallWindow = { window, account: () => windows.entry(window).account }
      if (handlers) return { handlers, context }
      const { engine } = windows.account(window)
      return {
        handlers: engine.handlers[area as keyof Engine['handlers']],
        context: { client: window.id },
      }
    },
  })

  host.windows.onCall((window, name, input) => dispatch.call(window, name, input))
  host.windows.onClosed((window) => {
    windows.closed(window)
    dispatch.forget(window.id)
  })
  host.media.serve(async (window, ref, variant) => {
    const { account } = windows.entry(window)
    return account && media.get(account)?.resolve(ref, variant)
  })
  const stopWatching = watchResume(host, () => {
    for (const account of accounts.all()) account.networkChanged('resumed')
  })

  const opened = start.ref ? accounts.open(start.ref, start.token) : Promise.resolve(undefined)
  if (start.ref?.kind === 'demo' && !store.profile().account && options.asUserId === undefined) {
    store.saveProfile({ account: start.ref })
  }
  await opened
  return {
    ready: () => Promise.resolve(),
    async stop() {
      stopWatching()
      await accounts.stop()
    },
  }
}

/** Command line first, then the account of the last run; a fresh profile opens the demo, unless somebody signed out. */
function startOf(options: LaunchOptions, profile: { account?: AccountRef | undefined; signedOut: boolean }): Start {
  if (options.connect) return readHosted(options.connect)
  const { asUserId } = options
  const kept = profile.account
  if (asUserId !== undefined) {
    return { ref: kept?.kind === 'own' ? { ...kept, userId: asUserId } : { kind: 'demo', userId: asUserId } }
  }
  return { ref: kept ?? (profile.signedOut ? undefined : { kind: 'demo', userId: DEMO_PERSON }) }
}

function mediaOf(account: Account, host: Host): Media {
  const { cache, outbox } = account.engine.stores
  return createMedia({
    folder: account.folder,
    cache: cache.reader,
    outbox: outbox.reader,
    api: account.api,
    files: host.ports.files,
    ...(account.workspace ? { localUrl: account.baseUrl } : {}),
    log: logger('media', host.log),
  })
}
