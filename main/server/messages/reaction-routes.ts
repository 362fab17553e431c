import * as v from 'valibot'
import { CALL_TEXTS } from '#shared/rules/server/call-refusals.ts'
import { deleteReaction, getReactions, sendReaction } from '#shared/wire/messages.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, whole } from '../http/shapes.ts'
import { need, type Access } from '../channels/access.ts'
import { requireUser } from '../users/users.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { encodeReaction } from './encode-messages.ts'
import type { MessageRow } from './message-table.ts'
import { deleteReactionRow, ownReactions, putReaction, reactionPage, type ReactionRow } from './reaction-table.ts'
import { emitAbout, messageFor, messageForMany } from './message-announce.ts'
import { openMessage } from './message-checks.ts'

const MAX_TYPE = 30
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'score',
  'user',
  'user_id',
  'message_id',
  'created_at',
  'updated_at',
  'deleted_at',
])

const reactionInput = v.optional(v.looseObject({ type: v.optional(v.string()), score: v.optional(v.number()) }))

export const reactionRoutes: readonly Route[] = [
  route(
    sendReaction,
    { body: v.looseObject({ reaction: reactionInput, enforce_unique: flag }) },
    ({ params, body, who }, work) => {
      const { row, access } = openMessage(work, params.id, who)
      mayReact(work, access, who, row)
      return react(work, access, who, row, body.reaction ?? {}, body.enforce_unique ?? false)
    },
  ),
  route(deleteReaction, {}, ({ params, who }, work) => {
    const { row, access } = openMessage(work, params.id, who)
    if (!access.flags.reactions) refuse('featureNotSupported', 'reactions are switched off in this channel')
    need(access, who, 'send-reaction', 'DeleteReaction')
    const mine = ownReactions(work.db, row.id, who.userId).find((each) => each.type === params.type)
    if (access.channel.frozen === 1) need(access, who, 'send-reaction', 'DeleteReaction')
    if (!mine) return refuse('doesNotExist', `there is no reaction of type ${params.type}`)
    deleteReactionRow(work.db, row.id, who.userId, params.type)
    announce(work, access, who, row, mine, 'reaction.deleted')
    return { message: messageFor(work, row, who), reaction: encodeReaction(mine, work.people) }
  }),
  route(
    getReactions,
    { query: v.looseObject({ limit: whole(300), offset: whole(10_000) }) },
    ({ params, query, who }, work) => {
      const { row } = openMessage(work, params.id, who)
      const rows = reactionPage(work.db, row.id, query.limit ?? 10, query.offset ?? 0)
      return { reactions: rows.map((each) => encodeReaction(each, work.people)) }
    },
  ),
]

function mayReact(work: Work, access: Access, who: Identity, row: MessageRow): void {
  if (who.server) requireUser(work.db, who.userId)
  if (!access.flags.reactions) refuse('featureNotSupported', 'reactions are switched off in this channel')
  need(access, who, 'send-reaction', 'CreateReaction')
  if (row.deleted_at !== null) refuse('input', 'a deleted message cannot be reacted to')
}

/** One row per message, user and type. With `unique`, the user's other types are deleted first. */
function react(
  work: Work,
  access: Access,
  who: Identity,
  row: MessageRow,
  input: Record<string, unknown>,
  unique: boolean,
) {
  if (Object.keys(input).length === 0) refuse('input', CALL_TEXTS.reaction)
  const { type } = input
  const score = input['score'] ?? 1
  if (typeof type !== 'string' || type === '' || type.length > MAX_TYPE) {
    return refuse('input', `reaction.type must be 1 to ${MAX_TYPE} characters`)
  }
  if (typeof score !== 'number' || !Number.isInteger(score))
    return refuse('input', 'reaction.score must be a whole number')
  const before = ownReactions(work.db, row.id, who.userId)
  const same = before.find((each) => each.type === type)
  if (unique)
    for (const each of before) if (each.type !== type) deleteReactionRow(work.db, row.id, who.userId, each.type)
  const at = work.stamp(row.cid)
  const reaction: ReactionRow = {
    message_id: row.id,
    user_id: who.userId,
    type,
    score,
    created_at: same?.created_at ?? at,
    updated_at: at,
    custom: JSON.stringify(customOf(input, KNOWN)),
  }
  putReaction(work.db, reaction)
  const replaced = same !== undefined || (unique && before.length > 0)
  announce(work, access, who, row, reaction, replaced ? 'reaction.updated' : 'reaction.new')
  return { message: messageFor(work, row, who), reaction: encodeReaction(reaction, work.people) }
}

function announce(
  work: Work,
  access: Access,
  who: Identity,
  row: MessageRow,
  reaction: ReactionRow,
  type: 'reaction.new' | 'reaction.updated' | 'reaction.deleted',
): void {
  const event = channelEvent(type, access.channel, work.stamp(row.cid), {
    message: messageForMany(work, row),
    message_id: row.id,
    reaction: encodeReaction(reaction, work.people),
    user: work.people(who.userId),
    channel: channelForMany(work, access),
  })
  emitAbout(work, row, event, who.userId)
}
