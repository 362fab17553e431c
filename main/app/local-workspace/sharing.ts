import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import type { PortProblem, SharedInvitation, SharingState, WaitingPerson } from '#shared/domain/sharing.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { invitationCode, invitationLink } from '#shared/rules/server/invitation.ts'
import { isAddress } from '#shared/rules/server/network-address.ts'
import {
  changeSharing,
  type SharingAction,
  type WireInvitation,
  type WireJoinRequest,
  type WireSharing,
} from '#shared/wire/sharing.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { fingerprintOf } from '#main/lib/secrets.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { AccountRef, Profile } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { Announcing } from '../accounts/following.ts'
import type { Discovery } from './discovery.ts'
import { type LocalWorkspace, movedSecret } from './local-workspace.ts'

/** Offered first; another one is the owner's choice. */
const FIRST_PORT = 7_443
/** What a first invitation allows. */
const FIRST_USES = 10
const DAY_MS = 86_400_000
/** When it is tried again: an address of IPv6 that is new cannot be used at once. */
const AGAIN_MS = 3_000

type OwnRef = Extract<AccountRef, { kind: 'own' }>
type Wish = Profile['sharing'][string]

type SharingOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly placeOf: (ref: OwnRef) => string
  readonly workspace: (place: string) => LocalWorkspace
  readonly nameOf: (ref: OwnRef) => string
  /** The state may have changed: every window asks for it. */
  readonly changed: () => void
  readonly announcing: Announcing
  readonly discovery: Discovery
}

type Secrets = { readonly link: string; readonly code: string }
type Calls = Pick<
  HandlersOf<'sharing', CallWindow>,
  'state' | 'start' | 'announce' | 'stop' | 'invite' | 'revoke' | 'decide'
>

/** Refuses where the administrator does not allow it. */
function checkSharing({ AllowLanExposure }: Policies): void {
  if (AllowLanExposure === false) throw new AppError('policy/sharing')
}

/**
 * Shares own workspaces on the network: opens the port of their servers with the certificate of this device, and again
 * whenever a server was restarted or the network has changed, for as long as the owner wants it. See ADR 45.
 */
export class NetworkSharing {
  readonly #options: SharingOptions
  readonly #log: Logger
  /** What the link and the code of an invitation contain besides the way to this device; only of this run. */
  readonly #secrets = new Map<string, Secrets>()
  readonly #problems = new Map<string, PortProblem>()
  /** How to call off the next try, by place. */
  readonly #again = new Map<string, () => void>()

  constructor(options: SharingOptions) {
    this.#options = options
    this.#log = logger('sharing', options.host.log)
  }

  /** `sharing.*` of the contract, for the owner. */
  calls(): Calls {
    return {
      state: (_input, { window }) => this.#send(this.#own(window), { action: 'state' }),
      start: async ({ approve, port, invitation }, { window }) => {
        const ref = this.#own(window)
        const before = this.#wish(ref)
        this.#save(ref, { ...before, on: true, approve, port: port ?? before?.port ?? FIRST_PORT })
        const state = await this.#open(ref)
        if (!state.on) return state
        const now = this.#now()
        return state.invitations.some((each) => isUsable(each, now)) ? state : this.#send(ref, first(invitation, now))
      },
      announce: async ({ on }, { window }) => {
        const ref = this.#own(window)
        this.#save(ref, { ...this.#wishOf(ref), announced: on })
        const state = await this.#showOrHide(ref, await this.#send(ref, { action: 'state' }))
        this.#options.changed()
        return state
      },
      stop: async (_input, { window }) => {
        const ref = this.#own(window)
        // Stored first: a server that is restarting must not open the port again.
        this.#save(ref, { ...this.#wishOf(ref), on: false })
        this.#problems.delete(this.#options.placeOf(ref))
        this.#options.announcing.forget(this.#options.placeOf(ref))
        this.#options.discovery.hide(this.#options.placeOf(ref))
        return this.#send(ref, { action: 'stop' })
      },
      invite: ({ name, role, channels, uses, endsAt }, { window }) =>
        this.#send(this.#own(window), { action: 'invite', name, role, channels, uses, ends_at: endsAt }),
      revoke: ({ id }, { window }) => this.#send(this.#own(window), { action: 'revoke', id }),
      decide: ({ id, accept }, { window }) => this.#decide(this.#own(window), id, accept),
    }
  }

