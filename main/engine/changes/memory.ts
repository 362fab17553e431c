import type { ModeratePayload, SentPreview } from '#shared/domain/intent.ts'
import type { Inbox, AssistantWork } from '#shared/domain/channel.ts'
import type { ManageSource, ManageTopic } from '#shared/domain/manage/manage.ts'
import type { Notice } from '#shared/domain/notification.ts'
import type { Precision } from '#shared/domain/place.ts'
import type { ReviewAction } from '#shared/domain/manage/review.ts'
import type { Session, Connection, LoadingPart } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { Point } from '#shared/rules/locations/locations.ts'
import { OPEN_UPLOAD_RULES, type UploadRules } from '#shared/rules/uploads/uploads.ts'
import type { Typists } from '#shared/rules/channels/typing.ts'
import type { Reader } from '#main/cache/store.ts'
import type { ClientId } from '../context.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** State of the engine that is in no database, published as entities like everything else. */
export type Memory = {
  session: Session
  settings: Settings
  connection: Connection
  /** The last reported focus of each window. */
  readonly focuses: Map<ClientId, Focus>
  /** Parts that this connection could not fetch yet: see `sync/errands.ts`. */
  stillLoading: readonly LoadingPart[]
  /** The last attempt to load a token failed. */
  renewalFails: boolean
  /** By composer key: the cid, or `cid/parentId`. */
  readonly typing: Map<string, Typists>
  /** By composer key as well. */
  readonly assistants: Map<string, AssistantWork>
  /** Progress of running uploads, 0..1. */
  readonly progress: Map<string, number>
  /** Speed of running uploads, bytes per second. */
  readonly speed: Map<string, number>
  /** By composer key: see `features/drafts/sync.ts`. */
  readonly draftRevisions: Map<string, number>
  /** Files of discarded drafts that can still be restored: they belong to no composer. */
  readonly discarded: Set<string>
  readonly watchers: Map<Cid, number>
  /** Presence as received, only for cached users. It is valid only for this connection, so it is never stored. */
  readonly presence: Map<UserId, Presence>
  /** Link previews of the server by address, so that a message includes them unchanged. */
  readonly previews: Map<string, SentPreview>
  readonly sharing: Sharing
  /** Channels deleted since the engine started: fetching one of them would create it again. */
  readonly deleted: Set<Cid>
  inbox: Inbox
  /** Counts received events about custom emoji: a response that was in flight meanwhile may be outdated. */
  emojiEvents: number
  /** The server has more threads than are listed. */
  hasMoreThreads: boolean
  /** The application's upload limits, once they were fetched. */
  uploadRules: { readonly image: UploadRules; readonly file: UploadRules }
  manage: Manage
  /** No input for as long as the user chose. */
  away: boolean
  readonly review: Review
  /** Newest first. */
  readonly notices: Notice[]
}

/** See `ManageState` in shared/domain/manage/manage.ts. */
type Manage = {
  readonly source: ManageSource
  readonly waiting?: number
  readonly changes: { readonly [Topic in ManageTopic]?: number }
}

/** The review queue, for those who may review. */
type Review = {
  /** The server counts what waits and notifies of changes. Absent: not known yet. */
  notifies?: boolean
  /** What it can decide. */
  actions: { readonly message: readonly ReviewAction[]; readonly person: readonly ReviewAction[] }
  /** Addresses of pictures that people had when they were reported, by the reference that a window has. */
  readonly pictures: Map<string, string>
  /** Decisions of this run that were carried out, by their id: they can be taken back. */
  readonly done: Map<string, ModeratePayload>
}

type Presence = { readonly online: boolean; readonly lastActiveAt?: number; readonly asOf: number }

/** What a window shows, and whether it has the focus. */
export type Focus = {
  readonly focused: boolean
  readonly cid?: Cid
  readonly parentId?: MessageId
  /** The channel in the other half of the window. */
  readonly beside?: Cid
  /** Those of its channels whose newest messages are not in view. */
  readonly scrolledBack?: readonly Cid[]
}

export const isFocused = ({ focuses }: Pick<Memory, 'focuses'>): boolean =>
  [...focuses.values()].some(({ focused }) => focused)

/** Live location shares of this run of the program. */
type Sharing = {
  /** Intents of shares that the user started while this engine ran: no other one is sent automatically. */
  readonly begun: Set<string>
  /** Running shares that this device updates; `endAt` in server time, `at` is the last sent position. */
  readonly live: Map<MessageId, { readonly endAt: number; readonly precision: Precision; at: Point | undefined }>
  /** Shares that the user stopped, by server time: ended here from then on; `notified` once the server knows. */
  readonly stopped: Map<MessageId, { readonly at: number; readonly notified: boolean }>
}

/** Notices stored in the log of a session. */
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
  emojiEvents: 0,
  hasMoreThreads: false,
  uploadRules: { image: OPEN_UPLOAD_RULES, file: OPEN_UPLOAD_RULES },
  manage: { source: 'role', changes: {} },
  away: false,
  review: { actions: { message: [], person: [] }, pictures: new Map(), done: new Map() },
  notices: [],
})

/** Everything that decides what is visible: facts, intents, memory, and the time (for mutes and the like). */
export type ReadContext = {
  readonly me: UserId
  readonly cache: Reader
  /** Reading side of `outbox.db`: drafts and uploads. */
  readonly pending: Reader
  readonly outbox: Outbox
  readonly memory: Memory
  /** Epoch milliseconds on the server's clock. */
  readonly now: () => number
}
