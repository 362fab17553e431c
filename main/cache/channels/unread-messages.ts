import type { MessageType } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { judge, tally, type Judged, type ReasonContext } from '#shared/rules/channels/unread-reasons.ts'
import type { Reader } from '../tx.ts'
import { optional } from '../json.ts'

/** The messages behind an unread count, classified one by one. The count itself is a query in `unread.ts`. */
const COLUMNS = `user_id, type, parent_id, in_channel, silent, shadowed, mentions_viewer, created_at, deleted_at`
const AFTER_MARK = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 1 AND created_at > ?
  ORDER BY created_at, id LIMIT ?`
const REPLIES_AFTER_MARK = `SELECT ${COLUMNS} FROM messages WHERE parent_id = ? AND created_at > ?
  ORDER BY created_at, id LIMIT ?`
const FOLLOWED = `SELECT thread_id AS id FROM reads WHERE cid = ? AND thread_id > '' AND user_id = ?`

/** Enough for any explanation shown to the user. */
const LIMIT = 20_000

type Stored = {
  user_id: string
  type: MessageType
  parent_id: string | null
  in_channel: number
  silent: number
  shadowed: number
  mentions_viewer: number
  created_at: number
  deleted_at: number | null
}

export function judgedAfter(
  reader: Reader,
  place: { readonly cid: Cid; readonly parentId?: MessageId },
  context: ReasonContext,
): ReturnType<typeof tally> {
  const { cid, parentId } = place
  const rows =
    parentId === undefined
      ? reader.db.all<Stored>(AFTER_MARK, cid, context.lastReadAt, LIMIT)
      : reader.db.all<Stored>(REPLIES_AFTER_MARK, parentId, context.lastReadAt, LIMIT)
  const judged = rows.map((row) => judge(countable(row), context))
  return tally(judged.filter((one): one is Judged => one !== undefined))
}

/** Threads of a channel in which the viewer has a read mark. */
export const followedThreads = (reader: Reader, cid: Cid): readonly MessageId[] =>
  reader.db.all<{ id: string }>(FOLLOWED, cid, reader.viewerId).map(({ id }) => asMessageId(id))

const countable = (row: Stored) => ({
  userId: row.user_id,
  type: row.type,
  parentId: optional(row.parent_id),
  // A reply also shown in the channel is in its timeline; so is a shadowed message of the viewer.
  showInChannel: row.in_channel === 1,
  silent: row.silent === 1,
  shadowed: row.shadowed === 1,
  mentionsViewer: row.mentions_viewer === 1,
  createdAt: row.created_at,
  deletedAt: optional(row.deleted_at),
})
