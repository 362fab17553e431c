import * as v from 'valibot'
import type { NotifyProof, NotifyRecord } from '#shared/domain/notification.ts'
import { call } from '#shared/lib/contract.ts'
import { messageId, nothing } from '../schemas.ts'

/** What became of messages that came, and whether a notification reaches the screen at all. */
export const notifications = {
  /** Why a message was told, or was not; absent when it did not come in this run of Parlor, or long ago. */
  why: call<NotifyRecord | undefined>()(v.object({ messageId })),
  /** The last 200 messages that came to this account, newest first. */
  history: call<readonly NotifyRecord[]>()(nothing),
  /** Shows a notification, whatever the hour, and says how far it came. Answers within three seconds. */
  prove: call<NotifyProof>('dialog')(nothing),
}
