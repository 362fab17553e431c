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
import type { Disk } from '#main/cache/files/disk.ts'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { SearchReader } from '#main/cache/search/reader.ts'
import type { Touched } from '#main/cache/tx.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import { createChanges, createCore } from './assemble.ts'
import type { Account, Badge, CallContext, ClientId, Commit, ConnectionFactory, EngineApi } from './context.ts'
import type { Core } from './core.ts'
import { diagnose } from './diagnose.ts'
import { channelCalls } from './features/channels/calls.ts'
import { watchMutes } from './features/channels/mute-ends.ts'
import { bringBack } from './features/channels/returning.ts'
import { detailCalls } from './features/channels/details.ts'
import { draftCalls } from './features/drafts/calls.ts'
import { type ExportOrder, type ExportPiece, exportPieces } from './features/export/pieces.ts'
import { emojiCalls } from './features/emoji/calls.ts'
import { previewPicture } from './features/links/calls.ts'
import { linkCalls } from './features/links/calls.ts'
import { locationCalls } from './features/locations/calls.ts'
import { createShareWatch } from './features/locations/sharing.ts'
import { createTracks } from './features/locations/tracks.ts'
import { messageCalls } from './features/messages/calls.ts'
import { type AboutArrival, aboutArrival } from './features/notifications/about.ts'
import { outboxCalls } from './features/outbox/calls.ts'
import { moderationCalls } from './features/moderation/calls.ts'
import { peopleCalls } from './features/people/calls.ts'
import { createPollClosing } from './features/polls/closing.ts'
import { pollCalls } from './features/polls/calls.ts'
import { type AboutReminder, aboutReminder } from './features/reminders/about.ts'
import { createAlarm, type Ring } from './features/reminders/alarm.ts'
import { forgetOldReminders, reminderCalls } from './features/reminders/calls.ts'
import { createReadMarker } from './features/reads/marker.ts'
import { keepWaiting } from './features/reads/traceless.ts'
import { searchCalls } from './features/search/calls.ts'
import { threadCalls } from './features/threads/calls.ts'
import { isSamePrivacy, privacyOf, sendPrivacy } from './features/users/privacy.ts'
import { uploadCalls } from './features/uploads/calls.ts'
import { recallUploadRules } from './features/uploads/rules.ts'
import { tidyStaging } from './features/uploads/staging.ts'
import { LOSSLESS, activeUploads, type ActiveUploads } from './features/uploads/active-uploads.ts'
import type { Ports } from './ports.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import { SICK_DISK_MS } from './sick-disk.ts'
import type { Focus } from './changes/memory.ts'
import { createLine } from './sync/line.ts'
import { createUpkeep } from './upkeep.ts'

