import type { SavedFile } from './export.ts'
import type { UserId } from '../lib/brand.ts'

export const INVITED_ROLES = ['guest', 'user', 'moderator'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

/** Why the port of the network was not opened. `link-local`: the device has only addresses that it gave itself. */
export type PortProblem = 'port-taken' | 'port-forbidden' | 'no-network' | 'link-local' | 'not-started'

/** Times: epoch milliseconds. */
export type SharedInvitation = {
  readonly id: string
  readonly name: string
  readonly role: InvitedRole
  /** Cids of the channels that a guest joins; empty for others, who join every public channel. */
  readonly channels: readonly string[]
  readonly used: number
  readonly uses: number
  readonly endsAt: number
  /** Revoked, or ended together with sharing. */
  readonly revoked: boolean
  /**
   * With the current addresses, while the port listens. Known only in the run in which it was created: the server stores
   * no secrets.
   */
  readonly link?: string
  /** Absent also where the device has no address of IPv4. */
  readonly code?: string
}

/** Someone who waits for the owner's answer. */
export type WaitingPerson = {
  readonly id: string
  readonly name: string
  readonly role: InvitedRole
  readonly invitation: string
  readonly address: string
  readonly at: number
  /** Somebody in the workspace has this name. */
  readonly nameTaken: boolean
}

type ConnectedPerson = {
  readonly userId: UserId
  readonly name: string
  readonly address: string
  readonly since: number
}

/** Sharing of a local workspace on the network, as its owner sees it. */
export type SharingState = {
  /** Whether the owner wants it; it may wait for a network. */
  readonly wanted: boolean
  /** The port listens. */
  readonly on: boolean
  readonly port: number
  readonly addresses: readonly string[]
  /** Whether the owner accepts each person. */
  readonly approve: boolean
  /** Others on the network are shown it when they look for workspaces; `failed`: the system does not allow it. */
  readonly announced: 'no' | 'yes' | 'failed'
  /** Why it did not start, or waits. */
  readonly problem?: PortProblem
  readonly invitations: readonly SharedInvitation[]
  readonly waiting: readonly WaitingPerson[]
  readonly connected: readonly ConnectedPerson[]
}

/** What an invitation leads to, before anything is sent. */
export type JoinOffer = {
  readonly workspace: string
  readonly owner: string
  readonly role: InvitedRole
  /** The owner accepts each person. */
  readonly approve: boolean
  /** This profile has an account there that its server accepts: joining only renews its address. */
  readonly known: boolean
}

/** A workspace that is announced on the network. Anyone can announce anything: it is joined by invitation alone. */
export type FoundWorkspace = {
  /** Of its certificate. */
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly address: string
  /** This profile has an account that trusts this certificate. */
  readonly known: boolean
}

export type FoundWorkspaces = {
  readonly found: readonly FoundWorkspace[]
  /** There are more than are shown. */
  readonly isCut: boolean
  /** Nothing can be heard: no network, or the system does not allow it. */
  readonly isFailed: boolean
}

/** A request to join that was sent from this device and has no answer yet. */
export type PendingJoin = {
  readonly workspace: string
  readonly owner: string
  readonly name: string
  readonly since: number
}

/** `joined`: the window shows the account. */
export type JoinState = 'waiting' | 'refused' | 'gone' | 'joined'

/** What is being done with a workspace file: written, read back, or put in its place. In bytes. */
export type MoveProgress = {
  readonly step: 'writing' | 'checking' | 'placing'
  readonly done: number
  readonly total: number
}

/** A workspace that was saved to move it. `keys`: people who have joined stay signed in. */
export type SavedWorkspace = Pick<SavedFile, 'fileName' | 'folderName'> & { readonly keys: boolean }

/** A look into a workspace file, before anything is changed. */
export type WorkspaceFileLook = {
  /** Names it in the following calls. */
  readonly id: string
  readonly name: string
  readonly ownerName: string
  readonly savedAt: number
  readonly bytes: number
  /** People who have joined stay signed in. */
  readonly keys: boolean
  /** It was shared on a network, and its people can be told where it is now. */
  readonly shared: boolean
}
