import { asMessageId } from '#shared/lib/brand.ts'
import * as reads from '#main/cache/channels/reads.ts'
import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Appliers } from '../../sync/appliers.ts'
import { receiveMessage } from '../../sync/write.ts'
import { threadCalls } from './calls.ts'
import { writeTitle } from './state.ts'

/** See docs/wire.md 4.7, 4.10 and 8.11. */
const threadEvents: Appliers = {
  /** Only participants receive this: the viewer follows the thread from now on. */
  'notification.thread_message_new': (tx, event, { at, later, threads }) => {
    const row = receiveMessage(tx, event.message, { asOf: at, cid: event.cid, live: false })
    const threadId = row?.parentId ?? event.thread_id
    if (row && threadId !== undefined) {
      later(() => threads().replied(asMessageId(threadId), true))
      reads.follow(tx, { cid: row.cid, threadId: asMessageId(threadId), from: row.createdAt })
    }
  },
  'thread.updated': (tx, event, { at }) => writeTitle(tx, { ...event.thread, channel_cid: event.cid }, at),
}

type Parts = Recovery &
  Pick<Core, 'background' | 'context' | 'log' | 'notify' | 'outbox' | 'readMarker' | 'serverNow' | 'stores' | 'threads'>

export const threadsFeature = defineFeature({
  events: threadEvents,
  create: (core: Parts) => ({
    calls: { threads: threadCalls(core, core.readMarker()) },
    stop: [{ phase: 'timers', order: 20, run: () => core.threads().stop() }],
  }),
})
