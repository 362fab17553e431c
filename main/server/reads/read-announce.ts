import type { WireEvent } from '#shared/wire/events.ts'
import type { Access } from '../channels/access.ts'
import type { Micros } from '../time.ts'
import type { Work } from '../work.ts'
import { channelForMany, showsReads } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/channel-event.ts'
import { unreadCounters } from '../users/own-user.ts'

/** How far a user has read now: the channel, or one thread of it. */
type ReadNow = {
  readonly userId: string
  readonly at: Micros
  readonly lastReadId: string | null
  /** What is still unread there. */
  readonly unread: number
  readonly threadId?: string
}

/**
 * Announces a read: to watchers unless the reader hides read receipts, and to the reader's own connections with the new
 * counters. Returns the event for the response. See docs/wire.md 8.8.
 */
export function announceRead(
  work: Work,
  access: Access,
  { userId, at, lastReadId, unread, threadId }: ReadNow,
): WireEvent {
  const { channel } = access
  const fields = { user: work.people(userId), ...(lastReadId === null ? {} : { last_read_message_id: lastReadId }) }
  const thread = threadId === undefined ? {} : { thread: { parent_message_id: threadId } }
  const event = channelEvent('message.read', channel, at, { ...fields, ...thread })
  const shown = showsReads(work, userId)
  work.emit({
    event,
    to: shown ? { kind: 'watchers', cid: channel.cid, author: userId } : { kind: 'users', ids: [userId] },
    log: shown ? 'channel' : { userId },
  })
  work.emit({
    event: channelEvent('notification.mark_read', channel, at, {
      ...fields,
      ...(threadId === undefined ? {} : { thread_id: threadId }),
      channel: channelForMany(work, access),
      unread_messages: unread,
      ...unreadCounters(work, userId),
    }),
    to: { kind: 'users', ids: [userId] },
    log: { userId },
  })
  return event
}
