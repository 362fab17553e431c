import * as v from 'valibot'
import {
  banUserV2,
  checkEntity,
  customCheckEntity,
  flagEntity,
  getUserReport,
  muteUsersV2,
  queryReviewQueue,
  submitModerationAction,
  unbanUserV2,
  unmuteUsersV2,
  type WireReviewItem,
} from '#shared/wire/moderation.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { readText } from '#shared/rules/moderation/decide.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag as flagShape, idText, list, object, text } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/lists.ts'
import { ensureUser, needServer, requireUser } from '../users/users.ts'
import { messageById, type MessageRow } from '../messages/message-table.ts'
import { blocksOf, userById } from '../users/user-tables.ts'
import { settingOf, settingsOf } from '../admin/settings.ts'
import { fromText, MS, toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { ownUser } from '../users/encode-users.ts'
import { accessTo } from '../channels/access.ts'
import { clearMessage } from '../messages/removal.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageForMany } from '../messages/message-announce.ts'
import { removeHard, removeSoft } from '../messages/message-routes.ts'
import type { Db } from '../store/db.ts'
import { reviewList, encodeMute, encodeBan } from './moderation-lists.ts'
import { blockedWord } from './rules.ts'
import {
  flag,
  MESSAGE_ENTITY,
  queueForReview,
  USER_ENTITY,
  reviewFlags,
  reopenFlags,
  putReview,
  reviewById,
  type ReviewRow,
  announceReview,
  waitingItems,
} from './flags.ts'
import { isAppModerator, needModerator, unban, ban } from './moderation.ts'
import { banBody, banWith, cidOf, muteAll, muteBody, unmuteAll } from './moderation-routes.ts'
import { bansOf, userMutesOf } from './restriction-tables.ts'

function encodeReview(work: Work, row: ReviewRow): WireReviewItem {
  const message = row.entity_type === MESSAGE_ENTITY ? messageById(work.db, row.entity_id) : undefined
  const flags = JSON.parse(row.flags) as Json[]
  const actions = JSON.parse(row.actions) as (Json & { type: string })[]
  const stored = JSON.parse(row.payload) as Json
  // Moderators see what was said even after the message was deleted, as long as it can be restored.
  const payload = message && stored['texts'] === undefined ? { ...stored, texts: [message.text] } : stored
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
    flags: flags.map((flag) => withPerson(work, flag)),
    flags_count: flags.length,
    bans: row.creator_id === null ? [] : bansOf(work.db, row.creator_id).map((ban) => encodeBan(work, ban)),
    actions: actions.map((action) => withPerson(work, action)),
    languages: [],
    message: message ? messageForMany(work, message) : undefined,
    ...(row.cid === null ? {} : { channel_cid: row.cid }),
    moderation_payload: Object.keys(payload).length > 0 ? withFreshImages(work, payload) : undefined,
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

/** Stored addresses of images, signed now. */
const withFreshImages = (work: Work, payload: Json): Json =>
  Array.isArray(payload['images'])
    ? {
        ...payload,
        images: payload['images'].map((each: unknown) => (typeof each === 'string' ? work.people.fresh(each) : each)),
      }
    : payload

/** Who reported or decided, for those who see the queue. */
const withPerson = <Each extends Json>(work: Work, each: Each): Each & { user?: WireUser } =>
  typeof each['user_id'] === 'string' && each['user_id'] !== '' ? { ...each, user: work.people(each['user_id']) } : each

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
  reopen: () => undefined,
}

/** What can be decided about messages and about people, for clients that offer only what this server does. */
const ACTION_CONFIG = {
  [MESSAGE_ENTITY]: Object.keys(ACTIONS).map((action) => ({ action })),
  [USER_ENTITY]: ['mark_reviewed', 'ban', 'unban', 'reopen'].map((action) => ({ action })),
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
  if (options['channel_ban_only'] === true) return { targetId, cid: item.cid ?? messageOf(work, item).row.cid }
  return { targetId, cid: typeof cid === 'string' && cid !== '' ? cid : undefined }
}

const MAX_ACTIONS = 100

/** Carries out a moderator's decision; unknown action types are refused. See docs/wire.md 8.14 "review queue". */
function act(work: Work, who: Identity, body: Json): ReviewRow {
  const type = typeof body['action_type'] === 'string' ? body['action_type'] : ''
  const id = typeof body['item_id'] === 'string' ? body['item_id'] : ''
  const action = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined
  if (!action) return refuse('input', `action_type ${type.slice(0, 40)} is not supported`, { action_type: 'unknown' })
  const item = reviewById(work.db, id)
  if (!item) return refuse('doesNotExist', `review queue item ${id} does not exist`)
  mayDecide(who, item, body)
  const options = body[type]
  action(work, who, item, isObject(options) ? options : {})
  const done = { type, user_id: who.userId, created_at: toText(work.now) }
  const kind = item.entity_type === MESSAGE_ENTITY ? 'message' : 'user'
  const isOpen = type === 'reopen'
  if (isOpen) reopenFlags(work.db, kind, item.entity_id, work.now)
  else reviewFlags(work.db, kind, item.entity_id, { at: work.now, by: who.userId, result: type })
  const actions = [...(JSON.parse(item.actions) as Json[]), done].slice(-MAX_ACTIONS)
  const next: ReviewRow = {
    ...item,
    status: isOpen ? 'needs_review' : 'reviewed',
    actions: JSON.stringify(actions),
    // What is deleted for good is not kept here either.
    ...(type === 'delete_message' && isObject(options) && options['hard_delete'] === true ? { payload: '{}' } : {}),
    reviewed_at: isOpen ? null : work.now,
    reviewed_by: isOpen ? null : who.userId || null,
    updated_at: work.now,
  }
  putReview(work.db, next)
  announceReview(work, 'review_queue_item.updated', next)
  return next
}

/** Times of clients have milliseconds only. */
const toMs = (at: number): number => Math.floor(at / MS)

/**
 * With `if_unchanged_since` a decision applies only if no one else has decided since the caller read the item: two
 * moderators who act at the same time do not overrule each other unawares.
 */
function mayDecide(who: Identity, item: ReviewRow, body: Json): void {
  const since = fromText(body['if_unchanged_since'])
  if (since === undefined || item.reviewed_at === null || item.reviewed_by === who.userId) return
  if (toMs(item.reviewed_at) <= toMs(since)) return
  refuse('input', 'another moderator has decided this item', { if_unchanged_since: 'decided' })
}

/** See docs/wire.md 3.14 `/custom_check`. */
const MAX_CUSTOM_FLAGS = 10

const entity = {
  entity_type: idText(),
  entity_id: idText(),
  entity_creator_id: idText(),
  moderation_payload: object,
}
const flagBody = v.looseObject({ ...entity, reason: text(1_000), custom: object })
const checkBody = v.looseObject({ ...entity, config_key: idText(), options: object, test_mode: flagShape })
const customFlag = v.looseObject({
  type: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  labels: list(v.string(), 100),
  reason: text(1_000),
  custom: object,
})
const customBody = v.looseObject({ ...entity, flags: list(customFlag, MAX_CUSTOM_FLAGS) })

const actionBody = v.looseObject({ action_type: idText(), item_id: idText(), if_unchanged_since: text(100) })

const reportQuery = v.looseObject({
  user_id: idText(),
  target_user_id: idText(),
  create_user_if_not_exists: flagShape,
  include_user_blocks: flagShape,
  include_user_mutes: flagShape,
  include_counts: flagShape,
})

export const moderationV2Routes: readonly Route[] = [
  route(flagEntity, { body: flagBody }, ({ body, who }, work) => {
    const { type, id } = named(body)
    const kind = KINDS[type]
    if (kind === undefined) {
      return refuse('input', `entity_type must be ${MESSAGE_ENTITY}, ${USER_ENTITY}, message or user`, {
        entity_type: 'unknown',
      })
    }
    return { item_id: flag(work, who, { kind, targetId: id, reason: body.reason, custom: body.custom }).item.id }
  }),
  route(muteUsersV2, { body: muteBody }, ({ body, who }, work) => {
    const { mutes, missing } = muteAll(work, who, body)
    return {
      mutes,
      own_user: ownUser(work, who.userId),
      non_existing_users: missing.length > 0 ? missing : undefined,
    }
  }),
  route(unmuteUsersV2, { body: muteBody }, ({ body, who }, work) => unmuteAll(work, who, body)),
  route(banUserV2, { body: banBody }, ({ body, who }, work) => {
    banWith(work, who, body)
    return {}
  }),
  route(unbanUserV2, { body: banBody }, ({ body, who }, work) => {
    const targetId = body.target_user_id ?? refuse('input', 'target_user_id is required')
    unban(work, who, { targetId, cid: cidOf(body), future: body.remove_future_channels_ban })
    return {}
  }),
  route(getUserReport, { query: reportQuery }, ({ query, who }, work) => {
    needModerator(work, who)
    return report(work, who, query.target_user_id ?? query.user_id ?? who.userId, query)
  }),
  route(queryReviewQueue, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needModerator(work, who)
    const { rows, cursors } = readCursorPage(work.db, reviewList(body.filter), body)
    return {
      items: rows.map((row) => encodeReview(work, row)),
      action_config: ACTION_CONFIG,
      stats: { needs_review: waitingItems(work.db) },
      ...cursors,
    }
  }),
  route(submitModerationAction, { body: actionBody }, ({ body, who }, work) => {
    needModerator(work, who)
    return { item: encodeReview(work, act(work, who, body)) }
  }),
  route(checkEntity, { body: checkBody }, ({ body, who }, work) => {
    const { type, id } = named(body)
    if (!body.test_mode) mayCheck(work, who, { type, id, creatorId: body.entity_creator_id })
    const match = firstBlockedWord(work, body.config_key, body.moderation_payload)
    if (match === undefined) return { status: 'complete', recommended_action: 'keep' }
    if (body.test_mode) return { status: 'complete', recommended_action: match.action }
    const item = queueForReview(work, {
      entityType: type,
      entityId: id,
      creatorId: body.entity_creator_id ?? null,
      flag: { type: 'blocklist', labels: [match.word], created_at: toText(work.now) },
      recommended: match.action,
      configKey: body.config_key,
      payload: body.moderation_payload,
    })
    const shown = isAppModerator(who) ? { item: encodeReview(work, item) } : {}
    return { status: 'complete', recommended_action: match.action, ...shown }
  }),
  route(customCheckEntity, { body: customBody }, ({ body, who }, work) => {
    needServer(who)
    const { type, id } = named(body)
    const flags = body.flags ?? []
    if (flags.length === 0) return refuse('input', `flags must be a list of 1 to ${MAX_CUSTOM_FLAGS}`)
    const items = flags.map((each) =>
      queueForReview(work, {
        entityType: type,
        entityId: id,
        creatorId: body.entity_creator_id ?? null,
        flag: { ...each, created_at: toText(work.now) },
        payload: body.moderation_payload,
      }),
    )
    const item = items.at(-1) ?? refuse('internal', 'nothing was queued')
    return { id: item.id, item: encodeReview(work, item), status: 'complete' }
  }),
]

