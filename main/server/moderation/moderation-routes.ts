import * as v from 'valibot'
import {
  banUser,
  flagTarget,
  muteUser,
  queryBannedUsers,
  queryFlagReports,
  queryFlags,
  queryFutureChannelBans,
  queryMessageFlags,
  reviewFlagReport,
  unbanUser,
  unblockMessage,
  unflagTarget,
  unmuteUser,
  deleteModerationConfig,
  deleteModerationRule,
  getModerationConfig,
  getModerationRule,
  queryModerationConfigs,
  queryModerationRules,
  upsertModerationConfig,
  upsertModerationRule,
} from '#shared/wire/moderation.ts'
import { RULE_ACTIONS } from '#shared/domain/manage/rules.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag as flagShape, idText, list, object, oneOf, sort, text, time, whole } from '../http/shapes.ts'
import { accessTo } from '../channels/access.ts'
import { clearMessage } from '../messages/removal.ts'
import { requireUser } from '../users/users.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import { userById } from '../users/user-tables.ts'
import type { Work } from '../work.ts'
import { ownUser } from '../users/encode-users.ts'
import {
  findBans,
  findEndedBans,
  flagSql,
  encodeBan,
  encodeEndedBan,
  encodeFlag,
  encodeMute,
  encodeOwnFlag,
  reportOf,
  namedList,
} from './moderation-lists.ts'
import { flag, unflag, type FlagRequest, flagById, reviewFlags, type FlagRow, announceModeration } from './flags.ts'
import { ban, mute, needModerator, unban, unmute, isAdmin } from './moderation.ts'
import { futureBans } from './restriction-tables.ts'
import type { Json } from '../http/json.ts'
import { cursorBody, readCursorPage } from '../store/query/lists.ts'
import { checkUnchanged, deleteSetting, putSetting, settingOf, type SettingRow } from '../admin/settings.ts'
import { toText } from '../store/time.ts'

const MAX_TARGETS = 1_000
/** Ten years. */
const MAX_MINUTES = 10 * 365 * 24 * 60

export const muteBody = v.looseObject({
  target_id: idText(),
  target_ids: list(v.string(), MAX_TARGETS),
  timeout: whole(MAX_MINUTES),
})

export const banBody = v.looseObject({
  target_user_id: idText(),
  type: idText(64),
  id: idText(64),
  channel_cid: idText(200),
  timeout: whole(MAX_MINUTES),
  reason: text(1_000),
  shadow: flagShape,
  banned_by_id: idText(),
  delete_messages: oneOf(['soft', 'pruning', 'hard']),
  delete_reactions: flagShape,
  ban_from_future_channels: flagShape,
  remove_future_channels_ban: flagShape,
})

const unbanQuery = v.looseObject({
  target_user_id: idText(),
  type: idText(64),
  id: idText(64),
  channel_cid: idText(200),
  remove_future_channels_ban: flagShape,
})

const bansPayload = v.looseObject({
  filter_conditions: object,
  sort,
  limit: whole(300),
  offset: whole(10_000),
  exclude_expired_bans: flagShape,
  ended: flagShape,
  created_at_after: time,
  created_at_after_or_equal: time,
  created_at_before: time,
  created_at_before_or_equal: time,
})

const futurePayload = v.looseObject({
  target_user_id: idText(),
  exclude_expired_bans: flagShape,
  limit: whole(300),
  offset: whole(10_000),
})

const flagBody = v.looseObject({
  target_message_id: idText(),
  target_user_id: idText(),
  reason: text(1_000),
  custom: object,
})

const flagsPage = v.looseObject({ filter_conditions: object, limit: whole(300), offset: whole(10_000) })

const SIGNS = {
  created_at_after: '>',
  created_at_after_or_equal: '>=',
  created_at_before: '<',
  created_at_before_or_equal: '<=',
} as const

