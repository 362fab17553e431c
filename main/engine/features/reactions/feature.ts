import type { IntentFor } from '#shared/domain/intent.ts'
import { deleteReaction, sendReaction } from '#shared/wire/messages.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Tx } from '#main/cache/store.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { HandledEvent } from '../../decode/events.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { rewriteMessage } from '../../sync/write.ts'
import type { Core } from '../../core.ts'
import { messageIdOf } from '../../outbox/outbox.ts'
import type { Done } from '../../outbox/runner.ts'

type ReactionEvent = HandledEvent<'reaction.new'>

/** `own_reactions` of a broadcast belong to another user: only own reactions change the own list. docs/wire.md 4.4. */
const reactionEvents: Appliers = {
  'reaction.new': (tx, event, context) => apply(tx, event, context, 'add'),
  'reaction.updated': (tx, event, context) => apply(tx, event, context, 'add'),
  'reaction.deleted': (tx, event, context) => apply(tx, event, context, 'remove'),
}

function apply(tx: Tx, event: ReactionEvent, context: ApplyContext, change: 'add' | 'remove'): void {
  const stored = messages.byId(tx, event.message.id)
  if (!stored) return
  const by = event.reaction.user_id ?? event.reaction.user?.id
  const before = stored.ownReactions ?? []
  const own = by === context.me ? withReaction(before, event.reaction.type, change) : undefined
  rewriteMessage(tx, event.message, { asOf: context.at, cid: event.cid, ...(own === undefined ? {} : { own }) })
}

function withReaction(before: readonly string[], type: string, change: 'add' | 'remove'): readonly string[] {
  if (change === 'remove') return before.filter((each) => each !== type)
  // `reaction.updated` also announces a repeat of the same type, so other own reactions stay.
  return [...before.filter((each) => each !== type), type]
}

export const reactionsFeature = defineFeature({
  events: reactionEvents,
  kinds: { 'send-reaction': { perform: react }, 'delete-reaction': { perform: react } },
})

async function react(
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
