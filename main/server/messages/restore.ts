import { announceMessage, emitAbout, messageForMany } from './message-announce.ts'
import { channelEvent } from '../realtime/channel-event.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { audienceUnshadowed, changeMessage, recountReplies, type MessageRow } from './message-table.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Work } from '../work.ts'
import { accessTo, type Access } from '../channels/access.ts'
import { recount } from '../channels/member-table.ts'

/** A moderator approves a message that a block list or a shadow ban had hidden from others. */
export function clearMessage(work: Work, access: Access, who: Identity, row: MessageRow): MessageRow {
  work.db.run('UPDATE messages SET shadowed = 0 WHERE id = ?', row.id)
  const audience = audienceUnshadowed(row)
  changeMessage(work.db, row.id, { audience })
  return restoreMessage(work, access, who, { ...row, audience, shadowed: 0 })
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
