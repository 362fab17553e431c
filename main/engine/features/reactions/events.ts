import * as messages from '#main/cache/messages/messages.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { HandledEvent } from '../../decode/events.ts'
import type { Appliers, ApplyContext } from '../../sync/appliers.ts'
import { rewriteMessage } from '../../sync/write.ts'

type ReactionEvent = HandledEvent<'reaction.new'>

/** `own_reactions` of a broadcast belong to another user: only own reactions change the own list. docs/wire.md 4.4. */
export const reactionEvents: Appliers = {
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
