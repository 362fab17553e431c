import type { Connection, LoadingPart } from '#shared/domain/connection.ts'
import type { SentPreview } from '#shared/domain/intent.ts'
import type { Inbox } from '#shared/domain/inbox.ts'
import type { Notice } from '#shared/domain/notice.ts'
import type { Precision } from '#shared/domain/place.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { Point } from '#shared/rules/locations/locations.ts'
import { OPEN_UPLOAD_RULES, type UploadRules } from '#shared/rules/uploads/uploads.ts'
import type { ClientId } from '../context.ts'
import type { AssistantWork } from '#shared/domain/channel.ts'
import type { Typists } from '#shared/rules/channels/typing.ts'

/** What the engine knows without a database, published as entities like everything else. */
export type Memory = {
  session: Session
  settings: Settings
  connection: Connection
  /** What the windows said of themselves last. */
  readonly focuses: Map<ClientId, Focus>
  /** What this connection could not fetch yet: see `sync/errands.ts`. */
  stillLoading: readonly LoadingPart[]
  /** The last token that was asked for did not come. */
  renewalFails: boolean
  /** By composer key: the cid, or `cid/parentId`. */
  readonly typing: Map<string, Typists>
  /** By composer key too. */
  readonly assistants: Map<string, AssistantWork>
  /** 0..1 of uploads under way. */
  readonly progress: Map<string, number>
  /** Bytes a second of uploads under way. */
  readonly speed: Map<string, number>
  /** By composer key: see `features/drafts/book.ts`. */
  readonly draftRevisions: Map<string, number>
  /** Files of drafts that were thrown away and can still be taken back: they stand in no composer. */
  readonly discarded: Set<string>
  readonly watchers: Map<Cid, number>
  /** Who came and went, as heard; only people who are held. It is over with the connection, so it is never written. */
  readonly presence: Map<UserId, Presence>
  /** What the server said of links, by address, so that a message takes it along as it came. */
  readonly previews: Map<string, SentPreview>
  readonly sharing: Sharing
  /** Deleted while this engine ran: asking the server for one of these would make it again. */
  readonly deleted: Set<Cid>
  inbox: Inbox
  /** Counts what was heard of custom emoji: an answer that was on its way meanwhile may be older. */
  emojiHeard: number
  /** The server has more threads than are listed. */
  hasMoreThreads: boolean
  /** The application's checks, once they were asked for. */
  uploadRules: { readonly image: UploadRules; readonly file: UploadRules }
  /** Newest first. */
  readonly notices: Notice[]
}

type Presence = { readonly online: boolean; readonly lastActiveAt?: number | undefined; readonly asOf: number }

/** What a window shows, and whether someone is in front of it. */
export type Focus = {
  readonly focused: boolean
  readonly cid?: Cid | undefined
  readonly parentId?: MessageId | undefined
  /** The channel in the other half. */
  readonly beside?: Cid | undefined
}

export const isLookedAt = ({ focuses }: Pick<Memory, 'focuses'>): boolean =>
  [...focuses.values()].some(({ focused }) => focused)

/** Live shares of places, as far as this start of the program has to do with them. */
type Sharing = {
  /** Intents of shares that someone asked for while this engine ran: no other begins by itself. */
  readonly begun: Set<string>
  /** Running shares that this computer moves; `endAt` by the server's clock, `at` is where it said it is. */
  readonly live: Map<MessageId, { readonly endAt: number; readonly precision: Precision; at: Point | undefined }>
  /** Shares that someone stopped, by the server's clock: over from then on, here; `told` once the server knows. */
  readonly stopped: Map<MessageId, { readonly at: number; readonly notified: boolean }>
}

/** Notices kept in the log of a session. */
export const NOTICE_LOG_LIMIT = 200

export const NOT_CONNECTED: Connection = {
  state: 'connecting',
  offline: false,
  transport: 'websocket',
  serverRestarting: false,
}

export const createMemory = (session: Session, settings: Settings): Memory => ({
  session,
  settings,
  connection: NOT_CONNECTED,
  focuses: new Map(),
  stillLoading: [],
  renewalFails: false,
  typing: new Map(),
  assistants: new Map(),
  progress: new Map(),
  speed: new Map(),
  draftRevisions: new Map(),
  discarded: new Set(),
  watchers: new Map(),
  presence: new Map(),
  previews: new Map(),
  sharing: { begun: new Set(), live: new Map(), stopped: new Map() },
  deleted: new Set(),
  inbox: { unreadThreads: 0, invites: [] },
  emojiHeard: 0,
  hasMoreThreads: false,
  uploadRules: { image: OPEN_UPLOAD_RULES, file: OPEN_UPLOAD_RULES },
  notices: [],
})
