import type { AppError } from '#shared/lib/app-error.ts'
import type { Connection } from '#shared/domain/session.ts'
import { getApp, type AppSettings } from '#shared/wire/app.ts'
import { RECOVERY_PAGE } from '#shared/constants.ts'
import type { Cid } from '#shared/lib/brand.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as users from '#main/cache/people/users.ts'
import { isDiskTrouble, isReadable, DISK_RETRY_MS } from '#main/lib/disk-error.ts'
import { pause } from '#main/lib/clock.ts'
import { isFocused } from '../changes/memory.ts'
import type { Core, LiveEvents, Recovery } from '../core.ts'
import { countOf } from '../decode/read.ts'
import { storeEmoji } from '../features/emoji/receive.ts'
import { fetchReminders } from '../features/reminders/fetch.ts'
import { askWaiting } from '../features/manage/review/decisions.ts'
import { storeUploadRules } from '../features/uploads/staging.ts'
import { sendPrivacy } from '../features/users/privacy.ts'
import type { ConnectionHandlers } from '../realtime/transport.ts'
import { ingest, inStepUntil, knownUntil } from './ingest.ts'
import { recover, refreshThread, refreshTimeline } from './recover.ts'
import { writeMe } from './write.ts'
import { fetchThese, PACE_MS } from './list.ts'

type Greeted = Parameters<ConnectionHandlers['onHealthy']>[0]['me']

const BEHIND = 'local:store:behind'

type Parts = Recovery &
  LiveEvents &
  Pick<Core, 'background' | 'noticeOver' | 'outbox' | 'ports' | 'recorder' | 'runner' | 'server' | 'trouble'>

/** Reacts to the state of the connection. The order after a reconnect is fixed: recover, then send the outbox. */
export class ConnectionListener {
  readonly handlers: ConnectionHandlers
  readonly #core: Parts
  readonly #onServerApp: (app: AppSettings) => void
  /** Counts connections: a recovery of an older one stops. */
  #current = 0
  /** The disk refused facts: the cache is behind, and not even that could be stored yet. */
  #isBehind = false
  /** A notice says so. */
  #isNoticed = false
  #isRetryPlanned = false
  /** The user in the last hello of the server. */
  #greeted: Greeted

  constructor(core: Parts, onServerApp: (app: AppSettings) => void = () => {}) {
    this.#core = core
    this.#onServerApp = onServerApp
    core.syncState.fellBehind = (error) => this.#fallBehind(error)
    this.handlers = {
      onState: (connection, silentMs) => this.#onState(connection, silentMs),
      onHealthy: ({ me }) => this.#onHealthy(me),
      onEvents: (events) => this.#onEvents(events),
      isFocused: () => isFocused(core.memory),
    }
  }

  /** Marks all cached ranges as possibly outdated. */
  lost(): void {
    this.#current += 1
    this.#core.runner.shut()
    this.#core.errands.drop()
    this.#core.watched.clear()
    this.#core.syncState.caughtUp = false
    this.#core.syncState.unfetched.clear()
    this.#core.typing.clear()
    this.#core.assistants.clear()
    this.#core.memory.watchers.clear()
    this.#openRanges()
  }

