import type { Connection } from '#shared/domain/connection.ts'
import type { UploadRules } from '#shared/rules/uploads.ts'
import { getApp } from '#shared/wire/app.ts'
import * as ranges from '#main/cache/tables/ranges.ts'
import * as users from '#main/cache/tables/users.ts'
import type { Core } from '../core.ts'
import { asList, asWire, countOf } from '../decode/read.ts'
import { refetchChannels } from '../features/channels/calls.ts'
import { fetchReminders } from '../features/reminders/fetch.ts'
import { tellPrivacy } from '../features/users/privacy.ts'
import type { ConnectionHandlers } from '../realtime/connection.ts'
import { ingest } from './ingest.ts'
import { recover } from './recover.ts'
import { writeMe } from './write.ts'

/** What the engine does as the connection comes and goes. The order after a reconnect is fixed: recover, then drain. */
export type Line = {
  readonly handlers: ConnectionHandlers
  /** Nothing that is held reaches up to now any more. */
  lost(): void
}

export function createLine(core: Core): Line {
  /** Counts connections: what a recovery of an older one still wants to do is dropped. */
  let current = 0

  function lost(): void {
    current += 1
    core.runner.shut()
    core.watched.clear()
    core.line.caughtUp = false
    core.typing.clear()
    core.memory.watchers.clear()
    core.write((tx) => {
      ranges.loosenAll(tx)
      users.allOffline(tx)
    })
  }

  function onState(connection: Connection): void {
    const before = core.memory.connection
    core.recorder.connection(connection)
    core.memory.connection = { ...connection, serverRestarting: before.serverRestarting }
    core.collector.touch('connection', 'self')
    if ((before.state === 'healthy') === (connection.state === 'healthy')) return
    // Unsent messages are "sending" or "queued" by the connection.
    for (const intent of core.outbox.all()) {
      if (intent.kind === 'send-message' && intent.messageId) core.collector.touch('messages', intent.messageId)
    }
    if (before.state === 'healthy') lost()
  }

  const onHealthy: ConnectionHandlers['onHealthy'] = ({ me }) => {
    current += 1
    const mine = current
    const isCurrent = () => mine === current && !core.life.aborted
    if (me) core.write((tx) => writeMe(tx, me, core.asOf()))
    if (me) core.memory.inbox = { unreadThreads: countOf(me.unread_threads) ?? 0 }
    core.collector.touch('inbox', 'self')
    core.background('app-settings', () => fetchAppSettings(core))
    if (me) core.background('privacy', () => tellPrivacy(core, me['privacy_settings']))
    core.background('recover', async () => {
      await recover(core, isCurrent)
      if (!isCurrent()) return
      core.runner.open()
      for (const cid of core.watched) core.delivery.note(cid)
      core.threads().recovered()
      core.background('drafts', () => core.drafts().load())
      await fetchReminders(core)
    })
  }

  return {
    lost,
    handlers: {
      onState,
      onHealthy,
      onEvents(events) {
        const refetch = ingest(core, { events, live: true })
        if (refetch.length > 0) core.background('refetch', () => refetchChannels(core, refetch))
      },
    },
  }
}

/** The checks for uploads. Without them only the size is checked here, and the server judges the rest. */
async function fetchAppSettings(core: Core): Promise<void> {
  const { app } = await core.api.send(getApp, { signal: core.life })
  core.memory.uploadRules = { image: rulesOf(app?.image_upload_config), file: rulesOf(app?.file_upload_config) }
}

/** Lenient as everything from the wire: a list that is missing or odd is no rule. */
function rulesOf(value: unknown): UploadRules {
  const wire = asWire(value) ?? {}
  const list = (key: string) => asList(wire[key]).filter((item) => typeof item === 'string')
  return {
    allowed_file_extensions: list('allowed_file_extensions'),
    blocked_file_extensions: list('blocked_file_extensions'),
    allowed_mime_types: list('allowed_mime_types'),
    blocked_mime_types: list('blocked_mime_types'),
    size_limit: countOf(wire['size_limit']) ?? 0,
  }
}
