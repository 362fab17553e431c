import type { IntentFor } from '#shared/domain/intent.ts'
import { deleteReaction, sendReaction } from '#shared/wire/messages.ts'
import type { Core } from '../../core.ts'
import { messageIdOf } from '../../outbox/kinds.ts'
import type { Done } from '../../outbox/runner.ts'
import { rewriteMessage } from '../../sync/write.ts'

export async function react(
  core: Pick<Core, 'api' | 'asOf'>,
  intent: IntentFor<'send-reaction'> | IntentFor<'delete-reaction'>,
  signal: AbortSignal,
): Promise<Done> {
  const id = messageIdOf(intent)
  const asOf = core.asOf()
  const { type } = intent.payload
  const { message } =
    intent.kind === 'send-reaction'
      ? await core.api.send(sendReaction, {
          params: { id },
          body: { reaction: { type, score: intent.payload.score } },
          cid: intent.cid,
          signal,
        })
      : await core.api.send(deleteReaction, { params: { id, type }, cid: intent.cid, signal })
  return { apply: (tx) => void rewriteMessage(tx, message, { asOf, cid: intent.cid, isAnswer: true }) }
}
