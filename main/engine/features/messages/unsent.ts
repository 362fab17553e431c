import type { IntentFor } from '#shared/domain/intent.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Core } from '../../core.ts'

/** Why a poll or a place waits that someone took back to change it. */
export const TAKEN_BACK = 'outbox/taken-back'

/** Drops an unsent message; one that was tried may be on the server all the same, and a delete follows it there. */
export function dropUnsent(core: Core, intent: IntentFor<'send-message'>, within?: (tx: Tx) => void): void {
  const { cid, parentId, messageId, id, attempts } = intent
  if (messageId === undefined) return core.outbox.remove([id], within)
  const payload = { deletedAt: core.serverNow() }
  // Parked by a person, not judged by the server: it may be there.
  if (intent.reason?.code === TAKEN_BACK && attempts > 0) core.outbox.remove([id])
  core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload }, within)
}
