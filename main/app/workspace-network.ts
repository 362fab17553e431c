import type { HandlersOf } from '#shared/bridge/index.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { type Account, placeOf } from './accounts/account.ts'
import type { AccountRepository } from './accounts/account-repository.ts'
import type { AccountService } from './accounts/account-service.ts'
import type { Accounts } from './accounts/accounts.ts'
import { Following, Announcing } from './accounts/following.ts'
import { Joining } from './accounts/joining.ts'
import { newPlace } from './accounts/session-calls.ts'
import { Discovery } from './local-workspace/discovery.ts'
import { WorkspaceMoving } from './local-workspace/moving.ts'
import { NetworkSharing } from './local-workspace/sharing.ts'
import type { ArrivalsOptions } from './notifications/arrivals.ts'
import { createDeviceDelivery } from './notifications/delivery.ts'
import { JoinAnswers, Knocks } from './notifications/join-answers.ts'
import type { Navigator } from './windows/navigator.ts'
import type { CallWindow, WindowTable } from './windows/windows.ts'

type WorkspaceNetworkOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly accounts: Accounts
  readonly repository: AccountRepository
  /** The account that a window shows. */
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly windows: () => WindowTable
  readonly accountService: () => AccountService
  /** How messages and the like are notified. */
  readonly arrivals: () => ArrivalsOptions
  readonly navigator: () => Navigator
}

export type WorkspaceNetwork = {
  readonly sharing: NetworkSharing
  /** At start: what was under way goes on. */
  start(): void
  /** The areas of the contract that belong to it. */
  calls(): { readonly moving: HandlersOf<'moving', CallWindow>; readonly sharing: HandlersOf<'sharing', CallWindow> }
  /** Someone asks to join a workspace, comes or goes. */
  heard(place: string): void
  /** Called after each commit of an account. */
  look(account: Account): void
  closing(account: Account): void
  /** A window was closed. */
  closed(window: ClientWindow): void
  stop(): void
}

/** What workspaces have to do with other devices: they are shared, they move, and those that were joined are followed. */
export function createWorkspaceNetwork(options: WorkspaceNetworkOptions): WorkspaceNetwork {
  const { host, store, accounts, repository, refOf, windows, accountService, arrivals } = options
  const announcing = new Announcing(host)
  const changed = (): void => windows().notifyAll({ type: 'sharing' })
  const discovery = new Discovery({ host, onFailed: changed })
  const workspace = (place: string) => accounts.workspace(place)
  const sharing = new NetworkSharing({
    host,
    store,
    refOf,
    placeOf,
    workspace,
    nameOf: (ref) => accounts.nameOf(ref) ?? ref.name,
    changed,
    announcing,
    discovery,
  })
  const moving = new WorkspaceMoving({
    host,
    store,
    refOf,
    placeOf,
    newPlace: () => newPlace(host, store, repository),
    workspace,
    listens: (ref) => sharing.listens(ref),
    putAside: (place) => accountService().putAside(place),
    signIn: (window, ref) => accountService().signIn(window, ref),
    changed: () => sharing.start(),
  })
  const following = new Following({
    host,
    isAccepted: (ref) => accounts.isAccepted(ref),
    async moveTo(ref) {
      repository.add(ref)
      windows().readdressed(ref)
      await accountService().reopen(ref)
      accounts
        .find(ref)
        ?.engine.notify({ code: 'join/moved', type: 'local:workspace:moved', severity: 'info', lasting: true })
    },
  })
  const { joining, answers } = createJoining(options, discovery)
  const knocks = new Knocks({
    arrivals,
    accountAt: (place) => accounts.all().find((account) => isOwnerOf(account, place, store)),
    waiting: (place) => sharing.waitingAt(place),
    decide: (place, id, accept) => sharing.decideAt(place, id, accept),
  })
  return {
    sharing,
    start() {
      sharing.start()
      answers.watch()
    },
    heard(place) {
      changed()
      void knocks.look(place)
    },
    calls: () => ({ moving: moving.calls(), sharing: { ...sharing.calls(), ...joining.calls() } }),
    look: (account) => following.look(account),
    closing: (account) => following.closing(account),
    closed: (window) => moving.closed(window),
    stop() {
      moving.stop()
      announcing.stop()
      discovery.stop()
      answers.stop()
    },
  }
}

/** Joining workspaces of others, and hearing their owners' answers. */
function createJoining(options: WorkspaceNetworkOptions, discovery: Discovery) {
  const { host, accounts, repository, windows, accountService, arrivals, navigator } = options
  const joining = new Joining({
    host,
    accounts: () => repository.all().map(({ ref }) => ref),
    discovery,
    isAccepted: (ref) => accounts.isAccepted(ref),
    /** Shows a joined workspace; one that is open already gets its new address. */
    async signIn(window, ref, { credential, name }) {
      if (credential !== undefined) await accounts.saveCredential(ref, credential)
      if (!window) return accountService().add(ref, name)
      const isOpen = accounts.find(ref) !== undefined
      repository.add(ref, name)
      if (isOpen) await accountService().reopen(ref)
      await accountService().signIn(window, ref, name)
    },
    onWaiting: () => answers.watch(),
  })
  const answers = new JoinAnswers({
    arrivals,
    notifyDevice: createDeviceDelivery({
      host,
      follow: (link) => navigator().follow(link),
      push: (effect) => windows().anyWhole?.pipe.effect(effect),
    }),
    check: () => joining.check(),
    accountOf: (ref) => accounts.find(ref),
  })
  return { joining, answers }
}

/** Not a window that was opened as someone else of the workspace. */
function isOwnerOf({ ref }: Account, place: string, store: SettingsStore): boolean {
  if (ref.kind !== 'own' || placeOf(ref) !== place) return false
  return store.profile().accounts.some(({ ref: stored }) => stored.kind === 'own' && stored.userId === ref.userId)
}
