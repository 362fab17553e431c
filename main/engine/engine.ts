import type { ChannelInvite } from '#shared/domain/channel.ts'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import type { Notice } from '#shared/domain/notice.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Connection } from '#shared/domain/connection.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Contract, HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { SearchReader } from '#main/cache/search/reader.ts'
import type { Touched } from '#main/cache/tx.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import { type Changes, createChanges, createCore } from './assemble.ts'
import type {
  Account,
  Badge,
  CallContext,
  ClientId,
  Commit,
  ConnectionFactory,
  EngineApi,
  EngineConnection,
} from './context.ts'
import type { Core } from './core.ts'
import { diagnose } from './diagnose.ts'
import { channelCalls } from './features/channels/calls.ts'
import { type MuteWatch, watchMutes } from './features/channels/mute-ends.ts'
import { bringBack } from './features/channels/returning.ts'
import { detailCalls } from './features/channels/details.ts'
import { draftCalls } from './features/drafts/calls.ts'
import { type ExportOrder, type ExportPiece, exportPieces } from './features/export/pieces.ts'
import { emojiCalls } from './features/emoji/calls.ts'
import { previewPicture } from './features/links/calls.ts'
import { linkCalls } from './features/links/calls.ts'
import { locationCalls } from './features/locations/calls.ts'
import { ShareWatch } from './features/locations/sharing.ts'
import { Tracks } from './features/locations/tracks.ts'
import { messageCalls } from './features/messages/calls.ts'
import { type AboutArrival, aboutArrival } from './features/notifications/about.ts'
import { outboxCalls } from './features/outbox/calls.ts'
import { moderationCalls } from './features/moderation/calls.ts'
import { peopleCalls } from './features/people/calls.ts'
import { createPollClosing, type PollClosing } from './features/polls/closing.ts'
import { pollCalls } from './features/polls/calls.ts'
import { type AboutReminder, aboutReminder } from './features/reminders/about.ts'
import { type Alarm, createAlarm, type Ring } from './features/reminders/alarm.ts'
import { forgetOldReminders, reminderCalls } from './features/reminders/calls.ts'
import { createReadMarker, type ReadMarker } from './features/reads/marker.ts'
import { storeQueuedMarks } from './features/reads/traceless.ts'
import { searchCalls } from './features/search/calls.ts'
import { threadCalls } from './features/threads/calls.ts'
import { isSamePrivacy, privacyOf, sendPrivacy } from './features/users/privacy.ts'
import { uploadCalls } from './features/uploads/calls.ts'
import { loadUploadRules } from './features/uploads/rules.ts'
import { tidyStaging } from './features/uploads/staging.ts'
import { LOSSLESS, activeUploads, type ActiveUploads } from './features/uploads/active-uploads.ts'
import type { Ports } from './ports.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import { DISK_RETRY_MS } from './disk-retry.ts'
import type { Focus, Memory } from './changes/memory.ts'
import { ConnectionListener } from './sync/connection-listener.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export type EngineOptions = {
  readonly ports: Ports
  readonly account: Account
  /** Opens the account's two databases, on the real disk unless another is given; the engine closes them in `stop`. */
  readonly openStores: (onCommit: (touched: Touched) => void, disk?: Disk) => Stores
  /**
   * Searches in a worker thread; if present, the engine maintains the index. Without it nothing is indexed, and messages are
   * searched one by one on the caller's thread.
   */
  readonly openSearch?: (cache: Store) => SearchReader
  readonly api: EngineApi
  readonly connect: ConnectionFactory
  /** Epoch milliseconds on the server's clock (main/engine/session/server-clock.ts). */
  readonly serverNow: () => number
  /** Folder for staged files of this account (`DATA/accounts/<hash>/staging`). */
  readonly stagingFolder: string
  readonly session: Session
  readonly settings: Settings
}

/**
 * Bridge areas that the engine handles. `app`, `data`, `notifications`, `session` and `settings` are composed around
 * it.
 */
