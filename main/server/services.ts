import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { UploadConfig } from '#shared/wire/app.ts'
import { Ephemerals } from './commands/ephemerals.ts'
import { Limits, LOCAL_LIMITS, type CallLimits } from './http/limits.ts'
import type { Net } from './og/fetch.ts'
import { Previews } from './og/previews.ts'
import { noPictures, threadPictures } from './uploads/pictures/pictures.ts'
import { Hub } from './realtime/hub.ts'
import { Presence } from './realtime/presence.ts'
import { openBlobs, type Disk } from './store/blobs.ts'
import { openStore } from './store/open.ts'
import { addressSeconds } from './admin/app-settings.ts'
import { signedUrls } from './uploads/file-url.ts'
import type { Services } from './work.ts'

export type ServicesOptions = {
  readonly dataFolder: string
  readonly apiKey: string
  /** Signs and checks tokens: 256 random bits or more. */
  readonly secret: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: LogSink
  /** The server's own URL, once the port is known. */
  readonly baseUrl: () => string
  readonly uploads?: Partial<UploadConfig>
  /** How link previews are fetched; absent: they are not. */
  readonly net?: Net
  /** The entry file of the worker thread that resizes pictures; absent: no smaller sizes are made. */
  readonly picturesEntry?: string
  /** Fetches previews for links of sent messages without being asked. Off by default, as the product promises. */
  readonly enrichSent?: boolean
  /** Calls per minute that differ from {@link LOCAL_LIMITS}. */
  readonly limits?: Partial<CallLimits>
  /** Connections of all users together, where more than the default 256 are needed. */
  readonly maxConnections?: number
  /** Where uploads are written; the file system by default. */
  readonly disk?: Disk
}

/** An empty list is no rule; what could run as a program or a page is only ever served as a download. */
const EVERY_FILE: UploadConfig = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: UPLOAD_LIMIT_BYTES,
}

/** Opens the store of a data folder, with no one connected. The caller closes `db` and stops `presence`. */
export function openServices(options: ServicesOptions): Services {
  const { dataFolder, clock, ids, apiKey, secret, baseUrl } = options
  const hub = new Hub(options.maxConnections)
  const presence = new Presence()
  const db = openStore(`${dataFolder}/server.db`, { now: clock.now() })
  return {
    db,
    blobs: openBlobs(`${dataFolder}/uploads`, options.disk),
    hub,
    presence,
    clock,
    ids,
    log: logger('server', options.log),
    apiKey,
    secret,
    baseUrl,
    fileUrls: signedUrls({ secret, baseUrl, nowMs: () => clock.now(), seconds: () => addressSeconds(db) }),
    uploadConfig: { ...EVERY_FILE, ...options.uploads },
    limits: new Limits(clock, { ...LOCAL_LIMITS, ...options.limits }),
    ephemerals: new Ephemerals(),
    previews: new Previews(options.net, clock),
    pictures: options.picturesEntry
      ? threadPictures(options.picturesEntry, clock, logger('pictures', options.log))
      : noPictures,
    enrichSent: options.enrichSent ?? false,
    isOnline: (userId) => hub.ofUser(userId).size > 0 || presence.isLeaving(userId),
  }
}