/** A check may queue an item for moderators: users who do not moderate may only check their own content. */
function mayCheck(
  work: Work,
  who: Identity,
  entity: { readonly type: string; readonly id: string; readonly creatorId: string | undefined },
): void {
  if (isAppModerator(who)) return
  const author = entity.type === MESSAGE_ENTITY ? messageById(work.db, entity.id)?.user_id : undefined
  const about = [entity.creatorId, author, userById(work.db, entity.id)?.id]
  if (about.some((id) => id !== undefined && id !== '' && id !== who.userId)) {
    refuse('notAllowed', `User '${who.userId}' with roles ['${who.role}'] may only have their own things checked`)
  }
}

const KINDS: Readonly<Record<string, 'message' | 'user'>> = { [MESSAGE_ENTITY]: 'message', [USER_ENTITY]: 'user' }

/** `message` and `user` are short forms of the contract's entity types. */
const longName = (type: string): string =>
  ({ message: MESSAGE_ENTITY, user: USER_ENTITY } as Readonly<Record<string, string>>)[type] ?? type

function named(body: { entity_type?: string; entity_id?: string }) {
  return {
    type: longName(body.entity_type ?? refuse('input', 'entity_type is required')),
    id: body.entity_id ?? refuse('input', 'entity_id is required'),
  }
}

