import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { isReading } from '#shared/rules/channels/capabilities.ts'
import type { Host, ClientWindow } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { placeOf, isGuest } from '../accounts/account.ts'
import type { AccountRepository } from '../accounts/account-repository.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { AccountActions } from '../accounts/session-calls.ts'
import { policyGate } from '../policies/gate.ts'
import type { AppLock } from './app-lock.ts'

type Options = {
  readonly host: Pick<Host, 'paths'>
  readonly lock: AppLock
  readonly repository: AccountRepository
  readonly store: SettingsStore
  readonly accountService: Pick<AccountActions, 'signOut' | 'deleteLocal'>
  /** Windows delete what they stored for these accounts. */
  readonly deleted: (accounts: readonly string[]) => void
  readonly publish: () => void
}

/** `lock.*` of the contract. */
export function lockCalls(options: Options): HandlersOf<'lock', CallWindow> {
  const { lock } = options
  return {
    set: ({ pin, current }) => lock.set(pin, current),
    remove: ({ pin }) => lock.remove(pin),
    now: () => lock.now(),
    unlock: ({ pin }) => lock.unlock(pin),
    forget: () => lock.forget(() => wipeAll(options)),
    touched: () => lock.touched(),
  }
}

/** Settings that contain the user's own texts and names: they are deleted with the accounts. */
const WRITTEN = [
  'snippets',
  'sidebars',
  'savedSearches',
  'lastChannels',
  'leftPlaces',
  'notifications',
  'traceless',
] as const

/** Deletes everything that the PIN protected: for a user who forgot it, and against one who never knew it. */
async function wipeAll({ host, repository, store, accountService, deleted, publish }: Options): Promise<void> {
  const refs = repository.all().map(({ ref }) => ref)
  for (const ref of refs) if (ref.kind === 'hosted') await accountService.signOut(ref, true)
  const local = refs.flatMap((ref) => (ref.kind === 'hosted' ? [] : [placeOf(ref)]))
  const stored = await namesIn(join(host.paths.data, 'workspaces'))
  for (const place of new Set([...local, ...stored])) await accountService.deleteLocal(place)
  // Of users who signed out earlier: their unsent messages were stored for their return.
  const accounts = join(host.paths.data, 'accounts')
  const left = await namesIn(accounts)
  for (const name of left) await rm(join(accounts, name), { recursive: true, force: true })
  deleted(left)
  store.update(Object.fromEntries(WRITTEN.map((name) => [name, DEFAULT_SETTINGS[name]])))
  publish()
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

type GateOptions = {
  readonly policies: Policies
  readonly lock: { check(call: string): void }
  /** The areas that no engine handles. */
  readonly own: ReadonlySet<string>
  /** The account that a window shows. */
  readonly shown: (window: ClientWindow) => AccountRef | undefined
}

/** For the dispatcher: refuses calls that are not allowed, whatever the window offers. Throws the reason. */
export function callGates({
  policies,
  lock,
  own,
  shown,
}: GateOptions): (call: string, input: unknown, window: ClientWindow) => void {
  const policy = policyGate(policies)
  return (call, input, window) => {
    lock.check(call)
    const [area = ''] = call.split('.')
    const ref = own.has(area) ? undefined : shown(window)
    if (ref && isGuest(ref) && !isReading(call)) throw new AppError('session/guest')
    policy(call, input)
  }
}