export const moderationRoutes: readonly Route[] = [
  route(muteUser, { body: muteBody }, ({ body, who }, work) => {
    const { mutes, missing } = muteAll(work, who, body)
    return {
      mute: mutes.length === 1 ? mutes[0] : undefined,
      mutes: body.target_ids?.length ? mutes : undefined,
      own_user: ownUser(work, who.userId),
      non_existing_users: missing.length > 0 ? missing : undefined,
    }
  }),
  route(unmuteUser, { body: muteBody }, ({ body, who }, work) => unmuteAll(work, who, body)),
  route(banUser, { body: banBody }, ({ body, who }, work) => {
    banWith(work, who, body)
    return {}
  }),
  route(unbanUser, { query: unbanQuery }, ({ query, who }, work) => {
    const targetId = query.target_user_id ?? refuse('input', 'target_user_id is required')
    unban(work, who, { targetId, cid: cidOf(query), future: query.remove_future_channels_ban })
    return {}
  }),
  route(queryBannedUsers, { query: v.looseObject({ payload: bansPayload }) }, ({ query, who }, work) => {
    const { payload } = query
    needModerator(work, who, onlyCid(payload.filter_conditions))
    const [filter, limit, offset] = [payload.filter_conditions ?? {}, payload.limit ?? 100, payload.offset ?? 0]
    if (payload.ended) {
      return { bans: findEndedBans(work.db, { filter, limit, offset }).map((row) => encodeEndedBan(work, row)) }
    }
    const times = Object.entries(SIGNS).flatMap(([name, sign]) => {
      const at = payload[name as keyof typeof SIGNS]
      return at === undefined ? [] : [{ sign, at }]
    })
    const rows = findBans(work.db, {
      filter,
      sort: payload.sort ?? [],
      limit,
      offset,
      times,
      endsAfter: payload.exclude_expired_bans ? work.now : undefined,
    })
    return { bans: rows.map((row) => encodeBan(work, row)) }
  }),
  route(queryFutureChannelBans, { query: v.looseObject({ payload: futurePayload }) }, ({ query, who }, work) => {
    const { payload } = query
    needModerator(work, who)
    const page = { limit: payload.limit ?? 100, offset: payload.offset ?? 0 }
    const since = payload.exclude_expired_bans ? work.now : undefined
    const rows = futureBans(work.db, payload.target_user_id, since, page)
    return { bans: rows.map((row) => encodeBan(work, { ...row, cid: '' })) }
  }),
  route(flagTarget, { body: flagBody }, ({ body, who }, work) => {
    const done = flag(work, who, { ...targetOf(body), reason: body.reason, custom: body.custom })
    return { flag: encodeFlag(work, done.flag), review_queue_item_id: done.item.id }
  }),
  route(unflagTarget, { body: flagBody }, ({ body, who }, work) => ({
    flag: encodeFlag(work, unflag(work, who, targetOf(body))),
  })),
  route(queryMessageFlags, { query: v.looseObject({ payload: flagsPage }) }, ({ query, who }, work) => ({
    flags: flags(work, who, query.payload, 'message').map((row) => encodeFlag(work, row)),
  })),
  route(queryFlags, { body: flagsPage }, ({ body, who }, work) => {
    if (!isOwn(who, body)) return { flags: flags(work, who, body).map((row) => encodeFlag(work, row)) }
    return { flags: findFlags(work, body).map((row) => encodeOwnFlag(work, who, row)) }
  }),
  route(queryFlagReports, { body: flagsPage }, ({ body, who }, work) => ({
    flag_reports: flags(work, who, body).map((row) => reportOf(work, row)),
  })),
  route(reviewFlagReport, { body: v.looseObject({ review_result: text(100) }) }, ({ params, body, who }, work) => {
    needModerator(work, who)
    const row = flagById(work.db, params.id) ?? refuse('doesNotExist', `flag report ${params.id} does not exist`)
    const result = body.review_result ?? refuse('input', 'review_result is required')
    const reviewed = reviewFlags(work.db, row.kind, row.target_id, { at: work.now, by: who.userId, result })
    return { flag_report: reportOf(work, reviewed.find(({ id }) => id === row.id) ?? row) }
  }),
  route(unblockMessage, { body: v.looseObject({ target_message_id: idText() }) }, ({ body, who }, work) => {
    needModerator(work, who)
    unblock(work, who, body.target_message_id ?? refuse('input', 'target_message_id is required'))
    return {}
  }),
]

