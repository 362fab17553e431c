import type { UploadConfig } from '#shared/wire/app.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Ephemerals } from './commands/commands.ts'
import { people, type People } from './messages/encode-messages.ts'
import type { Limits } from './http/limits.ts'
import type { Proxies } from './http/server.ts'
import type { Meter } from './http/metrics.ts'
import type { FileUrls } from './uploads/upload-files.ts'
import { deliver, ready, type Emission, type Ready } from './realtime/emission.ts'
import type { Previews } from './og/previews.ts'
import { queueEvent } from './integrations/queue-event.ts'
import type { Programs } from './integrations/programs.ts'
import type { Pictures } from './uploads/pictures.ts'
import type { Hub } from './realtime/hub.ts'
import type { Presence } from './realtime/presence.ts'
import { stampChannel } from './channels/channel-table.ts'
import { logEvent } from './store/event-table.ts'
import type { Blobs } from './store/blobs.ts'
import type { Db } from './store/db.ts'
import { fromText, MS, type Micros, wakeDueTimer } from './store/time.ts'

/** What every part of the server works with. */
export type Services = {
  readonly db: Db
  readonly blobs: Blobs
  readonly hub: Hub
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly apiKey: string
  readonly secret: string
  /** `http://127.0.0.1:PORT`, once the port is known. */
  readonly localUrl: () => string
  /** What addresses in responses begin with: that of the network if the server has one, otherwise {@link localUrl}. */
  readonly baseUrl: () => string
  /**
   * The hosts under which a request may call: present on the port that strangers of a network reach, where server tokens
   * and guests are refused. `proxies` are those that name the address of a caller.
   */
  readonly door?: { readonly hosts: Pick<ReadonlySet<string>, 'has'>; readonly proxies?: Proxies }
  /** Addresses of uploads, as responses name them. */
  readonly fileUrls: FileUrls
  readonly uploadConfig: UploadConfig
  /** Uploads of all people together; absent: as much as the disk has. */
  readonly mostUploadBytes: number | undefined
  readonly limits: Limits
  readonly meter: Meter
  readonly presence: Presence
  /** Replies of commands that wait for a button. */
  readonly ephemerals: Ephemerals
  readonly previews: Previews
  readonly programs: Programs
  readonly pictures: Pictures
  /** Fetches previews for links of sent messages automatically. */
  readonly enrichSent: boolean
  readonly isOnline: (userId: string) => boolean
}

/** One request's transaction: the rows it changes and the events that follow from them. */
export type Work = Services & {
  readonly now: Micros
  readonly people: People
  /** The next strictly growing time of a channel. */
  stamp(cid: string): Micros
  /** Encoded now, sent after the commit, in this order. */
  emit(emission: Emission): void
  /** Runs after the commit and after the events were handed out. */
  afterwards(step: () => void): void
}

/** Runs `step` in one transaction; its events are sent only when everything is on disk. See docs/wire.md 8.22. */
export function transact<T>(services: Services, step: (work: Work) => T): T {
  const staged = stage(services, step)
  staged.finish()
  return staged.result
}

/** Runs a step in a transaction: {@link transact}, or the shared one of a group commit. */
export type Within = <T>(services: Services, step: (work: Work) => T) => T

/** A step whose rows are written. */
export type Staged<T> = {
  readonly result: T
  /** The step also changes something after its commit, besides sending events. */
  readonly changesMore: boolean
  /** Sends its events: only once everything is on disk. */
  finish(): void
}

/** The first half of {@link transact}: in its own transaction, or in a savepoint of the one that is open. */
export function stage<T>(services: Services, step: (work: Work) => T): Staged<T> {
  const batch: Ready[] = []
  const later: (() => void)[] = []
  let queued = false
  const result = services.db.transaction(() => {
    const work: Work = {
      ...services,
      now: Math.round(services.clock.now() * MS),
      people: people(services.db, services.isOnline, services.fileUrls.fresh),
      stamp: (cid) => stampChannel(services.db, cid, work.now),
      emit(emission) {
        batch.push(encode(services.db, emission))
        if (queueEvent(work, emission)) queued = true
      },
      afterwards: (run) => later.push(run),
    }
    return step(work)
  })
  return {
    result,
    changesMore: later.length > 0,
    finish() {
      deliver(batch, services.hub, services.db)
      for (const run of later) run()
      if (queued) wakeDueTimer(services.db)
    },
  }
}

/**
 * A step that may fail without failing the request: its rows are then rolled back and its
 * events are never sent.
 */
export function trying<T>(work: Work, step: (work: Work) => T): T {
  const held: Emission[] = []
  const later: (() => void)[] = []
  const inner: Work = { ...work, emit: (emission) => held.push(emission), afterwards: (run) => later.push(run) }
  const result = work.db.transaction(() => step(inner))
  for (const emission of held) work.emit(emission)
  for (const run of later) work.afterwards(run)
  return result
}

function encode(db: Db, emission: Emission): Ready {
  const encoded = ready(emission)
  const { event } = emission
  const cid = 'cid' in event ? event.cid : undefined
  if (emission.log && typeof cid === 'string') {
    const at = fromText(event['created_at']) ?? 0
    for (const userId of logReaders(emission.log)) {
      logEvent(db, { cid, userId, at, type: event.type, json: encoded.encoded.json })
    }
  }
  return encoded
}

function logReaders(log: NonNullable<Emission['log']>): readonly (string | undefined)[] {
  if (log === 'channel') return [undefined]
  return 'userId' in log ? [log.userId] : log.userIds
}