  /** A server runs (again): opens its port if the owner wants it. */
  async serverRuns(place: string): Promise<void> {
    if (this.#options.store.profile().sharing[place]?.on !== true) return
    if (this.#options.host.info.managed?.values.AllowLanExposure === false) return
    if (this.#hasMoved(place)) return this.#tellWhereItIs(place)
    const ref = this.#refAt(place)
    if (!ref) return
    try {
      await this.#open(ref)
    } catch (error) {
      this.#log.warn('not-opened', { code: error instanceof AppError ? error.code : 'unknown' })
    }
    this.#options.changed()
  }

  /** The server of this workspace has ended, or is ending: nobody is called to a closed door. */
  serverEnds(place: string): void {
    this.#options.discovery.hide(place)
  }

  /** At start: nobody else starts the server of a workspace that has moved. */
  start(): void {
    const { store, workspace } = this.#options
    const { sharing } = store.profile()
    for (const [place, { on }] of Object.entries(sharing)) {
      // Told by its health that it runs.
      if (on && this.#hasMoved(place))
        void workspace(place)
          .running()
          .catch(() => undefined)
    }
  }

  /** Those who wait for the owner's answer. */
  async waitingAt(place: string): Promise<readonly WaitingPerson[]> {
    const ref = this.#refAt(place)
    if (!ref || this.#wish(ref)?.on !== true) return []
    return (await this.#send(ref, { action: 'state' })).waiting
  }

  /** The owner's answer from outside of a window. Rejects with `sharing/gone` if they no longer wait. */
  async decideAt(place: string, id: string, accept: boolean): Promise<void> {
    const ref = this.#refAt(place)
    if (ref) await this.#decide(ref, id, accept)
  }

  /** Where the workspace is reached from the network now. */
  async listens(ref: OwnRef): Promise<{ readonly addresses: readonly string[]; readonly port: number } | undefined> {
    if (this.#wish(ref)?.on !== true) return undefined
    const { on, addresses, port } = await this.#send(ref, { action: 'state' })
    return on ? { addresses, port } : undefined
  }

  #hasMoved(place: string): boolean {
    return this.#options.store.profile().workspaces[place]?.moved !== undefined
  }

  /** The workspace is on another device: people are told where, and nothing else is open. */
  async #tellWhereItIs(place: string): Promise<void> {
    const { workspace: workspaceOf, host, store } = this.#options
    const secret = await host.secrets.get(movedSecret(place))
    const addresses = this.#addresses()
    const port = store.profile().sharing[place]?.port
    if (secret === undefined || addresses.length === 0 || port === undefined) return
    const workspace = workspaceOf(place)
    try {
      const api = await workspace.serverApi()
      const body = { action: 'moved' as const, addresses, port, secret, ...(await workspace.certificate()) }
      const { problem } = await api.send(changeSharing, { body })
      if (problem !== undefined) this.#log.warn('not-told', { problem })
    } catch (error) {
      this.#log.warn('not-told', { code: error instanceof AppError ? error.code : 'unknown' })
    }
  }

  /** The device has other addresses: shares on those. */
  async networkChanged(): Promise<void> {
    const { workspace, store } = this.#options
    for (const [place, { on }] of Object.entries(store.profile().sharing)) {
      if (on && this.#hasMoved(place)) await this.#tellWhereItIs(place)
    }
    for (const [place, { on }] of Object.entries(store.profile().sharing)) {
      const ref = this.#refAt(place)
      if (!on || !ref || this.#hasMoved(place) || workspace(place).health() !== 'running') continue
      try {
        const { addresses } = await this.#send(ref, { action: 'state' })
        if (!isSame(addresses, this.#addresses())) await this.serverRuns(place)
      } catch (error) {
        // Its server is ending: when it runs again, it opens its port on the new addresses.
        this.#log.warn('not-moved', { code: error instanceof AppError ? error.code : 'unknown' })
      }
    }
  }

  #now(): number {
    return this.#options.host.ports.clock.now()
  }

  #addresses(): readonly string[] {
    return this.#options.host.network.ownAddresses().filter(isAddress)
  }

  #own(window: ClientWindow): OwnRef {
    checkSharing(this.#options.host.info.managed?.values ?? {})
    const ref = this.#options.refOf(window)
    // A window opened "as" someone else of the workspace is not the owner's.
    if (ref?.kind !== 'own' || window.asUserId !== undefined) throw new AppError('sharing/not-own')
    return ref
  }

  #refAt(place: string): OwnRef | undefined {
    const { store, placeOf } = this.#options
    return store
      .profile()
      .accounts.map(({ ref }) => ref)
      .find((ref): ref is OwnRef => ref.kind === 'own' && placeOf(ref) === place)
  }

  #wish(ref: OwnRef) {
    return this.#options.store.profile().sharing[this.#options.placeOf(ref)]
  }

  #wishOf(ref: OwnRef): Wish {
    return this.#wish(ref) ?? { on: false, port: FIRST_PORT, approve: true }
  }

  #save(ref: OwnRef, wish: Wish): void {
    const { store, placeOf } = this.#options
    store.saveProfile({ sharing: { ...store.profile().sharing, [placeOf(ref)]: wish } })
  }

  async #open(ref: OwnRef): Promise<SharingState> {
    const { placeOf, workspace, nameOf } = this.#options
    const place = placeOf(ref)
    const owner = await this.#ownerOf(ref)
    const certificate = await workspace(place).certificate()
    const { on, port, approve } = this.#wishOf(ref)
    const addresses = this.#addresses()
    if (addresses.length === 0) {
      const { network } = this.#options.host
      this.#problems.set(place, network.ownAddresses().length === 0 ? 'no-network' : 'link-local')
    }
    if (!on || addresses.length === 0) return this.#showOrHide(ref, await this.#send(ref, { action: 'state' }))
    const names = { workspace: nameOf(ref), owner }
    const state = await this.#send(ref, { action: 'start', addresses, port, approve, ...names, ...certificate })
    // Stopped while the request was on its way: it may have arrived after the one to stop.
    if (this.#wish(ref)?.on !== true) return this.#send(ref, { action: 'stop' })
    if (!state.on && state.problem === 'no-network') this.#tryAgain(place)
    if (state.on) {
      const { port: opened, addresses: at } = state
      void this.#options.announcing.announce(place, { addresses: [...at], port: opened, certificate: certificate.cert })
    }
    return this.#showOrHide(ref, state)
  }

  /** The system shows addresses that the server cannot use yet; nothing else tells when it can. */
  #tryAgain(place: string): void {
    const { clock } = this.#options.host.ports
    this.#again.get(place)?.()
    const next = clock.after(AGAIN_MS, () => {
      if (this.#problems.get(place) === 'no-network') void this.serverRuns(place)
    })
    this.#again.set(place, next)
  }

  /** Announces it on the network while it is shared and its owner wants that. */
  async #showOrHide(ref: OwnRef, state: SharingState): Promise<SharingState> {
    const { placeOf, workspace, nameOf, discovery } = this.#options
    const place = placeOf(ref)
    const isWanted = (): boolean => state.on && this.#wish(ref)?.announced === true && this.#wish(ref)?.on === true
    if (isWanted()) {
      const fingerprint = fingerprintOf((await workspace(place).certificate()).cert)
      const { addresses, port } = state
      const announcement = { name: nameOf(ref), owner: await this.#ownerOf(ref), addresses, port, fingerprint }
      // It may have been stopped meanwhile.
      if (isWanted()) discovery.show(place, announcement)
    } else discovery.hide(place)
    return { ...state, announced: this.#announced(ref) }
  }

  async #ownerOf(ref: OwnRef): Promise<string> {
    const { placeOf, workspace } = this.#options
    const people = await workspace(placeOf(ref)).people()
    return people.find(({ id }) => id === ref.userId)?.name ?? ref.userId
  }

  async #decide(ref: OwnRef, id: string, accept: boolean): Promise<SharingState> {
    try {
      return await this.#send(ref, { action: 'decide', id, accept })
    } catch (error) {
      if (error instanceof ApiError && error.class === 'gone') throw new AppError('sharing/gone', { cause: error })
      throw error
    }
  }

  async #send(ref: OwnRef, action: SharingAction): Promise<SharingState> {
    const place = this.#options.placeOf(ref)
    const workspace = this.#options.workspace(place)
    const api = await workspace.serverApi(ref.userId)
    const { sharing, invited, problem } = await api.send(changeSharing, { body: action })
    if (action.action === 'start') {
      if (problem === undefined) this.#problems.delete(place)
      else this.#problems.set(place, problem)
    }
    if (invited) this.#secrets.set(invited.id, invited)
    if (action.action !== 'state') this.#options.changed()
    const names = await this.#namesIn(workspace, sharing)
    return this.#shown(ref, sharing, { names, way: await wayTo(workspace, sharing) })
  }

  async #namesIn(workspace: LocalWorkspace, { connected }: WireSharing): Promise<ReadonlyMap<string, string>> {
    if (connected.length === 0) return new Map()
    return new Map((await workspace.people()).map(({ id, name }) => [id, name]))
  }

