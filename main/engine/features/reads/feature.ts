import type { IntentFor } from '#shared/domain/intent.ts'
import { asCid, asMessageId, asUserId, type MessageId } from '#shared/lib/brand.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { timeOf } from '../../decode/read.ts'
import type { Appliers } from '../../sync/ingest.ts'
import { writeUser } from '../../sync/write.ts'
import { storeQueuedMarks } from './traceless.ts'

const asMessage = (id: string | undefined): MessageId | undefined => (id === undefined ? undefined : asMessageId(id))

/**
 * The read mark of an event: up to the message it names, which may be much older than the event if the mark was queued
 * offline; later messages are unread. Without a message the time of the event counts. See docs/wire.md 8.8 "mark read".
 */
function markOf(tx: Tx, at: number, last: MessageId | undefined) {
  const readAt = Math.min(at, (last && messages.byId(tx, last)?.createdAt) ?? at)
  return { lastReadAt: readAt, lastReadMessageId: last, unread: 0, countedAt: readAt, asOf: at }
}

/** The same for a thread; the server sets its mark to the time of the event. */
const threadMark = (at: number, last: MessageId | undefined) => ({
  lastReadAt: at,
  lastReadMessageId: last,
  unread: 0,
  countedAt: at,
  asOf: at,
})

/** See docs/wire.md 4.3 and 4.7. A thread's mark changes only that thread. */
const readEvents: Appliers = {
  'message.read': (tx, event, { at }) => {
    writeUser(tx, event.user, at)
    const threadId = asMessage(event.thread?.parent_message_id)
    const last = asMessage(event.last_read_message_id)
    const mark = threadId === undefined ? markOf(tx, at, last) : threadMark(at, last)
    reads.put(tx, { cid: asCid(event.cid), userId: asUserId(event.user.id), threadId, ...mark })
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
      // Only the response to "mark everything" has no channel; counts of other channels are ignored here.
      if (event.unread_channels === 0) reads.allRead(tx, at)
      return
    }
    const threadId = asMessage(event.thread_id)
    const last = asMessage(event.last_read_message_id)
    const mark = threadId === undefined ? markOf(tx, at, last) : threadMark(at, last)
    reads.put(tx, { cid: asCid(event.cid), userId: me, threadId, ...mark })
  },
  'notification.mark_unread': (tx, event, { at, me }) => {
    const lastReadAt = timeOf(event.last_read_at)
    if (lastReadAt === undefined) return
    reads.put(tx, {
      cid: asCid(event.cid),
      userId: me,
      threadId: asMessage(event.thread_id),
      lastReadAt,
      lastReadMessageId: asMessage(event.last_read_message_id),
      unread: event.unread_messages ?? 0,
      countedAt: at,
      firstUnreadId: asMessage(event.first_unread_message_id),
      asOf: at,
    })
  },
}

type Parts = Pick<Core, 'memory' | 'outbox' | 'readMarker' | 'serverNow' | 'stores'>

export const readsFeature = defineFeature({
  events: readEvents,
  kinds: {
    'mark-read': {
      perform: ({ sendMark }: Pick<Core, 'sendMark'>, intent: IntentFor<'mark-read'>, signal: AbortSignal) =>
        sendMark()(intent, signal),
    },
  },
  create: (core: Parts) => ({
    stop: [{ phase: 'flush', order: 10, run: () => core.readMarker().flush() }],
    onSettings: [{ order: 10, run: (before) => storeQueuedMarks(core, before) }],
  }),
})