type Targets = Pick<v.InferOutput<typeof muteBody>, 'target_id' | 'target_ids' | 'timeout'>

/** The named users, split into existing and missing ones. Refused when all are missing. */
function targetsOf(work: Work, body: Targets): { known: string[]; missing: string[] } {
  const ids = [...new Set(body.target_ids?.length ? body.target_ids : body.target_id ? [body.target_id] : [])]
  if (ids.length === 0) return refuse('input', 'target_id or target_ids is required')
  const known = ids.filter((id) => userById(work.db, id))
  const missing = ids.filter((id) => !known.includes(id))
  if (known.length === 0) return refuse('doesNotExist', `The following users do not exist: ${missing.join(', ')}`)
  return { known, missing }
}

export function muteAll(work: Work, who: Identity, body: Targets) {
  const { known, missing } = targetsOf(work, body)
  return { mutes: known.map((id) => encodeMute(work, mute(work, who, id, body.timeout))), missing }
}

export function unmuteAll(work: Work, who: Identity, body: Targets): { non_existing_users?: string[] } {
  const { known, missing } = targetsOf(work, body)
  for (const id of known) unmute(work, who, id)
  return missing.length > 0 ? { non_existing_users: missing } : {}
}

export function cidOf(place: { channel_cid?: string; type?: string; id?: string }) {
  if (place.channel_cid !== undefined) return place.channel_cid
  return place.type !== undefined && place.id !== undefined ? `${place.type}:${place.id}` : undefined
}

export function banWith(work: Work, who: Identity, body: v.InferOutput<typeof banBody>): void {
  const by = who.server && body.banned_by_id !== undefined ? { ...who, userId: body.banned_by_id } : who
  if (by !== who) requireUser(work.db, by.userId)
  ban(work, by, {
    targetId: body.target_user_id ?? refuse('input', 'target_user_id is required'),
    cid: cidOf(body),
    minutes: body.timeout,
    reason: body.reason,
    shadow: body.shadow,
    deleteMessages: body.delete_messages,
    deleteReactions: body.delete_reactions,
    future: body.ban_from_future_channels,
  })
}

/** The one channel that a filter names, so that its moderators may query it. */
function onlyCid(filter: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const cid = filter?.['channel_cid']
  return typeof cid === 'string' ? cid : undefined
}

function targetOf(body: v.InferOutput<typeof flagBody>): Pick<FlagRequest, 'kind' | 'targetId'> {
  if (body.target_message_id !== undefined) return { kind: 'message', targetId: body.target_message_id }
  return { kind: 'user', targetId: body.target_user_id ?? refuse('input', 'a target is required') }
}

function flags(work: Work, who: Identity, page: v.InferOutput<typeof flagsPage>, kind?: FlagRow['kind']): FlagRow[] {
  needModerator(work, who, onlyCid(page.filter_conditions))
  return findFlags(work, page, kind)
}

/** Everyone may read what became of their own flags. */
const isOwn = (who: Identity, { filter_conditions: filter }: v.InferOutput<typeof flagsPage>): boolean =>
  who.userId !== '' && who.role !== 'anonymous' && filter?.['user_id'] === who.userId

function findFlags(work: Work, page: v.InferOutput<typeof flagsPage>, kind?: FlagRow['kind']): FlagRow[] {
  const filter = page.filter_conditions ?? {}
  const { sql, values } = flagSql({ filter, limit: page.limit ?? 100, offset: page.offset ?? 0 }, kind)
  return work.db.all<FlagRow>(sql, ...values)
}

/** Shows a message that a block list had hidden. */
function unblock(work: Work, who: Identity, id: string): void {
  const row = messageById(work.db, id)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel) return refuse('doesNotExist', `message ${id} does not exist`)
  clearMessage(work, accessTo(work.db, channel, who), who, row)
}

type Kind = 'moderation_config' | 'moderation_rule'

