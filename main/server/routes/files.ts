import * as v from 'valibot'
import { deleteFile, deleteImage, deleteLooseFile, deleteLooseImage } from '#shared/wire/uploads.ts'
import type { Identity } from '../auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { openChannel, type Access } from '../rules/access.ts'
import { checkChannelId } from '../rules/channels.ts'
import { isAdmin } from '../rules/moderation.ts'
import { fileIdIn } from '../rules/file-url.ts'
import { deleteUploadRow, uploadById, uploadFamily } from '../store/tables/uploads.ts'
import type { Work } from '../work.ts'

const byUrl = v.looseObject({ url: v.string() })

export const fileRoutes: readonly Route[] = [
  ...[deleteFile, deleteImage].map((endpoint) =>
    route(endpoint, { query: byUrl }, ({ params, query, who }, work) => {
      const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
      remove(work, access, who, query.url)
      return {}
    }),
  ),
  ...[deleteLooseFile, deleteLooseImage].map((endpoint) =>
    route(endpoint, { query: byUrl }, ({ query, who }, work) => {
      remove(work, undefined, who, query.url)
      return {}
    }),
  ),
]

/** Own uploads, and any for those who may delete any message. The row goes first: a file without a row is swept. */
function remove(work: Work, access: Access | undefined, who: Identity, url: string): void {
  const id = fileIdIn(url)
  if (id === undefined) return refuse('input', 'this is no file of this server')
  const row = uploadById(work.db, id)
  if (!row || (row.cid !== null && row.cid !== access?.channel.cid))
    return refuse('doesNotExist', 'there is no such file')
  // what hangs on no channel is nobody's here: only its owner's and an administrator's
  const any = row.cid === null ? isAdmin(who) : access?.can.has('delete-any-message') === true
  if (row.user_id !== who.userId && !any) {
    return refuse('notAllowed', 'only own uploads may be deleted')
  }
  const family = uploadFamily(work.db, id)
  for (const each of family) deleteUploadRow(work.db, each)
  work.afterwards(() => {
    for (const each of family) work.blobs.remove(each).catch(() => work.log.warn('file-not-removed'))
  })
}