/** Searches the lists that the configuration names, or all lists. See docs/wire.md 8.14 "check". */
function firstBlockedWord(work: Work, configKey: string | undefined, payload: Json | undefined) {
  const texts = Array.isArray(payload?.['texts'])
    ? payload['texts'].filter((each) => typeof each === 'string').map(readText)
    : []
  const config = configKey === undefined ? undefined : settingOf(work.db, 'moderation_config', configKey)
  const rules = config ? rulesIn(JSON.parse(config.json) as Json) : []
  const every = settingsOf(work.db, 'blocklist').map((row) => ({ name: row.name, action: 'flag' }))
  for (const { name, action } of rules.length > 0 ? rules : every) {
    for (const each of texts) {
      const word = blockedWord(work.db, name, each)
      if (word !== undefined) return { word, action }
    }
  }
  return undefined
}

/** `block_list_config: {rules: [{name, action}]}` of a configuration. */
function rulesIn(config: Json): { name: string; action: string }[] {
  const block = config['block_list_config']
  const rules: unknown[] = isObject(block) && Array.isArray(block['rules']) ? block['rules'] : []
  return rules.flatMap((rule) =>
    isObject(rule) && typeof rule['name'] === 'string'
      ? [{ name: rule['name'], action: rule['action'] === 'remove' ? 'remove' : 'flag' }]
      : [],
  )
}

