import { asMessageId } from '#shared/lib/brand.ts'
import * as reads from '#main/cache/tables/reads.ts'
import { idOf } from '../../decode/read.ts'
import type { Appliers } from '../../sync/appliers.ts'
import { receiveMessage } from '../../sync/write.ts'

/** Source: wire contract 4.7 and 8.11. Only those who take part hear this: the viewer follows the thread from now on. */
export const threadEvents: Appliers = {
  'notification.thread_message_new': (tx, event, { at, later, threads }) => {
    const row = receiveMessage(tx, event.message, { asOf: at, cid: event.cid, live: false })
    const threadId = row?.parentId ?? idOf(event['thread_id'])
    if (row && threadId !== undefined) {
      later(() => threads().replied(asMessageId(threadId), true))
      reads.follow(tx, { cid: row.cid, threadId: asMessageId(threadId), from: row.createdAt })
    }
  },
}
