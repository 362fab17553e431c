import { join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { personId, plainPersonId } from '#shared/rules/people/people.ts'
import { TOKEN_MISMATCH } from '#main/engine/session/token.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { CallWindow } from '../windows/windows.ts'
import { DEMO_PERSON, DEMO_PLACE, type LocalWorkspace, movedSecret } from '../local-workspace/local-workspace.ts'
import { joinDemo } from '../active-people/demo-life.ts'
import { inUse, workspaceIdIn } from '../local-workspace/moving.ts'
import { createTranslate } from '../texts.ts'
import { accountKey, placeOf } from './account.ts'
import type { AccountChange, AccountRepository } from './account-repository.ts'
import { type Accounts, localRef } from './accounts.ts'
import { type Credential, writeCredential } from './credential.ts'
import { probe, probeSecret, readGuest, readHosted, timeServer } from './hosted.ts'

/** Actions of the calls on accounts and on the windows that show them. */
export type AccountActions = {
  /** Adds an account and shows it in the window. */
  signIn(window: ClientWindow, ref: AccountRef, serverName?: string): Promise<void>
  signOut(ref: AccountRef, wipe: boolean): Promise<void>
  /** Deletes a local workspace with all its accounts. */
  deleteLocal(place: string): Promise<void>
  show(window: ClientWindow, ref: AccountRef): void
  /** Restarts the engine of an account: it reads its credential only once. */
  reopen(ref: AccountRef): Promise<void>
  /** The next new window shows this account. */
  expect(ref: AccountRef): void
  /** Changes the name and the icon of an own workspace for everyone in it. */
  describe(ref: Extract<AccountRef, { kind: 'own' }>, change: Pick<AccountChange, 'name' | 'icon'>): Promise<void>
  /** The repository has changed. */
  changed(): void
}

type SessionCallsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly accounts: Accounts
  readonly repository: AccountRepository
  /** The account a window shows; before it has attached, the one it would show. */
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly accountService: AccountActions
  /** A workspace that had moved is in use here again, and its server runs. */
  readonly cameBack: (place: string) => void
}

/** `session.*` of the contract. */
export function sessionCalls(options: SessionCallsOptions): HandlersOf<'session', CallWindow> {
  return {
    ...localCalls(options),
    ...demoCalls(options),
    ...hostedCalls(options),
    ...repositoryCalls(options),
    ...leavingCalls(options),
  }
}

type Some<Name extends keyof HandlersOf<'session', CallWindow>> = Pick<HandlersOf<'session', CallWindow>, Name>

/** Workspaces on this device. */
function localCalls({
  host,
  store,
  accounts,
  repository,
  refOf,
  accountService,
  cameBack,
}: SessionCallsOptions): Some<
  | 'localPeople'
  | 'systemName'
  | 'createWorkspace'
  | 'leftWorkspaces'
  | 'openLeft'
  | 'deleteLeft'
  | 'addPerson'
  | 'deleteWorkspace'
> {
  const left = () => {
    const taken = new Set(repository.all().map(({ ref }) => (ref.kind === 'own' ? placeOf(ref) : '')))
    return Object.entries(store.profile().workspaces).filter(([place]) => !taken.has(place))
  }
  return {
    async localPeople(_input, { window }) {
      const ref = refOf(window)
      if (ref?.kind === 'hosted') return []
      return accounts.workspace(ref ? placeOf(ref) : DEMO_PLACE).people()
    },
    systemName: () => host.systemName?.() ?? '',
    async createWorkspace({ name, yourName, picture }, { window }) {
      const { workspaces } = store.profile()
      const userId = plainPersonId(yourName)
      const ref = { kind: 'own' as const, userId, name, ...placed(newPlace(host, store, repository)) }
      const workspace = accounts.workspace(placeOf(ref))
      await workspace.addPerson({ id: userId, name: yourName, role: 'admin' })
      await workspace.begin(userId)
      if (picture) await workspace.setPicture(userId, picture)
      store.saveProfile({ workspaces: { ...workspaces, [placeOf(ref)]: { name, userId } } })
      await accountService.signIn(window, ref)
    },
    leftWorkspaces: () =>
      left().map(([place, { name, userId, moved }]) => ({ place, name, userId: asUserId(userId), movedAt: moved })),
    async openLeft({ place }, { window }) {
      const found = left().find(([name]) => name === place)
      if (!found) throw new AppError('session/no-account')
      const [, { name, founded = name, userId, moved }] = found
      if (moved !== undefined) await takeBack(host, store, place)
      await accountService.signIn(window, {
        kind: 'own',
        userId,
        name: founded,
        place: place === 'own' ? undefined : place,
      })
      // Only now the account is there for which the port is opened.
      if (moved !== undefined && accounts.workspace(place).health() === 'running') cameBack(place)
    },
    async deleteLeft({ place }) {
      const [, found] = left().find(([name]) => name === place) ?? []
      if (found?.moved === undefined) throw new AppError('session/no-account')
      await accountService.deleteLocal(place)
    },
    async addPerson({ name }, { window }) {
      const workspace = accounts.workspace(placeOf(localRef(refOf(window))))
      if (workspace.health() !== 'running') throw new AppError('network/offline')
      const id = personId(name, host.ports.ids)
      await workspace.admit({ id, name })
      return { id: asUserId(id), name }
    },
    async deleteWorkspace({ key }) {
      const ref = repository.find(key)?.ref
      if (ref?.kind !== 'own') throw new AppError('session/not-own')
      await accountService.deleteLocal(placeOf(ref))
    },
  }
}

