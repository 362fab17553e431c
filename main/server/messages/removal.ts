import type { Identity } from '../http/auth/identify.ts'
import { dropRemindersOf } from '../reminders/reminder-routes.ts'
import { channelByCid } from '../channels/channel-table.ts'
import type { Work } from '../work.ts'
import { accessTo, type Access } from '../channels/access.ts'
import { recount } from '../channels/member-table.ts'
import { channelEvent } from '../realtime/emission.ts'
import {
  deleteMessageRow,
  messagesByIds,
  recountReplies,
  audienceUnshadowed,
  changeMessage,
  type MessageExtra,
  type MessageRow,
} from './message-table.ts'
import { announceMessage, emitAbout, messageForMany } from './message-announce.ts'

/** `soft` leaves the row marked as deleted, `pruning` also clears its content, `hard` deletes the row. */
export type Removal = 'soft' | 'pruning' | 'hard'

/** One user's messages, in one channel or in all. Reads channel by channel to use the index by author. */
export const MESSAGES_OF = `SELECT id, cid, parent_id, reply_count FROM messages
  WHERE cid IN (SELECT cid FROM channels WHERE ? IS NULL OR cid = ?) AND user_id = ?`

type Found = { readonly id: string; readonly cid: string; readonly parent_id: string | null }

/** Removes a user's messages and recounts. The caller announces it. */
export function removeMessagesOf(work: Work, userId: string, cid: string | undefined, how: Removal): number {
  const found = work.db.all<Found>(MESSAGES_OF, cid ?? null, cid ?? null, userId)
  for (const { id } of found) {
    dropRemindersOf(work, id)
    if (how === 'hard') deleteMessageRow(work.db, id)
    else markDeleted(work, id, how)
  }
  for (const parent of new Set(found.flatMap((row) => row.parent_id ?? []))) recountReplies(work.db, parent)
  for (const channel of new Set(found.map((row) => row.cid))) {
    recount(work.db, channel)
  }
  return found.length
}

function markDeleted(work: Work, id: string, how: Removal): void {
  work.db.run(
    `UPDATE messages SET deleted_at = ?, updated_at = ?, pinned_at = NULL, pinned_by = NULL, pin_expires = NULL
     WHERE id = ? AND deleted_at IS NULL`,
    work.now,
    work.now,
    id,
  )
  if (how !== 'pruning') return
  work.db.run(`UPDATE messages SET text = '', attachments = '[]', mentions = '[]', custom = '{}' WHERE id = ?`, id)
  work.db.run('DELETE FROM reactions WHERE message_id = ?', id)
}

/** Restores the messages that were deleted with a deactivation, and announces them as undeleted. */
export function restoreMessagesOf(work: Work, who: Identity, userId: string, deletedAt: number): void {
  const ids = work.db.all<Found>(MESSAGES_OF, null, null, userId).map(({ id }) => id)
  for (const row of messagesByIds(work.db, ids).values()) {
    const channel = row.deleted_at === deletedAt ? channelByCid(work.db, row.cid) : undefined
    if (channel) restoreMessage(work, accessTo(work.db, channel, who), who, row)
  }
}

/** Deletes all reactions of a user, in one channel or everywhere. */
export function removeReactionsOf(work: Work, userId: string, cid: string | undefined): void {
  work.db.run(
    `DELETE FROM reactions WHERE user_id = ? AND (? IS NULL OR message_id IN (SELECT id FROM messages WHERE cid = ?))`,
    userId,
    cid ?? null,
    cid ?? null,
  )
}

/** A moderator approves a message that a rule, a block list or a shadow ban had hidden from others. */
export function clearMessage(work: Work, access: Access, who: Identity, row: MessageRow): MessageRow {
  work.db.run('UPDATE messages SET shadowed = 0 WHERE id = ?', row.id)
  const audience = audienceUnshadowed(row)
  const { moderation: _done, ...extra } = JSON.parse(row.extra) as MessageExtra
  const cleared = { audience, extra: JSON.stringify(extra) }
  changeMessage(work.db, row.id, cleared)
  return restoreMessage(work, access, who, { ...row, ...cleared, shadowed: 0 })
}

/**
 * Restores a message for its audience and announces it as undeleted or changed. Counters and a reply's parent follow.
 * See docs/wire.md 4.3 and 8.9 "undelete".
 */
export function restoreMessage(work: Work, access: Access, who: Identity, row: MessageRow, byId?: string): MessageRow {
  const after = changeMessage(work.db, row.id, { deleted_at: null, updated_at: work.stamp(row.cid) }) ?? row
  const user = work.people(byId ?? (who.userId === '' ? row.user_id : who.userId))
  const type = row.deleted_at === null ? 'message.updated' : 'message.undeleted'
  const fields = { message: messageForMany(work, after), message_id: row.id, user }
  emitAbout(work, after, channelEvent(type, access.channel, work.stamp(row.cid), fields), row.user_id)
  recount(work.db, row.cid)
  if (row.parent_id !== null) announceParent(work, row, who)
  return after
}

function announceParent(work: Work, row: MessageRow, who: Identity): void {
  const parent = recountReplies(work.db, row.parent_id ?? '')
  const channel = channelByCid(work.db, row.cid)
  if (!parent || !channel) return
  const access = accessTo(work.db, channel, who)
  announceMessage(work, access, { ...who, userId: row.user_id }, 'message.updated', parent)
}
