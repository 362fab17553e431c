import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { cid, messageId } from './schemas.ts'

/** Threads: the replies to one message, as a window `thread:<parentId>`. */
export const threads = {
  open: call<void>()(v.object({ cid, parentId: messageId, around: v.optional(messageId) })),
  close: call<void>()(v.object({ parentId: messageId })),
  page: call<void>()(v.object({ parentId: messageId, direction: v.picklist(['older', 'newer']) })),
  markRead: call<void>()(v.object({ cid, parentId: messageId })),
}