export type EngineOptions = {
  readonly ports: Ports
  readonly account: Account
  /** Opens the account's two databases, on the real disk unless another is given; the engine closes them in `stop`. */
  readonly openStores: (onCommit: (touched: Touched) => void, disk?: Disk) => Stores
  /**
   * Searches in a thread of its own, and says that this engine keeps its index: without it nothing is indexed, and what
   * was not is searched one by one on the caller's thread.
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

/** Bridge areas the engine answers. `app`, `data`, `notifications`, `session` and `settings` are composed around it. */
type EngineHandlers = {
  readonly [
    Area in Exclude<
      keyof Contract,
      'app' | 'certificates' | 'data' | 'desktop' | 'lock' | 'notifications' | 'session' | 'settings' | 'updates'
    >
  ]: HandlersOf<Area, CallContext>
}

/** One account: facts, intents, and what its windows show. */
export type Engine = {
  /** For reading media addresses; no one but the engine writes. */
  readonly stores: Stores
  readonly handlers: EngineHandlers
  /** The address of a picture that `LinkPreview.picture` names. */
  previewPicture(ref: string): string | undefined
  /** Reads the cache and starts connecting. Returns before any request. */
  start(): void
  /** Stops timers and requests; what was in flight becomes ready again at the next start. */
  stop(): Promise<void>
  /** Snapshot for a window, at a revision; commits from that revision on are for this client too. */
  attach(client: ClientId, input: { readonly lastChannel?: Cid | undefined }): ChangeSet
  detach(client: ClientId): void
  /** Hears every commit, after it is on disk. At most one per turn of the event loop. */
  onCommitted(listener: (commit: Commit) => void): () => void
  /** Entities that are made elsewhere and travel the same door out. */
  publish(values: {
    readonly session?: Session
    readonly settings?: Settings
    readonly serverRestarting?: boolean
    /** Whether the last token that was asked for did not come. */
    readonly renewalFails?: boolean
  }): void
  /** Tells a person something once, keeps it in the log. */
  notify(notice: Omit<Notice, 'id' | 'createdAt'>): void
  notices(): readonly Notice[]
  reportFocus(client: ClientId, focus: Focus): void
  /** Where any window of this account stands: for notifications. */
  focuses(): readonly Focus[]
  /** Unsent things of this account, to warn before signing out. */
  unsentCount(): number
  /** What a quit would interrupt, or keep for the next start. */
  sending(): ActiveUploads
  /** Unread over all channels that are not muted, by query. */
  badge(): Badge
  /** How its line stands. */
  connection(): Connection
  /** Reminders that became due, each once for each time, with or without a window and a line. */
  onRing(listener: (ring: Ring) => void): () => void
  /** The reminder of a message and what to say of it outside of a window; absent when there is none. */
  /** Invitations that wait for an answer, as far as this computer has heard. */
  invites(): readonly ChannelInvite[]
  aboutReminder(messageId: MessageId): AboutReminder | undefined
  /** What a notification of a message needs; absent when the message or its channel is not (or no longer) here. */
  aboutArrival(messageId: MessageId): AboutArrival | undefined
  /** The messages held here as a file, piece by piece. */
  exported(what: ExportOrder): Iterable<ExportPiece>
  /** The computer was asleep, or its clock was set: reminders may be due. */
  woke(): void
  /** When the last live share ends that this start of the program began; absent while none runs. Server's clock. */
  sharesUntil(): number | undefined
  /** Ends them all, at once. */
  stopSharing(): void
  /** Epoch milliseconds on the server's clock. */
  serverNow(): number
  reconnectNow(): void
  /** Someone is there: see {@link ConnectionControl.attended}; the same for what this connection still owes. */
  attended(): void
  /** Numbers, names and times without any content, to be read and copied. */
  diagnostics(): Diagnostics
}

export type { Focus }

/**
 * Puts one engine together. Nothing happens before `start`; `attach` answers from the cache even without it.
 */
export function createEngine(options: EngineOptions): Engine {
  const changes = createChanges(options)
  const life = new AbortController()
  const core = createCore(options, changes, life.signal)
  const { collector, memory, stores } = changes
  const marker = createReadMarker(core)
  const alarm = createAlarm(core)
  const mutedChannels = watchMutes(core)
  const shares = createShareWatch(core)
  const closing = createPollClosing(core)
  const tracks = createTracks(core)
  const upkeep = options.openSearch && createUpkeep(upkeepOf(core))
  const line = createLine(core)
  const connection = options.connect(line.handlers)
  const { focuses } = memory

  function settingsChanged(settings: Settings): void {
    const before = memory.settings
    memory.settings = settings
    upkeep?.settingsChanged()
    keepWaiting(core, before)
    tracks.settingsChanged(before)
    if (before.syncDrafts !== settings.syncDrafts) core.drafts().settingsChanged()
    if (isSamePrivacy(before, settings) || !core.isHealthy() || core.cache.reader.isGuest) return
    const work = () => sendPrivacy(core, privacyOf(before))
    core.errands.begin({ key: 'privacy', part: 'workspace', isFresh: true, work })
  }

  function attended(): void {
    connection.attended()
    core.errands.onActivity()
  }

  return {
    stores,
    previewPicture: (ref) => previewPicture(core, ref),
    handlers: {
      channels: channelCalls(core, marker),
      details: detailCalls(core),
      drafts: draftCalls(core),
      emoji: emojiCalls(core),
      links: linkCalls(core),
      locations: locationCalls(core, shares, tracks),
      messages: messageCalls(core),
      moderation: moderationCalls(core),
      outbox: outboxCalls(core),
      people: peopleCalls(core),
      polls: pollCalls(core),
      reminders: reminderCalls(core),
      search: searchCalls(core),
      threads: threadCalls(core, marker),
      uploads: uploadCalls(core),
    },
    start() {
      const steps = [
        () => core.outbox.recoverInflight(),
        () => shares.start(),
        () => closing.start(),
        () => tracks.start(),
        // What was to be sent or deleted while the app was closed.
        () => core.runner.kick(),
        () => line.lost(),
        () => core.housekeeping.start(),
        () => upkeep?.start(),
        () => forgetOldReminders(core),
        () => recallUploadRules(core),
        () => tidyStaging(core, new Set(drafts.all(stores.outbox.reader).flatMap((row) => row.uploadIds))),
        () => connection.start(),
      ]
      changes.committed.add(closing.committed)
      changes.committed.add(tracks.committed)
      collector.onFlush(() => upkeep?.committed())
      for (const step of steps) begun(core, step)
      collector.onFlush((commit) => {
        if (commit.remindersChanged) alarm.plan()
      })
      collector.onFlush((commit) => bringBack(core, commit))
      collector.onFlush(() => mutedChannels.committed())
      begun(core, () => mutedChannels.committed())
    },
    async stop() {
      const steps = [
        () => line.ending(),
        () => marker.flush(),
        () => core.drafts().flush(),
        () => core.delivery.stop(),
        () => core.threads().stop(),
        () => alarm.stop(),
        () => mutedChannels.stop(),
        () => life.abort(),
        () => core.errands.drop(),
        () => connection.stop(),
        () => core.runner.stop(),
        () => collector.stop(),
        () => core.early.stop(),
        () => core.housekeeping.stop(),
        () => upkeep?.stop(),
        () => core.typing.clear(),
        () => core.assistants.clear(),
        () => core.search.close(),
        () => stores.close(),
      ]
      // What the disk does not take now, or cannot be read any more, is no reason to leave its files open.
      for (const step of steps) await ended(core, step)
    },
    attach: (client, { lastChannel }) => collector.attach(client, lastChannel),
    detach(client) {
      collector.detach(client)
      focuses.delete(client)
    },
    onCommitted: (listener) => collector.onFlush(listener),
    publish({ session, settings, serverRestarting, renewalFails }) {
      if (session) memory.session = session
      if (settings) settingsChanged(settings)
      if (serverRestarting !== undefined) memory.connection = { ...memory.connection, serverRestarting }
      if (session) collector.touch('session', 'self')
      if (settings) collector.touch('settings', 'self')
      if (renewalFails !== undefined) memory.renewalFails = renewalFails
      if (serverRestarting !== undefined || renewalFails !== undefined) collector.touch('connection', 'self')
      core.trouble.look()
    },
    notify: core.notify,
    notices: () => memory.notices,
    reportFocus(client, focus) {
      const wasFocused = focuses.get(client)?.focused === true
      focuses.set(client, focus)
      if (focus.focused && !wasFocused) attended()
    },
    focuses: () => [...focuses.values()],
    unsentCount: () => core.outbox.all().filter((intent) => !LOSSLESS.has(intent.kind)).length,
    sending: () => activeUploads(core),
    badge: () => collector.badge(),
    connection: () => memory.connection,
    onRing: (listener) => alarm.onRing(listener),
    invites: () => memory.inbox.invites,
    aboutReminder: (messageId) => aboutReminder(core.context, messageId),
    aboutArrival: (messageId) => aboutArrival(core.context, messageId),
    exported: (what) => exportPieces(core.context, what),
    woke: () => alarm.plan(),
    sharesUntil: shares.endsAt,
    stopSharing: shares.stopAll,
    serverNow: core.serverNow,
    attended,
    reconnectNow() {
      connection.reconnectNow()
      core.errands.retryAll()
      core.runner.retryAll()
    },
    diagnostics: () => diagnose(core, connection),
  }
}

/** On a disk that takes nothing everything starts all the same; what has to be written is, once there is room. */
function begun(core: Core, step: () => unknown): void {
  try {
    step()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    core.log('engine').warn('not-begun', { code: error.code })
    core.ports.clock.after(SICK_DISK_MS, () => {
      if (core.life.aborted) return
      step()
      core.runner.kick()
    })
  }
}

async function ended(core: Core, step: () => unknown): Promise<void> {
  try {
    await step()
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    core.log('engine').error('not-ended', { error: code ?? (error instanceof Error ? error.message : 'unknown') })
  }
}

function upkeepOf(core: Core): Parameters<typeof createUpkeep>[0] {
  return {
    stores: core.stores,
    clock: core.ports.clock,
    serverNow: core.serverNow,
    settings: () => core.memory.settings,
    onScreen: () => new Set(core.collector.openLists().map(({ cid }) => cid)),
    log: core.log('upkeep'),
  }
}
