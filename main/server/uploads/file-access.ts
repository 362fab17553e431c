import type { Identity } from '../http/auth/identify.ts'
import type { Db } from '../store/db.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { uploadById, type UploadRow } from './upload-table.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { OUR_URLS, UNSIGNED } from './file-url.ts'

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
  const known = new Map([...before.matchAll(OUR_URLS)].map(([whole, id]) => [id, whole]))
  return text.replaceAll(OUR_URLS, (whole, id: string | undefined, name = '') => {
    if (id === undefined) return whole
    const stored = known.get(id)
    if (stored !== undefined) return stored
    const plain = whole.slice(0, whole.indexOf(id)) + id + name
    const file = uploadById(db, id)
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
