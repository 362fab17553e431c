import type { Db } from '../store/db.ts'
import type { Work } from '../work.ts'
import { createHmac } from 'node:crypto'
import { sameText, type Identity } from '../http/auth/identify.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { accessTo, mayRead } from '../channels/access.ts'

export type UploadRow = {
  readonly id: string
  readonly name: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly user_id: string
  readonly cid: string | null
  readonly width: number | null
  readonly height: number | null
  readonly created_at: number
  /** The upload of which this is a smaller size. */
  readonly original?: string | null
}

export function uploadById(db: Db, id: string): UploadRow | undefined {
  return db.get<UploadRow>('SELECT * FROM uploads WHERE id = ?', id)
}

export function insertUpload(db: Db, row: UploadRow): void {
  db.run(
    `INSERT INTO uploads (id, name, mime_type, size_bytes, user_id, cid, width, height, created_at, original)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.name,
    row.mime_type,
    row.size_bytes,
    row.user_id,
    row.cid,
    row.width,
    row.height,
    row.created_at,
    row.original ?? null,
  )
}

/** The upload and its resized pictures. */
function uploadFamily(db: Db, id: string): string[] {
  return [id, ...db.all<{ id: string }>('SELECT id FROM uploads WHERE original = ?', id).map((row) => row.id)]
}

function deleteUploadRow(db: Db, id: string): void {
  db.run('DELETE FROM uploads WHERE id = ?', id)
}

export function uploadUsage(db: Db, userId: string): { bytes: number; files: number } {
  return (
    db.get<{ bytes: number; files: number }>(
      'SELECT coalesce(sum(size_bytes), 0) AS bytes, count(*) AS files FROM uploads WHERE user_id = ?',
      userId,
    ) ?? { bytes: 0, files: 0 }
  )
}

/** Bytes of the uploads of all people, resized pictures included. */
export function allUploadBytes(db: Db): number {
  return db.get<{ bytes: number }>('SELECT coalesce(sum(size_bytes), 0) AS bytes FROM uploads')?.bytes ?? 0
}

export function allUploadIds(db: Db): Set<string> {
  return new Set(db.all<{ id: string }>('SELECT id FROM uploads').map((row) => row.id))
}

/** Deletes an upload and its resized pictures. The rows first: a file without a row is swept later. */
export function removeUpload(work: Work, id: string): void {
  const family = uploadFamily(work.db, id)
  for (const each of family) deleteUploadRow(work.db, each)
  work.afterwards(() => {
    for (const each of family) work.blobs.remove(each).catch(() => work.log.warn('file-not-removed'))
  })
}

/** The stored address of an upload: an unguessable id, then its display name. */
export function fileUrl(baseUrl: string, id: string, name: string): string {
  return `${baseUrl}/files/${id}/${encodeURIComponent(name)}`
}

/** Matches addresses of files of any server, in JSON or alone: origin, id, name, query. */
const FILE_URLS = /(https?:\/\/[^\s/?#"\\]{1,260})\/files\/(?:([a-f0-9]{32})(?![\w-])(\/[^/?#"\\]*)?(\?[^#"\\]*)?)?/g

const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}$/

/** Stored addresses have this origin, whichever one the server had when they were written. */
const STORED_ORIGIN = 'http://127.0.0.1:0'

/** The query of a stored address whose author may not open the file: it is returned without a signature. */
const UNSIGNED = '?sig=none'

const FILE_URL = /^https?:\/\/[^\s/?#"\\]{1,260}\/files\/([a-f0-9]{32})(?:\/|\?|$)/

/**
 * The id in an address of a file. Whether the file is ours is known only by its id, which is random: the port and the
 * name of this server may have been others.
 */
export function fileIdIn(url: string): string | undefined {
  return FILE_URL.exec(url)?.[1]
}

/** Upload addresses that are valid for a time, for anyone who has them. See docs/wire.md 8.16 "URL". */
export type FileUrls = {
  /** The address for a response. It stays the same for a day, so that clients can cache the file. */
  readonly signed: (id: string, name: string) => string
  /** Stored addresses with the current origin and signed; those marked {@link UNSIGNED} stay unsigned. */
  readonly fresh: (text: string) => string
  /** Stored addresses with the current origin only. */
  readonly moved: (text: string) => string
  /** Whether the query of an address has a valid signature that has not expired. */
  readonly holds: (id: string, query: URLSearchParams) => boolean
}

const DAY_SECONDS = 86_400

type SigningOptions = {
  readonly secret: string
  readonly baseUrl: () => string
  readonly nowMs: () => number
  /** The minimum validity of an address. */
  readonly seconds: () => number
}

export function signedUrls({ secret, baseUrl, nowMs, seconds }: SigningOptions): FileUrls {
  const signature = (id: string, exp: number): string =>
    createHmac('sha256', secret).update(`file\n${id}\n${exp}`).digest('base64url')
  const end = (): number => {
    const step = Math.min(DAY_SECONDS, seconds())
    return Math.ceil((nowMs() / 1_000 + seconds()) / step) * step
  }
  const sign = (url: string, id: string, exp: number): string => `${url}?sig=${signature(id, exp)}&exp=${exp}`
  const rewritten = (text: string, done: (url: string, id: string, query: string) => string): string =>
    text.includes('/files/')
      ? text.replaceAll(FILE_URLS, (whole, origin: string, id: string | undefined, name = '', query = '') => {
          if (!LOOPBACK.test(origin) && origin !== baseUrl()) return whole
          return id === undefined ? `${baseUrl()}/files/` : done(`${baseUrl()}/files/${id}${name}`, id, query)
        })
      : text
  return {
    signed: (id, name) => sign(fileUrl(baseUrl(), id, name), id, end()),
    fresh: (text) => rewritten(text, (url, id, query) => (query === UNSIGNED ? url + query : sign(url, id, end()))),
    moved: (text) => rewritten(text, (url, _id, query) => url + query),
    holds(id, query) {
      const exp = Number(/^\d{1,12}$/.exec(query.get('exp') ?? '')?.[0] ?? Number.NaN)
      return exp * 1_000 > nowMs() && sameText(query.get('sig') ?? '', signature(id, exp))
    },
  }
}

/** Allows own uploads, those of channels the user may read now, and uploads without a channel (portraits). */
export function mayOpenFile(db: Db, file: Pick<UploadRow, 'user_id' | 'cid'>, who: Identity): boolean {
  if (who.server) return true
  if (who.userId === '') return false
  if (file.user_id === who.userId || file.cid === null) return true
  const channel = channelByCid(db, file.cid)
  return channel?.deleted_at === null && mayRead(accessTo(db, channel, who), who)
}

/** The identity of a user who is not the caller. */
export const asUser = (userId: string, role: string): Identity => ({
  userId,
  role,
  banned: false,
  server: false,
  expiresAtMs: undefined,
})

/**
 * Text or JSON in its stored form: our addresses without their signatures. An address whose file the user may not open
 * is marked, since otherwise storing a once seen address would be a way to get it signed again forever.
 *
 * @param before the previous text: its addresses stay as they were, even if the editor may not open them
 */
export function storedUrls(db: Db, who: Identity, text: string, before = ''): string {
  if (!text.includes('/files/')) return text
  const known = new Map([...before.matchAll(FILE_URLS)].map(([whole, , id]) => [id, whole]))
  return text.replaceAll(FILE_URLS, (whole, origin: string, id: string | undefined, name = '') => {
    if (id === undefined) return whole
    const stored = known.get(id)
    if (stored !== undefined) return stored
    const file = uploadById(db, id)
    // An id of ours says that the address was once one of this server.
    if (!file && !LOOPBACK.test(origin)) return whole
    const plain = `${LOOPBACK.test(origin) ? origin : STORED_ORIGIN}/files/${id}${name}`
    return file && !mayOpenFile(db, file, who) ? plain + UNSIGNED : plain
  })
}

/** The same for the picture among custom data, as JSON. */
export function storedImage(db: Db, who: Identity, custom: string, before = ''): string {
  if (!custom.includes('/files/')) return custom
  const data = JSON.parse(custom) as Record<string, unknown>
  const { image } = data
  return typeof image === 'string' ? JSON.stringify({ ...data, image: storedUrls(db, who, image, before) }) : custom
}
