import type { ChangeSet } from '#shared/domain/changes.ts'
import type { InviteArrival } from '#shared/domain/channel.ts'
import type { IssuedToken } from '#shared/domain/manage/directory.ts'
import type { ManageSource } from '#shared/domain/manage/manage.ts'
import type { Message } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Api } from './api/client.ts'
import type { ConnectionControl, ConnectionHandlers } from './realtime/transport.ts'

/** Names one attached window. Set by the caller of `attach`; unique while attached. */
export type ClientId = string

/** Passed to every handler: which window calls. */
export type CallContext = { readonly client: ClientId }

/** What the engine needs of main/engine/api: typed calls that reject with an `ApiError`. */
export type EngineApi = Pick<Api, 'send' | 'upload'>

/** Requests with a server token, which has all rights: `owner` of a local workspace, or with a stored API `secret`. */
export type ServerAccess = {
  readonly source: Exclude<ManageSource, 'role'>
  /** Rejects with `session/local-server-stopped` while the local server cannot be started. */
  readonly api: () => Promise<EngineApi>
  /** A new token of a person; absent where tokens are issued elsewhere. */
  readonly issueToken?: (userId: UserId, lifeMs: number) => Promise<IssuedToken>
}

/** What the engine needs of main/engine/realtime. */
export type EngineConnection = Pick<ConnectionControl, 'start' | 'stop' | 'reconnectNow' | 'onActivity'> &
  Partial<Pick<ConnectionControl, 'malformedFrames'>>

export type ConnectionFactory = (handlers: ConnectionHandlers) => EngineConnection

/** The result of one turn, announced after commit in the order written in main/app/compose.ts. */
export type Commit = {
  /** Changes per window; windows that show nothing of it are not in the map. */
  readonly changes: ReadonlyMap<ClientId, ChangeSet>
  /** Messages by others that arrived in this turn, live or minutes late (never by paging): for notifications. */
  readonly arrived: readonly Message[]
  /** Invitations that arrived live in this turn. */
  readonly invited: readonly InviteArrival[]
  /** Reminders changed: the alarm has to be rescheduled. */
  readonly remindersChanged: boolean
  /** Unread over all channels that are not muted, by query. */
  readonly badge: Badge
}

export type Badge = {
  readonly unread: number
  /** Mentions, and everything unread in direct conversations. */
  readonly mentions: number
}

export type Account = { readonly userId: UserId }
