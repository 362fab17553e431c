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
} from '#shared/wire/moderation-v2.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag as flagShape, idText, list, object, text } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { reviewList } from './moderation-lists.ts'
import { blockedWord } from './blocklists.ts'
import { flag, MESSAGE_ENTITY, queueForReview, USER_ENTITY } from './flags.ts'
import { isAppModerator, needModerator, unban } from './moderation.ts'
import { ensureUser, needServer, requireUser } from '../users/users.ts'
import { messageById } from '../messages/message-table.ts'
import { userMutesOf } from './mute-table.ts'
import { blocksOf } from '../users/people-tables.ts'
import { settingOf, settingsOf } from '../admin/settings-table.ts'
import { userById } from '../users/user-table.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import { banBody, banWith, cidOf, muteAll, muteBody, unmuteAll } from './moderation-routes.ts'
import { encodeMute } from './moderation-encode.ts'
import { act, encodeReview } from './moderation-review.ts'
import { ownUser } from '../users/own-user.ts'

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

const actionBody = v.looseObject({ action_type: idText(), item_id: idText() })

const reportQuery = v.looseObject({
  user_id: idText(),
  create_user_if_not_exists: flagShape,
  include_user_blocks: flagShape,
  include_user_mutes: flagShape,
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
    return report(work, who, query.user_id ?? who.userId, query)
  }),
  route(queryReviewQueue, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needModerator(work, who)
    const { rows, cursors } = readCursorPage(work.db, reviewList(body.filter), body)
    return { items: rows.map((row) => encodeReview(work, row)), action_config: {}, stats: {}, ...cursors }
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
  (({ message: MESSAGE_ENTITY, user: USER_ENTITY }) as Readonly<Record<string, string>>)[type] ?? type

function named(body: { entity_type?: string; entity_id?: string }) {
  return {
    type: longName(body.entity_type ?? refuse('input', 'entity_type is required')),
    id: body.entity_id ?? refuse('input', 'entity_id is required'),
  }
}

/** Searches the lists that the configuration names, or all lists. See docs/wire.md 8.14 "check". */
function firstBlockedWord(work: Work, configKey: string | undefined, payload: Json | undefined) {
  const texts = Array.isArray(payload?.['texts']) ? payload['texts'].filter((each) => typeof each === 'string') : []
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
    ...(options.include_user_mutes ? { user_mutes: userMutesOf(work.db, id).map((row) => encodeMute(work, row)) } : {}),
  }
}
