import type { Effect } from '#shared/domain/changes.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { type Account, placeOf } from './accounts/account.ts'
import type { AccountRepository } from './accounts/account-repository.ts'
import type { AccountService } from './accounts/account-service.ts'
import type { Accounts } from './accounts/accounts.ts'
import { Following } from './accounts/following.ts'
import { newPlace } from './accounts/session-calls.ts'
import { Announcing } from './local-workspace/announcing.ts'
import { WorkspaceMoving } from './local-workspace/moving.ts'
import { NetworkSharing } from './local-workspace/sharing.ts'

type WorkspaceNetworkOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly accounts: Accounts
  readonly repository: AccountRepository
  /** The account that a window shows. */
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly notifyAll: (effect: Effect) => void
  readonly accountService: () => AccountService
  /** An account has another address from now on. */
  readonly readdressed: (ref: AccountRef) => void
}

export type WorkspaceNetwork = {
  readonly sharing: NetworkSharing
  readonly moving: WorkspaceMoving
  /** Called after each commit of an account. */
  look(account: Account): void
  closing(account: Account): void
  stop(): void
}

/** What workspaces have to do with other devices: they are shared, they move, and those that were joined are followed. */
export function createWorkspaceNetwork(options: WorkspaceNetworkOptions): WorkspaceNetwork {
  const { host, store, accounts, repository, refOf, notifyAll, accountService, readdressed } = options
  const announcing = new Announcing(host)
  const workspace = (place: string) => accounts.workspace(place)
  const sharing = new NetworkSharing({
    host,
    store,
    refOf,
    placeOf,
    workspace,
    nameOf: (ref) => accounts.nameOf(ref) ?? ref.name,
    changed: () => notifyAll({ type: 'sharing' }),
    announcing,
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
      readdressed(ref)
      await accountService().reopen(ref)
      accounts
        .find(ref)
        ?.engine.notify({ code: 'join/moved', type: 'local:workspace:moved', severity: 'info', lasting: true })
    },
  })
  return {
    sharing,
    moving,
    look: (account) => following.look(account),
    closing: (account) => following.closing(account),
    stop() {
      moving.stop()
      announcing.stop()
    },
  }
}