const MAX_BYTES = 100 * 1024
const NAME = /^[A-Za-z0-9_:.-]{1,255}$/

const ofTeam = v.looseObject({ team: idText() })
const configBody = v.looseObject({ key: idText(), team: idText(), expected_updated_at: idText() })
const ruleBody = v.looseObject({ id: idText(), name: text(1_000), team: idText(), expected_updated_at: idText() })

/** A team may have its own configuration of the same key. Keys cannot contain the separator. */
function configName(key: string, team: string | undefined): string {
  if (team !== undefined && !NAME.test(team)) return refuse('input', 'team is not allowed')
  return team ? `${key}@${team}` : key
}

/** Configurations and rules of moderation, stored and returned for administrators. See docs/wire.md 3.14. */
export const moderationSettingRoutes: readonly Route[] = [
  route(upsertModerationConfig, { body: configBody }, ({ body, who }, work) => {
    const { key = '', team } = body
    if (!NAME.test(key)) return refuse('input', 'key is required')
    const name = configName(key, team)
    return { config: { key, ...put(work, who, 'moderation_config', name, body) } }
  }),
  route(getModerationConfig, { query: ofTeam }, ({ params, query, who }, work) => ({
    config: { key: params.key, ...get(work, who, 'moderation_config', configName(params.key, query.team)) },
  })),
  route(deleteModerationConfig, { query: ofTeam }, ({ params, query, who }, work) =>
    remove(work, who, 'moderation_config', configName(params.key, query.team)),
  ),
  route(queryModerationConfigs, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needAdmin(who)
    const { rows, cursors } = readCursorPage(work.db, namedList('moderation_config', body.filter), body)
    return { configs: rows.map((row) => ({ key: row.name.split('@', 1)[0] ?? '', ...encode(row) })), ...cursors }
  }),
  route(upsertModerationRule, { body: ruleBody }, ({ body, who }, work) => {
    const id = body.id ?? work.ids.uuid()
    if (!NAME.test(id)) return refuse('input', 'id is not allowed')
    if (body.name === undefined) return refuse('input', 'name is required')
    return { rule: { id, ...put(work, who, 'moderation_rule', id, body) } }
  }),
  route(queryModerationRules, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needAdmin(who)
    const { rows, cursors } = readCursorPage(work.db, namedList('moderation_rule', body.filter), body)
    return {
      rules: rows.map((row) => ({ id: row.name, ...encode(row) })),
      default_llm_labels: {},
      rule_actions: RULE_ACTIONS,
      ...cursors,
    }
  }),
  route(getModerationRule, {}, ({ params, who }, work) => ({
    rule: { id: params.id, ...get(work, who, 'moderation_rule', params.id) },
  })),
  route(deleteModerationRule, {}, ({ params, who }, work) => remove(work, who, 'moderation_rule', params.id)),
]

function needAdmin(who: Identity): void {
  if (!isAdmin(who)) refuse('notAllowed', 'only administrators configure moderation')
}

function encode(row: SettingRow): Json & { created_at: string; updated_at: string } {
  return { ...(JSON.parse(row.json) as Json), created_at: toText(row.created_at), updated_at: toText(row.updated_at) }
}

function put(work: Work, who: Identity, kind: Kind, name: string, input: Json) {
  needAdmin(who)
  if (JSON.stringify(input).length > MAX_BYTES) refuse('payloadTooBig', 'this is too big')
  const { user_id: _user, user: _who, expected_updated_at: expected, ...value } = input
  checkUnchanged(settingOf(work.db, kind, name), expected)
  putSetting(work.db, kind, name, value, work.now)
  announceModeration(work, kind)
  return get(work, who, kind, name)
}

function get(work: Work, who: Identity, kind: Kind, name: string) {
  needAdmin(who)
  const row = settingOf(work.db, kind, name)
  return row ? encode(row) : refuse('doesNotExist', `${name} does not exist`)
}

function remove(work: Work, who: Identity, kind: Kind, name: string): object {
  get(work, who, kind, name)
  deleteSetting(work.db, kind, name)
  announceModeration(work, kind)
  return {}
}
