import { asPollId } from '#shared/lib/brand.ts'
import * as polls from '#main/cache/messages/polls.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { decodePoll, decodeVote } from '../../decode/poll.ts'
import type { Appliers, ApplyContext } from '../../sync/appliers.ts'

type VoteEvent = HandledEvent<'poll.vote_casted'>

/** See docs/wire.md 4.10 and 7.12. The viewer's own votes follow only events about own votes. */
export const pollEvents: Appliers = {
  'poll.updated': (tx, event, context) => define(tx, event.poll, context),
  'poll.closed': (tx, event, context) => define(tx, { ...event.poll, is_closed: true }, context),
  'poll.deleted': (tx, event) => polls.remove(tx, asPollId(event.poll.id)),
  'poll.vote_casted': (tx, event, context) => vote(tx, event, context, 'put'),
  'poll.vote_changed': (tx, event, context) => vote(tx, event, context, 'put'),
  'poll.vote_removed': (tx, event, context) => vote(tx, event, context, 'remove'),
}

function define(tx: Tx, wire: unknown, context: ApplyContext): void {
  const decoded = decodePoll(wire, { viewerId: context.me, asOf: context.at, isAnswer: false })
  if (!decoded) return
  users.putMany(tx, decoded.users)
  polls.define(tx, decoded.row)
}

function vote(tx: Tx, event: VoteEvent, context: ApplyContext, change: 'put' | 'remove'): void {
  const source = { viewerId: context.me, asOf: context.at, isAnswer: false }
  const decoded = decodePoll(event.poll, source)
  const cast = decodeVote(event.poll_vote, source)
  if (!decoded) return
  users.putMany(tx, decoded.users)
  if (cast?.userId === context.me) polls.ownVote(tx, decoded.row, change, cast)
  else polls.put(tx, decoded.row)
}