  /** The program exits: stores up to when the cache is complete. */
  ending(silentMs = 0): void {
    if (!this.#core.syncState.caughtUp) return
    try {
      this.#core.write((tx) => inStepUntil(tx, this.#core.serverNow() - silentMs))
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
    }
  }

  /** Returns whether the disk accepted the write. */
  #openRanges(): boolean {
    try {
      this.#core.write((tx) => {
        ranges.markOpenEnded(tx)
        users.allOffline(tx)
        for (const id of this.#core.memory.presence.keys()) tx.touch('users', id)
        this.#core.memory.presence.clear()
      })
      this.#isBehind = false
      return true
    } catch (error) {
      this.#fallBehind(error)
      return false
    }
  }

  /**
   * Facts that the disk refused are treated like a lost connection: once it accepts writes again, everything is recovered
   * from the cursor, which has not moved.
   */
  #fallBehind(error: unknown): void {
    if (!isDiskTrouble(error)) throw error
    this.#current += 1
    this.#core.errands.drop()
    this.#core.log('connection').warn('behind', { code: error.code })
    this.#isBehind = true
    this.#core.syncState.caughtUp = false
    this.#core.syncState.unfetched.clear()
    this.#showNotice(error)
    if (this.#isRetryPlanned) return
    this.#isRetryPlanned = true
    this.#core.ports.clock.after(DISK_RETRY_MS, () => {
      this.#isRetryPlanned = false
      if (this.#core.life.aborted || !this.#isBehind || !this.#openRanges()) return
      if (this.#core.isHealthy()) this.#recoverNow()
      else this.#endNotice()
    })
  }

  /** Not for a file that another program locks for a moment, and not for damage, which has its own notices. */
  #showNotice(error: AppError): void {
    if (this.#isNoticed || !isReadable(error)) return
    this.#isNoticed = true
    const code = error.code === 'disk/full' ? 'store/no-room-for-arriving' : 'store/reading-only'
    this.#core.notify({ code, type: BEHIND, severity: 'warning', lasting: true })
  }

  #endNotice(): void {
    this.#isNoticed = false
    this.#core.noticeOver(BEHIND)
  }

  #recoverNow(): void {
    this.#current += 1
    this.#core.errands.drop()
    const mine = this.#current
    const isCurrent = () => mine === this.#current && !this.#core.life.aborted
    this.#core.background('recover', async () => {
      try {
        if (this.#isBehind && !this.#openRanges()) return
        const me = this.#greeted
        if (me) this.#core.write((tx) => writeMe(tx, me, this.#core.asOf()))
        this.#beginErrands(me)
        await recover(this.#core, isCurrent)
        if (!isCurrent()) return
        this.#endNotice()
        this.#core.runner.open()
        for (const cid of this.#core.watched) this.#core.delivery.note(cid)
        if (isGuest(this.#core)) return
        this.#core.threads().recovered()
        this.#core.drafts().load()
        this.#core.errands.begin({ key: 'reminders', part: 'reminders', work: () => fetchReminders(this.#core) })
      } catch (error) {
        if (isCurrent()) this.#fallBehind(error)
      }
    })
  }

  /** Background work that nothing waits for. */
  #beginErrands(me: Greeted): void {
    this.#core.errands.begin({
      key: 'app-settings',
      part: 'workspace',
      work: () => fetchAppSettings(this.#core, this.#onServerApp),
    })
    // Changes that this account missed are in no log of events.
    this.#core.errands.begin({ key: 'review', part: 'workspace', work: () => askWaiting(this.#core) })
    if (me && !isGuest(this.#core))
      this.#core.errands.begin({ key: 'privacy', part: 'workspace', work: () => sendPrivacy(this.#core, me) })
  }

  #onState(connection: Connection, silentMs?: number): void {
    const before = this.#core.memory.connection
    this.#core.recorder.connection(connection)
    const isHealthy = connection.state === 'healthy'
    if (before.state === 'healthy' && !isHealthy) this.ending(silentMs)
    const until = isHealthy ? undefined : knownUntil(this.#core.cache.reader)
    this.#core.memory.connection = {
      ...connection,
      serverRestarting: before.serverRestarting,
      ...(until === undefined ? {} : { knownUntil: until }),
    }
    this.#core.collector.touch('connection', 'self')
    this.#core.trouble.check()
    if ((before.state === 'healthy') === isHealthy) return
    // Unsent messages are shown as "sending" or "queued" depending on the connection.
    for (const intent of this.#core.outbox.all()) {
      if (intent.kind === 'send-message' && intent.messageId) this.#core.collector.touch('messages', intent.messageId)
    }
    if (before.state === 'healthy') this.lost()
  }

  #onHealthy(me: Greeted): void {
    this.#greeted = me
    if (me) this.#core.memory.inbox = { ...this.#core.memory.inbox, unreadThreads: countOf(me.unread_threads) ?? 0 }
    this.#core.collector.touch('inbox', 'self')
    this.#recoverNow()
  }

  #onEvents(events: Parameters<ConnectionHandlers['onEvents']>[0]): void {
    // Live events would be shown next to missing ones as if nothing were missing: the recovery fetches both.
    if (this.#isBehind) return
    try {
      const refetch = ingest(this.#core, { events, live: true })
      refetchChannels(this.#core, refetch)
    } catch (error) {
      this.#fallBehind(error)
    }
  }
}

/**
 * Limits for uploads (without them only the size is checked here, and the server checks the rest), and custom emoji.
 */
async function fetchAppSettings(core: Parts, onServerApp: (app: AppSettings) => void): Promise<void> {
  const { app } = await core.api.send(getApp, { signal: core.life })
  onServerApp(app)
  storeUploadRules(core, app)
  if (!isGuest(core)) await storeEmoji(core, app)
}

/** The server stores nothing for a guest: no reads, drafts, threads or reminders. */
const isGuest = ({ cache }: Pick<Core, 'cache'>): boolean => cache.reader.isGuest === true

type RefetchParts = Recovery & Pick<Core, 'delivery' | 'me' | 'ports' | 'syncState'>

/** So many channels named at once are fetched each for itself, completely. */
const FEW = 3
/** Pages without a pause between them. */
const AT_ONCE = 10

/**
 * Channels named by events: fetched completely, with their threads that are on a screen. A campaign or an import names
 * thousands in a few seconds. Asking for each of them would exceed the limits of servers and hold up everything else, so
 * those that nobody looks at are fetched in pages, as the list is.
 */
function refetchChannels(core: RefetchParts, cids: readonly Cid[]): void {
  const open = core.collector.openLists()
  const shown = new Set(open.map((view) => view.cid))
  const { unfetched } = core.syncState
  const isMany = cids.length > FEW || unfetched.size > 0
  for (const cid of cids) {
    if (isMany && !shown.has(cid)) unfetched.add(cid)
    else refreshTimeline(core, cid)
  }
  for (const { cid, parentId } of open) {
    if (parentId !== undefined && cids.includes(cid)) refreshThread(core, cid, parentId)
  }
  if (unfetched.size === 0) return
  core.errands.begin({ key: 'named', part: 'channels', isLong: true, work: () => fetchNamed(core, unfetched) })
}

/** Channels that are named again while they are fetched are fetched once more. */
async function fetchNamed(core: RefetchParts, unfetched: Set<Cid>): Promise<void> {
  for (let page = 0; unfetched.size > 0; page += 1) {
    if (page >= AT_ONCE) await pause(core.ports.clock, PACE_MS, core.life)
    const cids = [...unfetched].slice(0, RECOVERY_PAGE)
    for (const cid of cids) unfetched.delete(cid)
    try {
      const listed = await fetchThese(core, cids)
      const silent = cids.filter((cid) => !listed.has(cid))
      const hidden = await fetchThese(core, silent, undefined, { hidden: true })
      // Whether the others are gone is for the server to say, one by one.
      for (const cid of silent) if (!hidden.has(cid)) refreshTimeline(core, cid)
    } catch (error) {
      for (const cid of cids) unfetched.add(cid)
      throw error
    }
  }
}
