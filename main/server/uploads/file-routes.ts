import * as v from 'valibot'
import { deleteFile, deleteImage, deleteLooseFile, deleteLooseImage } from '#shared/wire/uploads.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { openChannel, type Access } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { fileIdIn } from './file-url.ts'
import { removeUpload, uploadById } from './upload-table.ts'
import { emojiOfUpload } from '../emoji/emoji-table.ts'
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

/** Deletes own uploads, and any for users who may delete any message. */
function remove(work: Work, access: Access | undefined, who: Identity, url: string): void {
  const id = fileIdIn(url)
  if (id === undefined) return refuse('input', 'this is no file of this server')
  const row = uploadById(work.db, id)
  // An upload without a channel is visible to its owner and administrators only.
  const isHere = row?.cid === null ? row.user_id === who.userId || isAdmin(who) : row?.cid === access?.channel.cid
  if (!row || !isHere) return refuse('doesNotExist', 'there is no such file')
  const any = row.cid === null || access?.can.has('delete-any-message') === true
  if (row.user_id !== who.userId && !any) return refuse('notAllowed', 'only own uploads may be deleted')
  if (emojiOfUpload(work.db, id) !== undefined) refuse('input', 'this picture is an emoji: delete the emoji')
  removeUpload(work, id)
}
