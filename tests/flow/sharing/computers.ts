import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Announcing } from '#main/app/accounts/following.ts'
import { Discovery } from '#main/app/local-workspace/discovery.ts'
import { createLocalWorkspace, type LocalWorkspace } from '#main/app/local-workspace/local-workspace.ts'
import { finishMoving, WorkspaceMoving } from '#main/app/local-workspace/moving.ts'
import { NetworkSharing } from '#main/app/local-workspace/sharing.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { openSettings, type SettingsStore } from '#main/settings/store.ts'
import type { Push } from '#shared/domain/changes.ts'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import { hostOf } from './devices.ts'

type OwnRef = Extract<AccountRef, { kind: 'own' }>

/** A computer of an owner, with own workspaces that move between computers: real server processes on loopback. */
export type Computer = {
  readonly data: string
  readonly host: Host
  readonly store: SettingsStore
  readonly moving: ReturnType<WorkspaceMoving['calls']>
  readonly sharing: ReturnType<NetworkSharing['calls']>
  readonly network: NetworkSharing
  /** The context of a call of its window. */
  readonly call: { readonly window: ClientWindow; readonly account: () => undefined }
  readonly pushes: Push[]
  /** The account that its window shows. */
  shown(): OwnRef | undefined
  workspace(place?: string): LocalWorkspace
  /** A start after the program was ended, without its servers. */
  startAgain(): Promise<void>
  /** Chooses a file in its window, and sends it in pieces. */
  receive(path: string): Promise<string>
  dispose(): Promise<void>
}

const REF: OwnRef = { kind: 'own', userId: 'ann', name: 'Cairn Maps' }

/** A computer with a workspace of Ann. */
export async function computerOfAnn(address: string): Promise<Computer> {
  const computer = newComputer(address, REF)
  const workspace = computer.workspace()
  await workspace.addPerson({ id: 'ann', name: 'Ann', role: 'admin' })
  await workspace.begin('ann')
  return computer
}

export function newComputer(address: string, first?: OwnRef): Computer {
  const data = mkdtempSync(join(tmpdir(), 'parlor-computer-'))
  const host = hostOf(data, [address], {})
  const store = openSettings(data, () => undefined, confFile)
  const workspaces = new Map<string, LocalWorkspace>()
  const pushes: Push[] = []
  const window = { id: 'window', push: (push: Push) => void pushes.push(push) } as unknown as ClientWindow
  let shown = first
  if (first) {
    store.saveProfile({
      accounts: [{ ref: first }],
      workspaces: { own: { name: first.name, userId: first.userId } },
    })
  }
  const workspace = (place = 'own'): LocalWorkspace => {
    const known = workspaces.get(place)
    if (known) return known
    const made = createLocalWorkspace({
      place,
      host,
      lastPort: 0,
      onPort: () => undefined,
      onHealth: (health) => {
        if (health === 'running') void network.serverRuns(place)
      },
      onSharing: () => undefined,
    })
    workspaces.set(place, made)
    return made
  }
  const announcing = new Announcing(host)
  const placeOf = (ref: OwnRef): string => ref.place ?? 'own'
  const network: NetworkSharing = new NetworkSharing({
    host,
    store,
    refOf: () => shown,
    placeOf,
    workspace,
    nameOf: (ref) => store.profile().workspaces[placeOf(ref)]?.name ?? ref.name,
    changed: () => undefined,
    announcing,
    discovery: new Discovery({ host, onFailed: () => undefined }),
  })
  const moving = new WorkspaceMoving({
    host,
    store,
    refOf: () => shown,
    placeOf,
    newPlace: () => ('own' in store.profile().workspaces ? `own-${workspaces.size}0000000` : 'own'),
    workspace,
    listens: (ref) => network.listens(ref),
    putAside: (place) => {
      const accounts = store.profile().accounts.filter(({ ref }) => ref.kind !== 'own' || placeOf(ref) !== place)
      store.saveProfile({ accounts })
      shown = undefined
      return Promise.resolve()
    },
    async signIn(_window, ref) {
      store.saveProfile({ accounts: [...store.profile().accounts, { ref }] })
      shown = ref
      await workspace(placeOf(ref)).running()
    },
    changed: () => network.start(),
  })
  const calls = moving.calls()
  const call = { window, account: () => undefined }
  return {
    data,
    host,
    store,
    moving: calls,
    sharing: network.calls(),
    network,
    call,
    pushes,
    shown: () => shown,
    workspace,
    async startAgain() {
      for (const each of workspaces.values()) await each.stop()
      workspaces.clear()
      await finishMoving(host, store)
      shown = store
        .profile()
        .accounts.map(({ ref }) => ref)
        .find((ref): ref is OwnRef => ref.kind === 'own')
      network.start()
    },
    async receive(path) {
      const bytes = readFileSync(path)
      let id: string | undefined
      for (let at = 0; at < bytes.length; at += FILE_PIECE_BYTES) {
        const base64 = bytes.subarray(at, at + FILE_PIECE_BYTES).toString('base64')
        ;({ id } = await calls.receive({ id, base64 }, call))
      }
      return id ?? ''
    },
    async dispose() {
      announcing.stop()
      moving.stop()
      for (const each of workspaces.values()) await each.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
