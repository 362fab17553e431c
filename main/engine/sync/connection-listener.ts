import type { AppError } from '#shared/lib/app-error.ts'
import type { Connection } from '#shared/domain/connection.ts'
import { getApp } from '#shared/wire/app.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import { isFocused } from '../changes/memory.ts'
import * as users from '#main/cache/people/users.ts'
import type { Core } from '../core.ts'
import { countOf } from '../decode/read.ts'
import { refetchChannels } from '../features/channels/calls.ts'
import { storeEmoji } from '../features/emoji/fetch.ts'
import { fetchReminders } from '../features/reminders/fetch.ts'
import { storeUploadRules } from '../features/uploads/rules.ts'
import { sendPrivacy } from '../features/users/privacy.ts'
import type { Stop } from '#main/lib/clock.ts'
import { isDiskTrouble, isReadable } from '#main/lib/disk-error.ts'
import { DISK_RETRY_MS } from '../disk-retry.ts'
import type { ConnectionHandlers } from '../realtime/connection.ts'
import { inStepUntil, knownUntil } from './cursor.ts'
import { ingest } from './ingest.ts'
import { recover } from './recover.ts'
import { writeMe } from './write.ts'

/** Reacts to the state of the connection. The order after a reconnect is fixed: recover, then send the outbox. */
type ConnectionListener = {
  readonly handlers: ConnectionHandlers
  /** Marks all cached ranges as possibly outdated. */
  lost(): void
  /** The program exits: stores up to when the cache is complete. */
  ending(): void
}

const BEHIND = 'local:store:behind'

export function createConnectionListener(core: Core): ConnectionListener {
  /** Counts connections: a recovery of an older one stops. */
  let current = 0
  /** The disk refused facts: the cache is behind, and not even that could be stored yet. */
  let isBehind = false
  /** A notice says so. */
  let isNoticed = false
  let planned: Stop | undefined
  /** The user in the last hello of the server. */
  let greeted: Parameters<ConnectionHandlers['onHealthy']>[0]['me']

  /** If the disk refuses this write, the cache only looks older than it is. */
  function noteInStep(silentMs = 0): void {
    if (!core.syncState.caughtUp) return
    try {
      core.write((tx) => inStepUntil(tx, core.serverNow() - silentMs))
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
    }
  }

  function lost(): void {
    current += 1
    core.runner.shut()
    core.errands.drop()
    core.watched.clear()
    core.syncState.caughtUp = false
    core.typing.clear()
    core.assistants.clear()
    core.memory.watchers.clear()
    openRanges()
  }

  /** Returns whether the disk accepted the write. */
  function openRanges(): boolean {
    try {
      core.write((tx) => {
        ranges.markOpenEnded(tx)
        users.allOffline(tx)
        for (const id of core.memory.presence.keys()) tx.touch('users', id)
        core.memory.presence.clear()
      })
      isBehind = false
      return true
    } catch (error) {
      fallBehind(error)
      return false
    }
  }

  /**
   * Facts that the disk refused are treated like a lost connection: once it accepts writes again, everything is recovered
   * from the cursor, which has not moved.
   */
  function fallBehind(error: unknown): void {
    if (!isDiskTrouble(error)) throw error
    current += 1
    core.errands.drop()
    core.log('connection').warn('behind', { code: error.code })
    isBehind = true
    core.syncState.caughtUp = false
    showNotice(error)
    planned ??= core.ports.clock.after(DISK_RETRY_MS, () => {
      planned = undefined
      if (core.life.aborted || !isBehind || !openRanges()) return
      if (core.isHealthy()) recoverNow()
      else endNotice()
    })
  }

  /** Not for a file that another program locks for a moment, and not for damage, which has notices of its own. */
  function showNotice(error: AppError): void {
    if (isNoticed || !isReadable(error)) return
    isNoticed = true
    const code = error.code === 'disk/full' ? 'store/no-room-for-arriving' : 'store/reading-only'
    core.notify({ code, type: BEHIND, severity: 'warning', lasting: true })
  }

  function endNotice(): void {
    isNoticed = false
    core.noticeOver(BEHIND)
  }

  function recoverNow(): void {
    current += 1
    core.errands.drop()
    const mine = current
    const isCurrent = () => mine === current && !core.life.aborted
    core.background('recover', async () => {
      try {
        if (isBehind && !openRanges()) return
        const me = greeted
        if (me) core.write((tx) => writeMe(tx, me, core.asOf()))
        errands(me)
        await recover(core, isCurrent)
        if (!isCurrent()) return
        endNotice()
        core.runner.open()
        for (const cid of core.watched) core.delivery.note(cid)
        if (isGuest(core)) return
        core.threads().recovered()
        core.drafts().load()
        core.errands.begin({ key: 'reminders', part: 'reminders', work: () => fetchReminders(core) })
      } catch (error) {
        if (isCurrent()) fallBehind(error)
      }
    })
  }

  /** Background work that nothing waits for. */
  function errands(me: typeof greeted): void {
    core.errands.begin({ key: 'app-settings', part: 'workspace', work: () => fetchAppSettings(core) })
    if (me && !isGuest(core))
      core.errands.begin({ key: 'privacy', part: 'workspace', work: () => sendPrivacy(core, me) })
  }

  function onState(connection: Connection, silentMs?: number): void {
    const before = core.memory.connection
    core.recorder.connection(connection)
    const isHealthy = connection.state === 'healthy'
    if (before.state === 'healthy' && !isHealthy) noteInStep(silentMs)
    const until = isHealthy ? undefined : knownUntil(core.cache.reader)
    core.memory.connection = {
      ...connection,
      serverRestarting: before.serverRestarting,
      ...(until === undefined ? {} : { knownUntil: until }),
    }
    core.collector.touch('connection', 'self')
    core.trouble.check()
    if ((before.state === 'healthy') === isHealthy) return
    // Unsent messages are shown as "sending" or "queued" depending on the connection.
    for (const intent of core.outbox.all()) {
      if (intent.kind === 'send-message' && intent.messageId) core.collector.touch('messages', intent.messageId)
    }
    if (before.state === 'healthy') lost()
  }

  const onHealthy: ConnectionHandlers['onHealthy'] = ({ me }) => {
    greeted = me
    if (me) core.memory.inbox = { ...core.memory.inbox, unreadThreads: countOf(me.unread_threads) ?? 0 }
    core.collector.touch('inbox', 'self')
    recoverNow()
  }

  function onEvents(events: Parameters<ConnectionHandlers['onEvents']>[0]): void {
    // Live events would be shown next to missing ones as if nothing were missing: the recovery fetches both.
    if (isBehind) return
    try {
      const refetch = ingest(core, { events, live: true })
      refetchChannels(core, refetch)
    } catch (error) {
      fallBehind(error)
    }
  }

  core.syncState.fellBehind = fallBehind
  return {
    lost,
    ending: noteInStep,
    handlers: { onState, onHealthy, onEvents, isFocused: () => isFocused(core.memory) },
  }
}

/**
 * Limits for uploads (without them only the size is checked here, and the server checks the rest), and custom emoji.
 */
async function fetchAppSettings(core: Core): Promise<void> {
  const { app } = await core.api.send(getApp, { signal: core.life })
  storeUploadRules(core, app)
  if (!isGuest(core)) await storeEmoji(core, app)
}

/** The server stores nothing for a guest: no reads, drafts, threads or reminders. */
const isGuest = ({ cache }: Core): boolean => cache.reader.isGuest === true
