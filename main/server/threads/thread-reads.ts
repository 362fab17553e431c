import type { WireEvent } from '#shared/wire/events.ts'
import { refuse } from '../http/refusal.ts'
import type { Access } from '../channels/access.ts'
import type { MemberRow } from '../channels/member-table.ts'
import { messageById, readPage, type MessageRow } from '../messages/message-table.ts'
import { readThread, unreadReplies } from './thread-table.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/channel-event.ts'
import { isVisible } from '../messages/message-open.ts'
import { unreadCounters } from '../users/own-user.ts'
import { announceRead } from '../reads/read-announce.ts'

/**
 * Marks a thread as read, up to one reply or to the newest. The read state of the channel stays as it is. See
 * docs/wire.md 8.8.
 */
export function readThreadUpTo(
  work: Work,
  access: Access,
  member: MemberRow,
  threadId: string,
  messageId: string | undefined,
): WireEvent {
  const { channel } = access
  const parent = replyIn(work, access, member, threadId)
  const upTo = messageId === undefined ? undefined : replyIn(work, access, member, messageId)
  if (upTo && upTo.parent_id !== parent.id) return refuse('input', 'the message is not in this thread')
  const scope = { kind: 'replies', key: parent.id } as const
  const view = { viewer: member.user_id, floor: access.floor }
  const last = (upTo ?? readPage(work.db, scope, view, 'newest', undefined, 1)[0])?.id ?? null
  const at = work.stamp(channel.cid)
  readThread(work.db, parent, member.user_id, { at: upTo?.created_at ?? at, messageId: last })
  const unread = upTo ? unreadReplies(work.db, parent.id, member.user_id) : 0
  return announceRead(work, access, { userId: member.user_id, at, lastReadId: last, unread, threadId: parent.id })
}

/** Marks a thread as unread from a reply or from a time on. */
export function unreadThreadFrom(
  work: Work,
  access: Access,
  member: MemberRow,
  from: {
    readonly threadId: string
    readonly messageId: string | undefined
    readonly since: number | undefined
  },
): void {
  const { channel } = access
  const parent = replyIn(work, access, member, from.threadId)
  const first = from.messageId === undefined ? undefined : replyIn(work, access, member, from.messageId)
  if (first && first.parent_id !== parent.id) return refuse('input', 'the message is not in this thread')
  const lastRead = first ? first.created_at - 1 : (from.since ?? parent.created_at)
  readThread(work.db, parent, member.user_id, { at: lastRead, messageId: null })
  work.emit({
    event: channelEvent('notification.mark_unread', channel, work.stamp(channel.cid), {
      user: work.people(member.user_id),
      ...(first ? { first_unread_message_id: first.id } : {}),
      last_read_at: toText(lastRead),
      thread_id: parent.id,
      unread_messages: unreadReplies(work.db, parent.id, member.user_id),
      ...unreadCounters(work, member.user_id),
    }),
    to: { kind: 'users', ids: [member.user_id] },
    log: { userId: member.user_id },
  })
}

function replyIn(work: Work, access: Access, member: MemberRow, id: string): MessageRow {
  const row = messageById(work.db, id)
  return row && isVisible(row, access, { userId: member.user_id, server: false })
    ? row
    : refuse('doesNotExist', `message ${id} does not exist`)
}
