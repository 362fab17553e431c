import type { WireReviewItem } from '#shared/wire/moderation-v2.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { accessTo } from '../channels/access.ts'
import { MESSAGE_ENTITY, USER_ENTITY } from './flags.ts'
import { ban, unban } from './moderation.ts'
import { clearMessage } from '../messages/restore.ts'
import { bansOf } from './ban-table.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { reviewFlags } from './flag-table.ts'
import { messageById, type MessageRow } from '../messages/message-table.ts'
import { putReview, reviewById, type ReviewRow } from './review-table.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import { messageForMany } from '../messages/message-announce.ts'
import { encodeBan } from './moderation-encode.ts'
import { removeHard, removeSoft } from '../messages/message-routes.ts'

export function encodeReview(work: Work, row: ReviewRow): WireReviewItem {
  const message = row.entity_type === MESSAGE_ENTITY ? messageById(work.db, row.entity_id) : undefined
  const flags = JSON.parse(row.flags) as unknown[]
  const actions = JSON.parse(row.actions) as { type: string }[]
  const payload = JSON.parse(row.payload) as Json
  return {
    id: row.id,
    entity_type: row.entity_type,
    entity_id: row.entity_id,
    ...(row.creator_id === null
      ? {}
      : { entity_creator_id: row.creator_id, entity_creator: work.people(row.creator_id) }),
    status: row.status,
    recommended_action: row.recommended_action,
    severity: row.severity,
    flags,
    flags_count: flags.length,
    bans: row.creator_id === null ? [] : bansOf(work.db, row.creator_id).map((ban) => encodeBan(work, ban)),
    actions,
    languages: [],
    message: message ? messageForMany(work, message) : undefined,
    moderation_payload: Object.keys(payload).length > 0 ? payload : undefined,
    latest_moderator_action: actions.at(-1)?.type ?? '',
    config_key: row.config_key ?? undefined,
    ...(row.reviewed_at === null
      ? {}
      : { reviewed_at: toText(row.reviewed_at), completed_at: toText(row.reviewed_at) }),
    reviewed_by: row.reviewed_by ?? undefined,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

const REMOVALS = ['soft', 'pruning', 'hard'] as const

type Action = (work: Work, who: Identity, item: ReviewRow, options: Json) => void

const ACTIONS: Readonly<Record<string, Action>> = {
  mark_reviewed: () => undefined,
  delete_message(work, who, item, options) {
    const { row, channel } = messageOf(work, item)
    const access = accessTo(work.db, channel, who)
    if (options['hard_delete'] === true) removeHard(work, access, who, row)
    else if (row.deleted_at === null) removeSoft(work, access, who, row)
  },
  restore(work, who, item) {
    const { row, channel } = messageOf(work, item)
    clearMessage(work, accessTo(work.db, channel, who), who, row)
  },
  ban(work, who, item, options) {
    const { timeout, reason, shadow, delete_messages: removal } = options
    ban(work, who, {
      ...personOf(work, item, options),
      minutes: typeof timeout === 'number' && timeout > 0 ? Math.floor(timeout) : undefined,
      reason: typeof reason === 'string' ? reason : undefined,
      shadow: shadow === true,
      deleteMessages: REMOVALS.find((each) => each === removal),
    })
  },
  unban(work, who, item, options) {
    unban(work, who, personOf(work, item, options))
  },
}

function messageOf(
  work: Work,
  item: ReviewRow,
): { row: MessageRow; channel: NonNullable<ReturnType<typeof channelByCid>> } {
  const row = item.entity_type === MESSAGE_ENTITY ? messageById(work.db, item.entity_id) : undefined
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  return row && channel ? { row, channel } : refuse('doesNotExist', 'the message of this item does not exist')
}

/** The user of an item: the flagged user, or the author of the flagged message. */
function personOf(work: Work, item: ReviewRow, options: Json): { targetId: string; cid: string | undefined } {
  const targetId = item.entity_type === USER_ENTITY ? item.entity_id : item.creator_id
  if (targetId === null) return refuse('input', 'this item names nobody')
  const cid = options['channel_cid']
  if (options['channel_ban_only'] === true) return { targetId, cid: messageOf(work, item).row.cid }
  return { targetId, cid: typeof cid === 'string' && cid !== '' ? cid : undefined }
}

const MAX_ACTIONS = 100

/** Carries out a moderator's decision; unknown action types are refused. See docs/wire.md 8.14 "review queue". */
export function act(work: Work, who: Identity, body: Json): ReviewRow {
  const type = typeof body['action_type'] === 'string' ? body['action_type'] : ''
  const id = typeof body['item_id'] === 'string' ? body['item_id'] : ''
  const action = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined
  if (!action) return refuse('input', `action_type ${type.slice(0, 40)} is not supported`, { action_type: 'unknown' })
  const item = reviewById(work.db, id)
  if (!item) return refuse('doesNotExist', `review queue item ${id} does not exist`)
  const options = body[type]
  action(work, who, item, isObject(options) ? options : {})
  const done = { type, user_id: who.userId, created_at: toText(work.now) }
  const kind = item.entity_type === MESSAGE_ENTITY ? 'message' : 'user'
  reviewFlags(work.db, kind, item.entity_id, { at: work.now, by: who.userId, result: type })
  const actions = [...(JSON.parse(item.actions) as Json[]), done].slice(-MAX_ACTIONS)
  const next: ReviewRow = {
    ...item,
    status: 'reviewed',
    actions: JSON.stringify(actions),
    reviewed_at: work.now,
    reviewed_by: who.userId || null,
    updated_at: work.now,
  }
  putReview(work.db, next)
  return next
}