type EngineHandlers = {
  readonly [
    Area in Exclude<
      keyof Contract,
      'app' | 'certificates' | 'data' | 'desktop' | 'lock' | 'notifications' | 'session' | 'settings' | 'updates'
    >
  ]: HandlersOf<Area, CallContext>
}

/** One account: facts, intents, and the windows that show them. */
export type Engine = {
  /** For reading media addresses; only the engine writes. */
  readonly stores: Stores
  readonly handlers: EngineHandlers
  /** The address of a picture that `LinkPreview.picture` names. */
  previewPicture(ref: string): string | undefined
  /** Reads the cache and starts connecting. Returns before any request. */
  start(): void
  /** Stops timers and requests; what was in flight becomes ready again at the next start. */
  stop(): Promise<void>
  /** Snapshot for a window, at a revision; commits from that revision on are for this client too. */
  attach(client: ClientId, input: { readonly lastChannel?: Cid }): ChangeSet
  detach(client: ClientId): void
  /** Called for every commit, after it is on disk. At most one per turn of the event loop. */
  onCommitted(listener: (commit: Commit) => void): () => void
  /** Updates entities that are created outside the engine. */
  publish(values: {
    readonly session?: Session
    readonly settings?: Settings
    readonly serverRestarting?: boolean
    /** Whether the last attempt to load a token failed. */
    readonly renewalFails?: boolean
  }): void
  /** Shows the user a notice and stores it in the log. */
  notify(notice: Omit<Notice, 'id' | 'createdAt'>): void
  notices(): readonly Notice[]
  reportFocus(client: ClientId, focus: Focus): void
  /** What each window of this account shows: for notifications. */
  focuses(): readonly Focus[]
  /** Number of unsent intents of this account, to warn before signing out. */
  unsentCount(): number
  /** Uploads that quitting would interrupt or leave for the next start. */
  sending(): ActiveUploads
  /** Unread over all channels that are not muted, by query. */
  badge(): Badge
  /** State of the connection. */
  connection(): Connection
  /** Reminders that became due, once for each time, with or without a window and a connection. */
  onRing(listener: (ring: Ring) => void): () => void
  /** Pending invitations known on this computer. */
  invites(): readonly ChannelInvite[]
  /** The reminder of a message for a notification; absent if there is none. */
  aboutReminder(messageId: MessageId): AboutReminder | undefined
  /** A message for a notification; absent if the message or its channel is not stored (any more). */
  aboutArrival(messageId: MessageId): AboutArrival | undefined
  /** The stored messages as a file, piece by piece. */
  exported(what: ExportOrder): Iterable<ExportPiece>
  /** The computer woke from sleep, or its clock was changed: reminders may be due. */
  woke(): void
  /** When the last live share ends that was started since the program started; absent if none runs. Server time. */
  sharesUntil(): number | undefined
  /** Ends all live shares at once. */
  stopSharing(): void
  /** Epoch milliseconds on the server's clock. */
  serverNow(): number
  reconnectNow(): void
  /** The user is active: see {@link ConnectionControl.onActivity}; also retries pending tasks of the connection. */
  onActivity(): void
  /** Numbers, names and times without any content, for display and copying. */
  diagnostics(): Diagnostics
}

export type { Focus }

/**
 * Creates one engine. Nothing happens before `start`; `attach` answers from the cache even before it.
 */
export const createEngine = (options: EngineOptions): Engine => new AccountEngine(options)

class AccountEngine implements Engine {
  readonly handlers: EngineHandlers
  readonly stores: Stores
  readonly #changes: Changes
  readonly #core: Core
  readonly #life = new AbortController()
  readonly #marker: ReadMarker
  readonly #alarm: Alarm
  readonly #mutedChannels: MuteWatch
  readonly #shares: ShareWatch
  readonly #closing: PollClosing
  readonly #tracks: Tracks
  readonly #upkeep: Upkeep | undefined
  readonly #listener: ConnectionListener
  readonly #connection: EngineConnection

