import * as v from 'valibot'
import type { NotifyProof, NotifyRecord } from '#shared/domain/notification.ts'
import { call } from '#shared/lib/contract.ts'
import { messageId, nothing } from '../schemas.ts'

/** The notification log, and a test notification. */
export const notifications = {
  /**
   * Why a message did or did not notify; absent if it did not arrive in this run of Parlor, or is no longer in the log.
   */
  why: call<NotifyRecord | undefined>()(v.object({ messageId })),
  /** The last 200 messages that arrived in this account, newest first. */
  history: call<readonly NotifyRecord[]>()(nothing),
  /**
   * Shows a test notification, ignoring quiet hours, and returns whether it was delivered. Resolves within three
   * seconds.
   */
  prove: call<NotifyProof>('dialog')(nothing),
}