function report(work: Work, who: Identity, id: string, options: v.InferOutput<typeof reportQuery>) {
  if (options.create_user_if_not_exists && who.server) ensureUser(work.db, id, work.now)
  requireUser(work.db, id)
  const blocks = blocksOf(work.db, id).map((row) => ({
    user: work.people(row.user_id),
    user_id: row.user_id,
    blocked_user: work.people(row.blocked_id),
    blocked_user_id: row.blocked_id,
    created_at: toText(row.created_at),
  }))
  return {
    user: work.people.whole(id),
    ...(options.include_user_blocks ? { user_blocks: blocks } : {}),
    ...(options.include_counts ? { counts: authorCounts(work.db, id, work.now) } : {}),
    ...(options.include_user_mutes ? { user_mutes: userMutesOf(work.db, id).map((row) => encodeMute(work, row)) } : {}),
  }
}

/** What a moderator weighs about a person. See docs/wire.md 3.14 `/user_report`. */
type AuthorCounts = {
  readonly messages: number
  readonly deleted_messages: number
  readonly flags: number
  readonly flagged_by: number
  readonly muted_by: number
}

export const MESSAGE_COUNTS = `SELECT count(*) AS messages, count(deleted_at) AS deleted_messages FROM messages
  WHERE cid IN (SELECT cid FROM channels) AND user_id = ?`

/** Flags of a person's messages and of the person, by the items that they led to. */
export const FLAG_COUNTS = `SELECT count(*) AS flags, count(DISTINCT f.user_id) AS flagged_by
  FROM review_items r JOIN flags f ON f.kind IN ('message', 'user') AND f.target_id = r.entity_id
  WHERE r.creator_id = ?`

export const MUTE_COUNT = `SELECT count(*) AS muted_by FROM user_mutes
  WHERE target_id = ? AND (expires_at IS NULL OR expires_at > ?)`

function authorCounts(db: Db, userId: string, now: number): AuthorCounts {
  return {
    messages: 0,
    deleted_messages: 0,
    flags: 0,
    flagged_by: 0,
    muted_by: 0,
    ...db.get<Pick<AuthorCounts, 'messages' | 'deleted_messages'>>(MESSAGE_COUNTS, userId),
    ...db.get<Pick<AuthorCounts, 'flags' | 'flagged_by'>>(FLAG_COUNTS, userId),
    ...db.get<Pick<AuthorCounts, 'muted_by'>>(MUTE_COUNT, userId, now),
  }
}