/** What was written on the other device is not here; the user was told. */
async function takeBack(
  host: SessionCallsOptions['host'],
  store: SessionCallsOptions['store'],
  place: string,
): Promise<void> {
  const profile = store.profile()
  const id = await workspaceIdIn(join(host.paths.data, 'workspaces', place))
  if (id !== undefined && (await inUse(host, profile, id))) throw new AppError('workspace-file/exists')
  const { moved: _moved, ...stored } = profile.workspaces[place] ?? { name: '', userId: '' }
  store.saveProfile({ workspaces: { ...profile.workspaces, [place]: stored } })
  await host.secrets.remove(movedSecret(place))
}

function demoCalls({
  host,
  store,
  accounts,
  refOf,
  accountService,
}: SessionCallsOptions): Some<'openDemo' | 'restartDemo' | 'deleteDemo'> {
  const translate = createTranslate(host.paths.resources, () => store.settings())
  async function enterDemo(window: ClientWindow, name: string, picture?: SmallPicture): Promise<void> {
    const { id, draft } = await joinDemo(accounts.workspace(DEMO_PLACE), { name, picture }, host, translate)
    const ref = { kind: 'demo' as const, userId: id }
    await accountService.signIn(window, ref)
    if (draft) await accounts.find(ref)?.engine.handlers.drafts.add(draft, { client: window.id })
  }
  return {
    async openDemo({ userId = DEMO_PERSON, name, picture }, { window }) {
      if (name === undefined) await accountService.signIn(window, { kind: 'demo', userId })
      else await enterDemo(window, name, picture)
    },
    async restartDemo(_input, { window }) {
      const name = await nameIn(accounts.workspace(DEMO_PLACE), demoRef(refOf(window)).userId)
      await accountService.deleteLocal(DEMO_PLACE)
      await enterDemo(window, name)
    },
    async deleteDemo(_input, { window }) {
      demoRef(refOf(window))
      await accountService.deleteLocal(DEMO_PLACE)
    },
  }
}

function demoRef(ref: AccountRef | undefined): Extract<AccountRef, { kind: 'demo' }> {
  if (ref?.kind !== 'demo') throw new AppError('session/not-demo')
  return ref
}

const nameIn = async (workspace: LocalWorkspace, userId: string): Promise<string> =>
  (await workspace.people()).find(({ id }) => id === userId)?.name ?? userId

/** The first one has the plain name, as in profiles from before there could be several. */
export function newPlace({ ports }: Pick<Host, 'ports'>, store: SettingsStore, repository: AccountRepository): string {
  const isFirst = !('own' in store.profile().workspaces) && !repository.all().some(({ ref }) => ref.kind === 'own')
  return isFirst ? 'own' : randomPlace(ports)
}

const placed = (place: string): { readonly place?: string } => (place === 'own' ? {} : { place })

const randomPlace = (ports: Host['ports']): string =>
  `own-${Math.floor(ports.ids.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0')}`

