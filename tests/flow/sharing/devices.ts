import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trusting } from '#main/app/accounts/account.ts'
import { readCredential } from '#main/app/accounts/credential.ts'
import { accepts } from '#main/app/accounts/hosted.ts'
import { Joining } from '#main/app/accounts/joining.ts'
import { Announcing } from '#main/app/accounts/following.ts'
import { Discovery } from '#main/app/local-workspace/discovery.ts'
import { createLocalWorkspace, type LocalWorkspace } from '#main/app/local-workspace/local-workspace.ts'
import { NetworkSharing } from '#main/app/local-workspace/sharing.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { nodeFolders } from '#main/hosts/node/folders.ts'
import { forkedServer, localServers, type StartServerProcess } from '#main/hosts/node/local-server.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { createProxies, nodeNetwork } from '#main/hosts/node/network.ts'
import { memorySecrets } from '#main/hosts/node/secrets-file.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { openSettings } from '#main/settings/store.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { Air } from './air.ts'

/** Two devices of one network, as two addresses of loopback: a real server process, and real requests to it. */

const SERVER = join(import.meta.dirname, '../../../main/entry/server.ts')
const silent = (): void => undefined
const REF = { kind: 'own' as const, userId: 'ann', name: 'Cairn Maps' }
const WINDOW = { id: 'window', push: silent } as unknown as ClientWindow
/** The context of a call of this window, with no account open. */
export const CALL = { window: WINDOW, account: () => undefined }
/** The same of another window. */
export const OTHER_CALL = { ...CALL, window: { ...WINDOW, id: 'other' } as ClientWindow }

type SignIn = { readonly ref: AccountRef; readonly credential?: string; readonly name?: string }

export type Device = {
  readonly host: Host
  readonly signedIn: SignIn[]
  readonly joining: ReturnType<Joining['calls']>
  /** A start after the program was ended: what was under way is in its secret store. */
  startAgain(): ReturnType<Joining['calls']>
  /** What main asks while no window does. */
  readonly check: Joining['check']
  dispose(): void
}

/** A device without an account. */
export function newcomer(policies: Policies = {}, air = new Air()): Device {
  const data = mkdtempSync(join(tmpdir(), 'parlor-newcomer-'))
  const host = hostOf(data, ['127.0.0.5'], policies, { air })
  const discovery = new Discovery({ host, onFailed: silent })
  const signedIn: SignIn[] = []
  const options: ConstructorParameters<typeof Joining>[0] = {
    host,
    accounts: () => signedIn.map(({ ref }) => ref),
    discovery,
    isAccepted(ref) {
      const credential = signedIn.find((each) => each.ref.userId === ref.userId)?.credential ?? ''
      return accepts(trusting(ref, host), ref, readCredential(credential))
    },
    signIn: (_window, ref, { credential, name }) => Promise.resolve(void signedIn.push({ ref, credential, name })),
  }
  const joining = new Joining(options)
  return {
    host,
    signedIn,
    joining: joining.calls(),
    startAgain: () => new Joining(options).calls(),
    check: () => joining.check(),
    dispose() {
      discovery.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

export type Owner = {
  readonly workspace: LocalWorkspace
  readonly network: NetworkSharing
  readonly calls: ReturnType<NetworkSharing['calls']>
  /** Times at which the windows were told. */
  readonly told: number[]
  /** Ends the server process with SIGKILL. */
  kill(): void
  /** Addresses of the device from now on. */
  move(addresses: readonly string[]): void
  dispose(): Promise<void>
}

/** A device with an own workspace, on these addresses. */
export async function owner(
  addresses: readonly string[] = ['127.0.0.2'],
  policies: Policies = {},
  air = new Air(),
): Promise<Owner> {
  const data = mkdtempSync(join(tmpdir(), 'parlor-owner-'))
  const now = [...addresses]
  let kill: () => void = silent
  const host = hostOf(data, now, policies, { air, onStarted: (end) => (kill = end) })
  const store = openSettings(data, silent, confFile)
  store.saveProfile({ accounts: [{ ref: REF }] })
  const told: number[] = []
  const changed = (): void => void told.push(told.length)
  const discovery = new Discovery({ host, onFailed: changed })
  const workspace: LocalWorkspace = createLocalWorkspace({
    place: 'own',
    host,
    lastPort: 0,
    onPort: silent,
    onHealth: (health) => {
      if (health === 'running') void network.serverRuns('own')
      else network.serverEnds('own')
    },
    onSharing: changed,
  })
  const network: NetworkSharing = new NetworkSharing({
    host,
    store,
    refOf: () => REF,
    placeOf: () => 'own',
    workspace: () => workspace,
    nameOf: () => REF.name,
    changed,
    announcing: new Announcing(host),
    discovery,
  })
  await workspace.addPerson({ id: 'ann', name: 'Ann', role: 'admin' })
  await workspace.begin('ann')
  return {
    workspace,
    network,
    calls: network.calls(),
    told,
    kill: () => kill(),
    move: (next) => void now.splice(0, now.length, ...next),
    async dispose() {
      discovery.stop()
      await workspace.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

type HostParts = { readonly air?: Air; readonly onStarted?: (kill: () => void) => void }

/** A device whose downloads are in its data folder. */
export function hostOf(
  data: string,
  addresses: readonly string[],
  policies: Policies,
  { air = new Air(), onStarted = silent }: HostParts = {},
): Host {
  const fork = forkedServer(SERVER)
  const start: StartServerProcess = (args, environment) => {
    const child = fork(args, environment)
    onStarted(() => child.kill())
    return child
  }
  return {
    info: { managed: { values: policies } },
    paths: { data },
    log: silent,
    ports: nodePorts(silent),
    secrets: memorySecrets(),
    network: { ...nodeNetwork(createProxies()), ownAddresses: () => addresses, discovery: air },
    server: localServers(start),
    folders: nodeFolders(undefined, data),
  } as unknown as Host
}
