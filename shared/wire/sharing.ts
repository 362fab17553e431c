import type { InvitedRole, PortProblem } from '../domain/sharing.ts'
import { endpoint, type None } from './endpoint.ts'
import type { ImportSource, ImportState } from '../domain/imports.ts'

/**
 * Sharing of a workspace on the network, and joining by invitation: an extension of our own local server, unknown to the
 * contract. Source: ADR 45.
 */

/** Grows with every change that an older client or server could not follow. */
export const SHARING_VERSION = 1

export type WireInvitation = {
  readonly id: string
  /** Only the owner sees it. */
  readonly name: string
  readonly role: InvitedRole
  /** Of guests: the cids of the channels that they join. */
  readonly channels: readonly string[]
  readonly used: number
  readonly uses: number
  /** RFC 3339, as all times here. */
  readonly ends_at: string
  readonly created_at: string
  readonly revoked_at?: string
}

/** Someone who asks to join. */
export type WireJoinRequest = {
  readonly id: string
  readonly name: string
  readonly invitation_id: string
  readonly role: InvitedRole
  readonly address: string
  readonly created_at: string
  /** Somebody in the workspace has this name. */
  readonly name_taken?: true
}

/** A person who is connected through the network. */
type WireVisitor = { readonly user_id: string; readonly address: string; readonly since: string }

export type WireSharing = {
  /** The port that listens on the network; absent: nothing does. */
  readonly port?: number
  readonly addresses: readonly string[]
  /** Whether the owner accepts each person. */
  readonly approve: boolean
  readonly invitations: readonly WireInvitation[]
  readonly waiting: readonly WireJoinRequest[]
  readonly connected: readonly WireVisitor[]
}

export type SharingAction =
  | { readonly action: 'state' }
  | {
      readonly action: 'start'
      readonly addresses: readonly string[]
      readonly port: number
      readonly approve: boolean
      /** Names that those who join are shown. */
      readonly workspace: string
      readonly owner: string
      /** PEM. */
      readonly cert: string
      readonly key: string
    }
  | { readonly action: 'stop' }
  | {
      /** The workspace has moved to another device: only its new address is told from now on. */
      readonly action: 'moved'
      readonly addresses: readonly string[]
      readonly port: number
      readonly cert: string
      readonly key: string
      /** Of the workspace file. */
      readonly secret: string
    }
  | {
      readonly action: 'invite'
      readonly name: string
      readonly role: InvitedRole
      /** Of guests, who join these channels alone; everyone else joins every public one. */
      readonly channels?: readonly string[]
      readonly uses: number
      /** Epoch milliseconds. */
      readonly ends_at: number
    }
  | { readonly action: 'revoke'; readonly id: string }
  | { readonly action: 'decide'; readonly id: string; readonly accept: boolean }

/** The secrets of a new invitation: they are stored nowhere on the server. */
export type InvitationSecrets = { readonly id: string; readonly link: string; readonly code: string }

/** For the owner: on loopback only, with a server token. */
export const changeSharing = endpoint('POST', '/sharing', 'Sharing')<
  None,
  SharingAction,
  { readonly sharing: WireSharing; readonly invited?: InvitationSecrets; readonly problem?: PortProblem }
>()

/** The answer of the port of the network to a client that names an invitation; asked for without a token. */
export type Hello = {
  readonly version: number
  /** HMAC-SHA256 over the nonce and the certificate: shows that the server knows the invitation. */
  readonly proof: string
  readonly workspace: string
  readonly owner: string
  readonly role: InvitedRole
  readonly approve: boolean
  readonly api_key: string
}

export type JoinAnswer =
  | { readonly state: 'waiting' | 'refused' | 'gone' }
  | { readonly state: 'accepted'; readonly user_id: string; readonly token: string }

export const JOIN_PATHS = {
  hello: '/join/hello',
  ask: '/join/ask',
  answer: '/join/answer',
  cancel: '/join/cancel',
  where: '/join/where',
  moved: '/join/moved',
} as const

/**
 * Where the workspace is, for people who have joined: `moved` is absent as long as it is here. `note` is the JSON of the
 * new addresses, port and certificate, absent until they are known; `signature` is that of the certificate of this port.
 */
export type MovedAnswer = { readonly moved?: true; readonly note?: string; readonly signature?: string }

/** Import of history: an extension of our own local server, unknown to the contract. Source: ADR 48. */

export type ImportAction =
  | { readonly action: 'state' }
  /** Reads a file or folder of this device, and changes nothing. */
  | { readonly action: 'check'; readonly source: ImportSource; readonly path: string; readonly name: string }
  | {
      readonly action: 'start'
      /** Joins the channels that have nobody else who is here. */
      readonly owner: string
      /** `new`, `former` or the id of a user, by the id of the export; the rest as checked. */
      readonly people: Readonly<Record<string, string>>
      /** `new`, `skip` or a cid. */
      readonly channels: Readonly<Record<string, string>>
    }
  | { readonly action: 'pause' }
  | { readonly action: 'continue' }
  /** Ends it: what was imported stays. Ends reading, too. */
  | { readonly action: 'stop' }
  /** Removes what the last import has added. */
  | { readonly action: 'undo' }
  /** Forgets a check, a refusal or a report that was read. */
  | { readonly action: 'close' }

/** On loopback only, with a server token. */
export const changeImport = endpoint('POST', '/imports', 'Imports')<
  None,
  ImportAction,
  { readonly import: ImportState }
>()
