import type { IntentFor } from '#shared/domain/intent.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core } from '../../core.ts'

/** Reason of a parked poll or location that the user withdrew to change it. */
export const WITHDRAWN = 'outbox/taken-back'

/** Drops an unsent message. If it was tried it may be on the server, so a delete is queued for it. */
export function dropUnsent(
  core: Pick<Core, 'outbox' | 'serverNow'>,
  intent: IntentFor<'send-message'>,
  within?: (tx: Tx) => void,
): void {
  const { cid, parentId, messageId, id, attempts } = intent
  if (messageId === undefined) return core.outbox.remove([id], within)
  const payload = { deletedAt: core.serverNow() }
  // Parked by the user, not rejected by the server: it may exist there.
  if (intent.reason?.code === WITHDRAWN && attempts > 0) core.outbox.remove([id])
  core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload }, within)
}
