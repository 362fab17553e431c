import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Connection } from '#shared/domain/connection.ts'
import type { Message } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Endpoint, None, Params } from '#shared/wire/endpoint.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser } from '#shared/wire/objects.ts'
import type { UploadReply } from '#shared/wire/uploads.ts'

/** Names one attached window. Given by whoever composes the bridge; unique while attached. */
export type ClientId = string

/** Every handler of the engine hears which window asks. */
export type CallContext = { readonly client: ClientId }

type Part<Name extends string, T> = [T] extends [None] ? { readonly [K in Name]?: undefined } : { readonly [K in Name]: T }

export type ApiRequest<Path extends string, Query, Body> = ([keyof Params<Path>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params<Path> }) &
  Part<'query', Query> &
  Part<'body', Body> & { readonly signal?: AbortSignal }

export type UploadRequest = {
  readonly params: { readonly type: string; readonly id: string }
  readonly file: {
    readonly path: string
    readonly fileName: string
    readonly mimeType: string
    readonly onProgress: (sentBytes: number) => void
  }
  readonly signal?: AbortSignal
}

/** Why a call failed, as section 3.1 of the reliability paper names it. */
export type FailureClass =
  | 'network'
  | 'token'
  | 'clock'
  | 'auth'
  | 'forbidden'
  | 'gone'
  | 'exists'
  | 'invalid'
  | 'rate'
  | 'cooldown'
  | 'server'
  | 'connection-id'
  | 'refused'

/** What the engine needs of main/engine/api: typed calls that reject with an `ApiError`. */
export type EngineApi = {
  send<Path extends string, Query, Body, Reply>(
    endpoint: Endpoint<Path, Query, Body, Reply>,
    request: ApiRequest<Path, Query, Body>,
  ): Promise<Reply>
  upload(endpoint: Endpoint<string, None, None, UploadReply>, request: UploadRequest): Promise<UploadReply>
}

/** What the realtime connection tells the engine. */
export type ConnectionHandlers = {
  /** The whole entity, at every change. `offline` already carries the 5 s rule. */
  onState(connection: Connection): void
  /** Each time the connection became healthy, the first time included. Events follow after it. */
  onHealthy(me: WireOwnUser | undefined): void
  onEvent(event: WireEvent | UnknownEvent): void
}

export type ConnectionControl = {
  start(): void
  stop(): Promise<void>
  /** Tries now instead of at the planned time. */
  reconnectNow(): void
}

export type ConnectionFactory = (handlers: ConnectionHandlers) => ConnectionControl

/** One turn's outcome, announced after commit in the order written in main/app/compose.ts. */
export type Commit = {
  /** What this window must be told; `undefined` when nothing it shows has changed. */
  changesFor(client: ClientId): ChangeSet | undefined
  /** Messages by others that arrived live in this turn (not from recovery or paging): what notifications look at. */
  readonly arrived: readonly Message[]
  /** Unread over all channels, by query. */
  readonly badge: { readonly unread: number; readonly mentions: number }
}

export type Account = { readonly userId: UserId }