  constructor(options: EngineOptions) {
    this.#changes = createChanges(options)
    this.stores = this.#changes.stores
    const core = createCore(options, this.#changes, this.#life.signal)
    this.#core = core
    this.#marker = createReadMarker(core)
    this.#alarm = createAlarm(core)
    this.#mutedChannels = watchMutes(core)
    this.#shares = new ShareWatch(core)
    this.#closing = createPollClosing(core)
    this.#tracks = new Tracks(core)
    this.#upkeep = options.openSearch && createUpkeep(upkeepOf(core))
    this.#listener = new ConnectionListener(core)
    this.#connection = options.connect(this.#listener.handlers)
    this.handlers = {
      channels: channelCalls(core, this.#marker),
      details: detailCalls(core),
      drafts: draftCalls(core),
      emoji: emojiCalls(core),
      links: linkCalls(core),
      locations: locationCalls(core, this.#shares, this.#tracks),
      messages: messageCalls(core),
      moderation: moderationCalls(core),
      outbox: outboxCalls(core),
      people: peopleCalls(core),
      polls: pollCalls(core),
      reminders: reminderCalls(core),
      search: searchCalls(core),
      threads: threadCalls(core, this.#marker),
      uploads: uploadCalls(core),
    }
  }

  start(): void {
    const { committed, collector } = this.#changes
    const core = this.#core
    const steps = [
      () => core.outbox.recoverInflight(),
      () => this.#shares.start(),
      () => this.#closing.start(),
      () => this.#tracks.start(),
      // Intents that became due while the app was closed.
      () => core.runner.kick(),
      () => this.#listener.lost(),
      () => core.housekeeping.start(),
      () => this.#upkeep?.start(),
      () => forgetOldReminders(core),
      () => loadUploadRules(core),
      () => tidyStaging(core, new Set(drafts.all(this.stores.outbox.reader).flatMap((row) => row.uploadIds))),
      () => this.#connection.start(),
    ]
    committed.add(this.#closing.committed)
    committed.add((touched) => this.#tracks.committed(touched))
    collector.onFlush(() => this.#upkeep?.committed())
    for (const step of steps) startStep(core, step)
    collector.onFlush((commit) => {
      if (commit.remindersChanged) this.#alarm.plan()
    })
    collector.onFlush((commit) => bringBack(core, commit))
    collector.onFlush(() => this.#mutedChannels.committed())
    startStep(core, () => this.#mutedChannels.committed())
  }

  async stop(): Promise<void> {
    const core = this.#core
    const steps = [
      () => this.#listener.ending(),
      () => this.#marker.flush(),
      () => core.drafts().flush(),
      () => core.delivery.stop(),
      () => core.threads().stop(),
      () => this.#alarm.stop(),
      () => this.#mutedChannels.stop(),
      () => this.#life.abort(),
      () => core.errands.drop(),
      () => this.#connection.stop(),
      () => core.runner.stop(),
      () => this.#changes.collector.stop(),
      () => core.early.stop(),
      () => core.housekeeping.stop(),
      () => this.#upkeep?.stop(),
      () => core.typing.clear(),
      () => core.assistants.clear(),
      () => core.search.close(),
      () => this.stores.close(),
    ]
    // A failing disk must not leave files open.
    for (const step of steps) await stopStep(core, step)
  }

  attach(client: ClientId, { lastChannel }: { readonly lastChannel?: Cid | undefined }): ChangeSet {
    return this.#changes.collector.attach(client, lastChannel)
  }

  detach(client: ClientId): void {
    this.#changes.collector.detach(client)
    this.#memory.focuses.delete(client)
  }

  onCommitted(listener: (commit: Commit) => void): () => void {
    return this.#changes.collector.onFlush(listener)
  }

  publish({ session, settings, serverRestarting, renewalFails }: Parameters<Engine['publish']>[0]): void {
    const { collector } = this.#changes
    const memory = this.#memory
    if (session) memory.session = session
    if (settings) this.#settingsChanged(settings)
    if (serverRestarting !== undefined) memory.connection = { ...memory.connection, serverRestarting }
    if (session) collector.touch('session', 'self')
    if (settings) collector.touch('settings', 'self')
    if (renewalFails !== undefined) memory.renewalFails = renewalFails
    if (serverRestarting !== undefined || renewalFails !== undefined) collector.touch('connection', 'self')
    this.#core.trouble.check()
  }

  notify(notice: Omit<Notice, 'id' | 'createdAt'>): void {
    this.#core.notify(notice)
  }

  notices(): readonly Notice[] {
    return this.#memory.notices
  }

  reportFocus(client: ClientId, focus: Focus): void {
    const { focuses } = this.#memory
    const wasFocused = focuses.get(client)?.focused === true
    focuses.set(client, focus)
    if (focus.focused && !wasFocused) this.onActivity()
  }

  focuses(): readonly Focus[] {
    return [...this.#memory.focuses.values()]
  }

  unsentCount(): number {
    return this.#core.outbox.all().filter((intent) => !LOSSLESS.has(intent.kind)).length
  }

  sending(): ActiveUploads {
    return activeUploads(this.#core)
  }

  badge(): Badge {
    return this.#changes.collector.badge()
  }

  connection(): Connection {
    return this.#memory.connection
  }

  onRing(listener: (ring: Ring) => void): () => void {
    return this.#alarm.onRing(listener)
  }

  invites(): readonly ChannelInvite[] {
    return this.#memory.inbox.invites
  }

  aboutReminder(messageId: MessageId): AboutReminder | undefined {
    return aboutReminder(this.#core.context, messageId)
  }

  aboutArrival(messageId: MessageId): AboutArrival | undefined {
    return aboutArrival(this.#core.context, messageId)
  }

  previewPicture(ref: string): string | undefined {
    return previewPicture(this.#core, ref)
  }

  exported(what: ExportOrder): Iterable<ExportPiece> {
    return exportPieces(this.#core.context, what)
  }

  woke(): void {
    this.#alarm.plan()
  }

  sharesUntil(): number | undefined {
    return this.#shares.endsAt()
  }

  stopSharing(): void {
    this.#shares.stopAll()
  }

  serverNow(): number {
    return this.#core.serverNow()
  }

  onActivity(): void {
    this.#connection.onActivity()
    this.#core.errands.onActivity()
  }

  reconnectNow(): void {
    this.#connection.reconnectNow()
    this.#core.errands.retryAll()
    this.#core.runner.retryAll()
  }

  diagnostics(): Diagnostics {
    return diagnose(this.#core, this.#connection)
  }

  get #memory(): Memory {
    return this.#changes.memory
  }

  #settingsChanged(settings: Settings): void {
    const core = this.#core
    const before = core.memory.settings
    core.memory.settings = settings
    this.#upkeep?.settingsChanged()
    storeQueuedMarks(core, before)
    this.#tracks.settingsChanged(before)
    if (before.syncDrafts !== settings.syncDrafts) core.drafts().settingsChanged()
    if (isSamePrivacy(before, settings) || !core.isHealthy() || core.cache.reader.isGuest) return
    const work = () => sendPrivacy(core, privacyOf(before))
    core.errands.begin({ key: 'privacy', part: 'workspace', isFresh: true, work })
  }
}

/** If the disk refuses writes, everything starts anyway; the failed step is repeated once it accepts them again. */
function startStep(core: Pick<Core, 'life' | 'log' | 'ports' | 'runner'>, step: () => unknown): void {
  try {
    step()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    core.log('engine').warn('not-begun', { code: error.code })
    core.ports.clock.after(DISK_RETRY_MS, () => {
      if (core.life.aborted) return
      step()
      core.runner.kick()
    })
  }
}

async function stopStep(core: Pick<Core, 'log'>, step: () => unknown): Promise<void> {
  try {
    await step()
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    core.log('engine').error('not-ended', { error: code ?? (error instanceof Error ? error.message : 'unknown') })
  }
}

function upkeepOf(
  core: Pick<Core, 'collector' | 'log' | 'memory' | 'ports' | 'serverNow' | 'stores'>,
): Parameters<typeof createUpkeep>[0] {
  return {
    stores: core.stores,
    clock: core.ports.clock,
    serverNow: core.serverNow,
    settings: () => core.memory.settings,
    onScreen: () => new Set(core.collector.openLists().map(({ cid }) => cid)),
    log: core.log('upkeep'),
  }
}
