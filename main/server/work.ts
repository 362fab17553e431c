import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { UploadConfig } from '#shared/wire/app.ts'
import type { Ephemerals } from './commands/ephemerals.ts'
import { people, type People } from './messages/load-messages.ts'
import type { Limits } from './http/limits.ts'
import type { FileUrls } from './uploads/file-url.ts'
import { deliver, ready, type Emission, type Ready } from './realtime/emission.ts'
import type { Previews } from './og/previews.ts'
import type { Pictures } from './uploads/pictures/pictures.ts'
import type { Hub } from './realtime/hub.ts'
import type { Presence } from './realtime/presence.ts'
import { stampChannel } from './channels/channel-table.ts'
import { logEvent } from './store/event-table.ts'
import type { Blobs } from './store/blobs.ts'
import type { Db } from './store/db.ts'
import { fromText, MS, type Micros } from './time.ts'

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
  readonly baseUrl: () => string
  /** Addresses of uploads, as they are answered. */
  readonly fileUrls: FileUrls
  readonly uploadConfig: UploadConfig
  readonly limits: Limits
  readonly presence: Presence
  /** Answers of commands that wait for a button. */
  readonly ephemerals: Ephemerals
  readonly previews: Previews
  readonly pictures: Pictures
  /** Links of sent messages are looked at without being asked. */
  readonly enrichSent: boolean
  readonly isOnline: (userId: string) => boolean
}

/** One request's transaction: the rows it changes and the events that follow from them. */
export type Work = Services & {
  readonly now: Micros
  readonly people: People
  /** The next strictly growing time of a channel. */
  stamp(cid: string): Micros
  /** Planned now, sent after the commit, in this order. */
  emit(emission: Emission): void
  /** Runs after the commit and after the events were handed out. */
  afterwards(step: () => void): void
}

/** Runs `step` in one transaction; its events leave only when everything is on disk. See docs/wire.md 8.22. */
export function transact<T>(services: Services, step: (work: Work) => T): T {
  const staged = stage(services, step)
  staged.finish()
  return staged.result
}

/** How a step becomes a transaction: {@link transact}, or together with others. */
export type Within = <T>(services: Services, step: (work: Work) => T) => T

/** A step whose rows are written. */
export type Staged<T> = {
  readonly result: T
  /** It does more after its commit than tell of it. */
  readonly changesMore: boolean
  /** Hands its events out: only once everything is on disk. */
  finish(): void
}

/** The first half of {@link transact}: in a transaction of its own, or in a savepoint of the one that is open. */
export function stage<T>(services: Services, step: (work: Work) => T): Staged<T> {
  const batch: Ready[] = []
  const later: (() => void)[] = []
  const result = services.db.transaction(() => {
    const work: Work = {
      ...services,
      now: Math.round(services.clock.now() * MS),
      people: people(services.db, services.isOnline, services.fileUrls.fresh),
      stamp: (cid) => stampChannel(services.db, cid, work.now),
      emit: (emission) => batch.push(keep(services.db, emission)),
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
    },
  }
}

/**
 * A step that may be refused and must then have done nothing, while the request goes on: its rows are undone and its
 * events never sent.
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

function keep(db: Db, emission: Emission): Ready {
  const done = ready(emission)
  const { event } = emission
  const cid = 'cid' in event ? event.cid : undefined
  if (emission.keep && typeof cid === 'string') {
    const at = fromText(event['created_at']) ?? 0
    for (const userId of keptFor(emission.keep)) {
      logEvent(db, { cid, userId, at, type: event.type, json: done.encoded.json })
    }
  }
  return done
}

function keptFor(keep: NonNullable<Emission['keep']>): readonly (string | undefined)[] {
  if (keep === 'channel') return [undefined]
  return 'userId' in keep ? [keep.userId] : keep.userIds
}