/** Servers elsewhere. */
function hostedCalls({
  host,
  accounts,
  repository,
  refOf,
  accountService,
}: SessionCallsOptions): Some<'connectHosted' | 'timeServer' | 'renew' | 'saveApiSecret'> {
  /** A guest who returns to the same server keeps the same id. */
  async function connectGuest(given: { url: string; apiKey: string }, window: ClientWindow): Promise<void> {
    const made = readGuest(given, host.ports.ids.uuid())
    const known = repository.all().find(({ ref }) => isSame(ref, { ...made, userId: ref.userId }))
    const ref = known?.ref ?? made
    await probe(host, made)
    await accountService.signIn(window, ref)
  }
  return {
    async connectHosted({ url, apiKey, token, tokenUrl, guest }, { window }) {
      if (guest) return connectGuest({ url, apiKey }, window)
      const given = credentialOf(token, tokenUrl)
      const { ref, token: checked } = await readHosted({ url, apiKey, credential: given }, host)
      const serverName = await probe(host, ref, checked)
      const isOpen = accounts.find(ref) !== undefined
      await accounts.saveCredential(ref, writeCredential(given))
      if (isOpen) await accountService.reopen(ref)
      await accountService.signIn(window, ref, serverName)
    },
    timeServer: (given) => timeServer(host, given),
    async renew({ key, token, tokenUrl }) {
      const stored = repository.find(key)
      if (stored?.ref.kind !== 'hosted') throw new AppError('session/no-account')
      const given = credentialOf(token, tokenUrl)
      const { ref, token: checked } = await readHosted({ ...stored.ref, credential: given }, host)
      // Another user's token would show that user's messages here.
      if (accountKey(ref) !== key) throw new AppError('session/token-mismatch', { detail: TOKEN_MISMATCH })
      await probe(host, ref, checked)
      await accounts.saveCredential(ref, writeCredential(given))
      await accountService.reopen(ref)
    },
    async saveApiSecret({ secret }, { window }) {
      const ref = refOf(window)
      if (ref?.kind !== 'hosted') throw new AppError('app/not-hosted')
      if (secret !== undefined) await probeSecret(host, ref, secret)
      await accounts.saveApiSecret(ref, secret)
      await accountService.reopen(ref)
    },
  }
}

const credentialOf = (token: string, tokenUrl: string | undefined): Credential =>
  tokenUrl === undefined ? { kind: 'token', token: token.trim() } : { kind: 'endpoint', url: tokenUrl.trim() }

/** The accounts of the profile, as the rail shows them. */
function repositoryCalls({
  host,
  repository,
  accountService,
}: SessionCallsOptions): Some<'show' | 'openWindow' | 'arrange' | 'change' | 'reconnect' | 'reportActivity'> {
  const known = (key: string): AccountRef => {
    const stored = repository.find(key)
    if (!stored) throw new AppError('session/no-account')
    return stored.ref
  }
  return {
    show: ({ key }, { window }) => accountService.show(window, known(key)),
    async openWindow({ key }) {
      accountService.expect(known(key))
      const url = await host.windows.open({})
      return url === undefined ? {} : { url }
    },
    arrange({ keys }) {
      repository.arrange(keys)
      accountService.changed()
    },
    async change({ key, name, icon, ...change }) {
      const ref = known(key)
      if (ref.kind !== 'own') repository.change(key, { ...change, name, icon })
      else {
        if (name !== undefined || icon !== undefined) await accountService.describe(ref, { name, icon })
        repository.change(key, change)
      }
      accountService.changed()
    },
    reconnect(_input, { account }) {
      account()?.workspace?.retry()
      account()?.engine.reconnectNow()
    },
    reportActivity: (_input, { account }) => account()?.engine.onActivity(),
  }
}

function leavingCalls({
  accounts,
  repository,
  refOf,
  accountService,
}: SessionCallsOptions): Some<'signOut' | 'unsentCount'> {
  /** A window opened "as" someone has no account of its own to sign out of: the profile's is used. */
  const meant = (key: string | undefined, window: ClientWindow): AccountRef | undefined => {
    const ref = key === undefined ? refOf(window) : repository.find(key)?.ref
    return ref && repository.find(accountKey(ref)) ? ref : key === undefined ? repository.shown : undefined
  }
  return {
    async signOut({ wipe, key }, { window }) {
      const ref = meant(key, window)
      if (ref) await accountService.signOut(ref, wipe)
    },
    unsentCount(input, { account }) {
      const key = input?.key
      const one = key === undefined ? account() : accounts.all().find((each) => each.key === key)
      return one?.engine.unsentCount() ?? 0
    },
  }
}