  #announced(ref: OwnRef): SharingState['announced'] {
    if (this.#wish(ref)?.announced !== true) return 'no'
    return this.#options.discovery.isFailed(this.#options.placeOf(ref)) ? 'failed' : 'yes'
  }

  #shown(ref: OwnRef, sharing: WireSharing, { names, way }: Known): SharingState {
    const wish = this.#wishOf(ref)
    return {
      wanted: wish.on,
      on: sharing.port !== undefined,
      port: sharing.port ?? wish.port,
      addresses: sharing.addresses,
      approve: wish.approve,
      announced: this.#announced(ref),
      problem: this.#problems.get(this.#options.placeOf(ref)),
      invitations: sharing.invitations.map((each) => invitationOf(each, way, this.#secrets.get(each.id))),
      waiting: sharing.waiting.map((each) => waitingOf(each, sharing)),
      connected: sharing.connected.map(({ user_id: userId, address, since }) => ({
        userId: asUserId(userId),
        name: names.get(userId) ?? userId,
        address,
        since: Date.parse(since),
      })),
    }
  }
}

/** How this device is reached from the network now. */
type Way = { readonly addresses: readonly string[]; readonly port: number; readonly fingerprint: string }

type Known = { readonly names: ReadonlyMap<string, string>; readonly way: Way | undefined }

async function wayTo(workspace: LocalWorkspace, { addresses, port }: WireSharing): Promise<Way | undefined> {
  if (port === undefined) return undefined
  return { addresses, port, fingerprint: fingerprintOf((await workspace.certificate()).cert) }
}

function invitationOf(wire: WireInvitation, way: Way | undefined, secrets: Secrets | undefined): SharedInvitation {
  const { id, name, role, channels, used, uses, ends_at: endsAt, revoked_at: revokedAt } = wire
  return {
    id,
    name,
    role,
    channels,
    used,
    uses,
    endsAt: Date.parse(endsAt),
    revoked: revokedAt !== undefined,
    ...(way === undefined || secrets === undefined
      ? {}
      : {
          link: invitationLink({ ...way, secret: secrets.link }),
          code: invitationCode({ ...way, secret: secrets.code }),
        }),
  }
}

const waitingOf = (wire: WireJoinRequest, { invitations }: WireSharing): WaitingPerson => ({
  id: wire.id,
  name: wire.name,
  role: wire.role,
  invitation: invitations.find(({ id }) => id === wire.invitation_id)?.name ?? '',
  address: wire.address,
  at: Date.parse(wire.created_at),
  nameTaken: wire.name_taken === true,
})

/** One whose link can still be shown. */
const isUsable = ({ revoked, endsAt, used, uses, link }: SharedInvitation, now: number): boolean =>
  link !== undefined && !revoked && endsAt > now && used < uses

const first = (name: string, now: number): SharingAction => ({
  action: 'invite',
  name,
  role: 'user',
  uses: FIRST_USES,
  ends_at: now + DAY_MS,
})
