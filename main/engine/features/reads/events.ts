import { asCid, asMessageId, asUserId, type MessageId } from '#shared/lib/brand.ts'
import * as reads from '#main/cache/tables/reads.ts'
import { countOf, idOf, timeOf } from '../../decode/read.ts'
import type { Appliers } from '../../sync/appliers.ts'
import { writeUser } from '../../sync/write.ts'

const messageIdOf = (value: unknown): MessageId | undefined => {
  const id = idOf(value)
  return id === undefined ? undefined : asMessageId(id)
}

/** Source: wire contract 4.3 and 4.7. A thread's mark changes only that thread. */
export const readEvents: Appliers = {
  'message.read': (tx, event, { at }) => {
    writeUser(tx, event.user, at)
    reads.put(tx, {
      cid: asCid(event.cid),
      userId: asUserId(event.user.id),
      threadId: messageIdOf(event.thread?.parent_message_id),
      lastReadAt: at,
      lastReadMessageId: messageIdOf(event.last_read_message_id),
      unread: 0,
      countedAt: at,
      asOf: at,
    })
  },
  'message.delivered': (tx, event, { at }) => {
    writeUser(tx, event.user, at)
    reads.delivered(tx, {
      cid: asCid(event.cid),
      userId: asUserId(event.user.id),
      at: timeOf(event.last_delivered_at) ?? at,
    })
  },
  'notification.mark_read': (tx, event, { at, me }) => {
    if (event.cid === undefined) {
      // Only the answer to "mark everything" carries no channel; a count of other channels says nothing here.
      if (event.unread_channels === 0) reads.allRead(tx, at)
      return
    }
    reads.put(tx, {
      cid: asCid(event.cid),
      userId: me,
      threadId: messageIdOf(event.thread_id),
      lastReadAt: at,
      lastReadMessageId: messageIdOf(event.last_read_message_id),
      unread: 0,
      countedAt: at,
      asOf: at,
    })
  },
  'notification.mark_unread': (tx, event, { at, me }) => {
    const lastReadAt = timeOf(event.last_read_at)
    if (lastReadAt === undefined) return
    reads.put(tx, {
      cid: asCid(event.cid),
      userId: me,
      threadId: messageIdOf(event.thread_id),
      lastReadAt,
      lastReadMessageId: messageIdOf(event.last_read_message_id),
      unread: countOf(event.unread_messages) ?? 0,
      countedAt: at,
      firstUnreadId: messageIdOf(event.first_unread_message_id),
      asOf: at,
    })
  },
}
