import * as v from 'valibot'
import { isObject, type Json } from '../../http/json.ts'
import type { Identity } from '../../http/auth/identify.ts'
import { appSettings, settingOf, type SettingKind } from '../../admin/settings.ts'
import { channelByCid, type ChannelRow } from '../../channels/channel-table.ts'
import { grantsInForce } from '#shared/rules/channels/grants.ts'
import { queryModerationLogs, type WireLoggedAction } from '#shared/wire/moderation.ts'
import { readTypes, type ChannelType } from '../../channels/channel-types.ts'
import { memberOf } from '../../channels/member-table.ts'
import { messageById } from '../../messages/message-table.ts'
import { pollById } from '../../polls/poll-tables.ts'
import { userById, type UserRow } from '../../users/user-tables.ts'
import { transact, type Work } from '../../work.ts'
import { type Route, route } from '../../http/router.ts'
import { MESSAGE_ENTITY, reviewById, USER_ENTITY } from '../flags.ts'
import { isAppModerator, needModerator } from '../moderation.ts'
import {
  logAction,
  type LoggedAction,
  type LoggedChange,
  actionList,
  logDays,
  oldestAction,
  type ActionRow,
} from './log-table.ts'
import { cursorBody, readCursorPage } from '../../store/query/lists.ts'
import { toText } from '../../store/time.ts'
import { banOf, EVERYWHERE } from '../restriction-tables.ts'

/**
 * Which calls are logged, and as what. Each function runs before its call, to see what is there, and returns one that runs
 * after it, in the same transaction: a refused call logs nothing. Bans are logged where they are carried out, since
 * commands and the review queue ban too.
 */

type Call = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Json
  readonly body: Json
  readonly who: Identity
}
type Logged = LoggedAction | readonly LoggedAction[] | undefined
type Recorder = (call: Call, work: Work) => (() => Logged) | undefined

/** The route, with what is logged about its calls. */
export function logged(route: Route): Route {
  const recorder = Object.hasOwn(RECORDED, route.operation) ? RECORDED[route.operation] : undefined
  if (recorder === undefined) return route
  return {
    ...route,
    run(input, services, within = transact) {
      const call = { params: input.params, query: input.query, body: input.raw, who: input.who }
      return route.run(input, services, (given, step) =>
        within(given, (work) => {
          const after = recorder(call, work)
          const reply = step(work)
          for (const action of listed(after?.())) logAction(work, callerOf(call), action)
          return reply
        }),
      )
    },
  }
}

const listed = (found: Logged): readonly LoggedAction[] =>
  found === undefined ? [] : 'action' in found ? [found] : found

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A server token names who deletes a message in the query. */
const callerOf = ({ who, query }: Call): Identity => {
  const by = textOf(query['deleted_by'])
  return who.server && who.userId === '' && by !== undefined ? { ...who, userId: by } : who
}

const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).flatMap((each) => textOf(each) ?? [])

const cidOf = ({ params }: Call): string => `${params['type'] ?? ''}:${params['id'] ?? ''}`

const messages = {
  DeleteMessage: (call, work) => {
    const row = messageById(work.db, call.params['id'] ?? '')
    const hard = isOn(call.query['hard'])
    if (!row || isOn(call.query['delete_for_me']) || row.user_id === callerOf(call).userId) return undefined
    if (row.deleted_at !== null && !hard) return undefined
    return () => aboutMessage('message.delete', row, { how: hard ? 'hard' : 'soft' })
  },
  UpdateMessage: edited,
  UpdateMessagePartial: edited,
  UndeleteMessage: (call, work) => {
    const row = messageById(work.db, call.params['id'] ?? '')
    return row && (() => aboutMessage('message.restore', row))
  },
} satisfies Readonly<Record<string, Recorder>>

const isOn = (value: unknown): boolean => value === true || value === 'true'

type AboutMessage = { readonly id: string; readonly cid: string; readonly user_id: string }

const aboutMessage = (action: string, row: AboutMessage, more: Partial<LoggedAction> = {}): LoggedAction => ({
  action,
  targetId: row.user_id,
  cid: row.cid,
  messageId: row.id,
  ...more,
})

function edited(call: Call, work: Work): ReturnType<Recorder> {
  const row = messageById(work.db, call.params['id'] ?? '')
  if (!row || row.user_id === call.who.userId) return undefined
  return () => (messageById(work.db, row.id)?.text === row.text ? undefined : aboutMessage('message.edit', row))
}

const review = {
  SubmitAction: ({ body }, work) => {
    const type = textOf(body['action_type']) ?? ''
    const item = reviewById(work.db, textOf(body['item_id']) ?? '')
    if (!item || type === 'ban' || type === 'unban') return undefined
    const message = item.entity_type === MESSAGE_ENTITY ? messageById(work.db, item.entity_id) : undefined
    return () => ({
      action: 'review.decide',
      how: type,
      targetId: item.entity_type === USER_ENTITY ? item.entity_id : item.creator_id,
      ...(message ? { messageId: message.id, cid: message.cid } : {}),
    })
  },
  MuteUser: muted('user.mute'),
  Mute: muted('user.mute'),
  UnmuteUser: muted('user.unmute'),
  Unmute: muted('user.unmute'),
} satisfies Readonly<Record<string, Recorder>>

/** Mutes are everyone's own; those of moderators are logged. */
function muted(action: string): Recorder {
  return ({ who, body }, work) => {
    if (!isAppModerator(who) || who.userId === '') return undefined
    const ids = idsIn(body['target_ids'])
    const targets = ids.length > 0 ? ids : idsIn([body['target_id']])
    const seconds = typeof body['timeout'] === 'number' && body['timeout'] > 0 ? body['timeout'] * 60 : undefined
    return () => targets.filter((id) => userById(work.db, id)).map((targetId) => ({ action, targetId, seconds }))
  }
}

const people = {
  UpdateUsers: ({ body, who }, work) =>
    usersBefore(Object.keys(isObject(body['users']) ? body['users'] : {}), who, work),
  UpdateUsersPartial: ({ body, who }, work) => {
    const patches: unknown[] = Array.isArray(body['users']) ? body['users'] : []
    return usersBefore(idsIn(patches.map((each) => (isObject(each) ? each['id'] : undefined))), who, work)
  },
  DeleteUser:
    ({ params, query }) =>
    () => ({
      action: 'user.delete',
      targetId: params['id'],
      how: isOn(query['hard_delete']) ? 'hard' : 'soft',
    }),
  DeleteUsers: ({ body }, work) => eachUser('user.delete', body, work, textOf(body['user']) ?? 'soft'),
  RestoreUsers: ({ body }, work) => eachUser('user.restore', body, work),
  DeactivateUser:
    ({ params }) =>
    () => ({ action: 'user.deactivate', targetId: params['id'] }),
  DeactivateUsers: ({ body }, work) => eachUser('user.deactivate', body, work),
  ReactivateUser:
    ({ params }) =>
    () => ({ action: 'user.reactivate', targetId: params['id'] }),
  ReactivateUsers: ({ body }, work) => eachUser('user.reactivate', body, work),
} satisfies Readonly<Record<string, Recorder>>

/** Of the users that exist: others are refused one by one. */
function eachUser(action: string, body: Json, work: Work, how?: string): () => Logged {
  const known = idsIn(body['user_ids']).filter((id) => userById(work.db, id))
  return () => known.map((targetId) => ({ action, targetId, how }))
}

const USER_FIELDS = ['name', 'role', 'image', 'language', 'teams', 'custom'] as const

/** What people change about themselves is not logged. */
function usersBefore(ids: readonly string[], who: Identity, work: Work): () => Logged {
  const before = new Map(ids.filter((id) => who.server || id !== who.userId).map((id) => [id, userById(work.db, id)]))
  return () =>
    [...before].flatMap(([targetId, known]): LoggedAction[] => {
      const row = userById(work.db, targetId)
      if (!row) return []
      if (!known) return [{ action: 'user.create', targetId }]
      const changes = userChanges(known, row)
      const role = changes.filter(({ field }) => field === 'role')
      const others = changes.filter(({ field }) => field !== 'role')
      return [
        { action: 'user.role', targetId, changes: role },
        { action: 'user.update', targetId, changes: others },
      ]
    })
}

/** Custom fields may be private: only that they changed is logged. */
function userChanges(before: UserRow, after: UserRow): readonly LoggedChange[] {
  return USER_FIELDS.flatMap((field): LoggedChange[] => {
    if (before[field] === after[field]) return []
    if (field === 'custom' || field === 'image') return [{ field }]
    return [{ field, from: before[field] ?? undefined, to: after[field] ?? undefined }]
  })
}

const channels = {
  UpdateChannel: (call, work) => {
    const members = membersBefore(call, work)
    const frozen = frozenBefore(cidOf(call), work)
    return () => [...members(), ...frozen()]
  },
  UpdateChannelPartial: (call, work) => frozenBefore(cidOf(call), work),
  UpdateMemberPartial: (call, work) => {
    const targetId = call.params['userId']
    if (targetId === undefined) return undefined
    const before = memberOf(work.db, cidOf(call), targetId)?.channel_role
    return () => roleOf(cidOf(call), targetId, before, memberOf(work.db, cidOf(call), targetId)?.channel_role)
  },
  DeleteChannel: (call) => () => ({
    action: 'channel.delete',
    cid: cidOf(call),
    how: isOn(call.query['hard_delete']) ? 'hard' : 'soft',
  }),
  DeleteChannels: ({ body }, work) => {
    const known = idsIn(body['cids']).filter((cid) => channelByCid(work.db, cid)?.deleted_at === null)
    const how = body['hard_delete'] === true ? 'hard' : 'soft'
    return () => known.map((cid) => ({ action: 'channel.delete', cid, how }))
  },
  TruncateChannel: (call) => () => ({ action: 'channel.truncate', cid: cidOf(call) }),
  DeletePoll: pollOfOther('poll.delete'),
  UpdatePollPartial: (call, work) =>
    isObject(call.body['set']) && call.body['set']['is_closed'] === true
      ? pollOfOther('poll.close')(call, work)
      : undefined,
} satisfies Readonly<Record<string, Recorder>>

function pollOfOther(action: string): Recorder {
  return ({ params, who }, work) => {
    const poll = pollById(work.db, params['pollId'] ?? '')
    if (!poll || poll.created_by === who.userId) return undefined
    return () => ({ action, targetId: poll.created_by, subject: poll.name })
  }
}

function frozenBefore(cid: string, work: Work): () => LoggedAction[] {
  const isFrozen = (row: ChannelRow | undefined): boolean => row?.frozen === 1
  const before = isFrozen(channelByCid(work.db, cid))
  return () => {
    const now = isFrozen(channelByCid(work.db, cid))
    return now === before ? [] : [{ action: now ? 'channel.freeze' : 'channel.unfreeze', cid }]
  }
}

const ROLE_LISTS = ['assign_roles', 'add_moderators', 'demote_moderators'] as const

/** Roles that were given, and members whom someone else removed. */
function membersBefore(call: Call, work: Work): () => LoggedAction[] {
  const cid = cidOf(call)
  const idOf = (each: unknown): string | undefined => textOf(isObject(each) ? each['user_id'] : each)
  const idsOf = (name: string): string[] => {
    const list: unknown[] = Array.isArray(call.body[name]) ? call.body[name] : []
    return list.flatMap((each) => idOf(each) ?? [])
  }
  const roles = new Map(ROLE_LISTS.flatMap(idsOf).map((id) => [id, memberOf(work.db, cid, id)?.channel_role] as const))
  const removed = idsOf('remove_members').filter((id) => id !== call.who.userId && memberOf(work.db, cid, id))
  return () => [
    ...[...roles].flatMap(([id, before]) => roleOf(cid, id, before, memberOf(work.db, cid, id)?.channel_role)),
    ...removed.map((targetId) => ({ action: 'member.remove', targetId, cid })),
  ]
}

function roleOf(cid: string, targetId: string, from: string | undefined, to: string | undefined): LoggedAction[] {
  return from === to ? [] : [{ action: 'member.role', targetId, cid, changes: [{ field: 'role', from, to }] }]
}

const workspace = {
  UpdateApp: (_call, work) => {
    const before = appSettings(work.db)
    return () => ({ action: 'app.update', changes: changesBetween(before, appSettings(work.db)) })
  },
  CreateChannelType:
    ({ body }) =>
    () => ({ action: 'channel_type.create', subject: textOf(body['name']) }),
  UpdateChannelType: ({ params }, work) => {
    const before = readTypes(work.db).get(params['name'] ?? '')
    if (!before) return undefined
    return () => {
      const after = readTypes(work.db).get(before.name) ?? before
      return { action: 'channel_type.update', subject: before.name, changes: typeChanges(before, after) }
    }
  },
  DeleteChannelType: named('channel_type.delete'),
  CreateCommand:
    ({ body }) =>
    () => ({ action: 'command.create', subject: textOf(body['name']) }),
  UpdateCommand: changedSetting('command.update', 'command'),
  DeleteCommand: named('command.delete'),
  CreateRole:
    ({ body }) =>
    () => ({ action: 'role.create', subject: textOf(body['name']) }),
  DeleteRole: named('role.delete'),
  CreateBlockList:
    ({ body }) =>
    () => ({ action: 'blocklist.create', subject: textOf(body['name']) }),
  UpdateBlockList: named('blocklist.update'),
  DeleteBlockList: named('blocklist.delete'),
  UpsertConfig:
    ({ body }) =>
    () => ({ action: 'config.update', subject: textOf(body['key']) }),
  DeleteConfig:
    ({ params }) =>
    () => ({ action: 'config.delete', subject: params['key'] }),
  UpsertModerationRule:
    ({ body }) =>
    () => ({ action: 'rule.update', subject: textOf(body['name']) ?? textOf(body['id']) }),
  DeleteModerationRule: ({ params }, work) => {
    const row = settingOf(work.db, 'moderation_rule', params['id'] ?? '')
    const rule = row ? (JSON.parse(row.json) as Json) : {}
    return () => ({ action: 'rule.delete', subject: textOf(rule['name']) ?? params['id'] })
  },
} satisfies Readonly<Record<string, Recorder>>

function named(action: string): Recorder {
  return ({ params }) =>
    () => ({ action, subject: params['name'] })
}

function changedSetting(action: string, kind: SettingKind): Recorder {
  return ({ params }, work) => {
    const name = params['name'] ?? ''
    const read = (): Json => JSON.parse(settingOf(work.db, kind, name)?.json ?? '{}') as Json
    const before = read()
    return () => ({ action, subject: name, changes: changesBetween(before, read()) })
  }
}

/** Flags, and the rights of each role one by one. */
function typeChanges(before: ChannelType, after: ChannelType): readonly LoggedChange[] {
  const { grants: grantsBefore, ...flagsBefore } = before.flags
  const { grants: grantsAfter, ...flagsAfter } = after.flags
  const old = grantsInForce(before.name, grantsBefore)
  const now = grantsInForce(after.name, grantsAfter)
  const rights = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((role) => {
    const had = new Set(old[role])
    const has = new Set(now[role])
    return [
      ...[...had].filter((right) => !has.has(right)).map((from) => ({ field: `grants.${role}`, from })),
      ...[...has].filter((right) => !had.has(right)).map((to) => ({ field: `grants.${role}`, to })),
    ]
  })
  return [...changesBetween(flagsBefore, flagsAfter), ...rights]
}

function changesBetween(before: Json, after: Json): readonly LoggedChange[] {
  const shown = (value: unknown): string | undefined =>
    value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [from, to] = [shown(before[field]), shown(after[field])]
    return from === to ? [] : [{ field, from, to }]
  })
}

const RECORDED: Readonly<Record<string, Recorder>> = { ...messages, ...review, ...people, ...channels, ...workspace }

/** The history of actions, for moderators of the app. See docs/wire.md 3.14. */
export const moderationLogRoutes: readonly Route[] = [
  route(queryModerationLogs, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needModerator(work, who)
    const { rows, cursors } = readCursorPage(work.db, actionList(body.filter), body)
    const since = oldestAction(work.db)
    return {
      logs: rows.map((row) => encodeAction(work, row)),
      kept_days: logDays(work.db),
      ...(since === undefined ? {} : { since: toText(since) }),
      ...cursors,
    }
  }),
]

function encodeAction(work: Work, row: ActionRow): WireLoggedAction {
  const channel = row.cid === null ? undefined : channelByCid(work.db, row.cid)
  return {
    ...(JSON.parse(row.details) as Pick<WireLoggedAction, 'changes' | 'how' | 'seconds'>),
    id: String(row.seq),
    created_at: toText(row.at),
    action: row.action,
    ...(row.user_id === null ? {} : { user_id: row.user_id, user: work.people(row.user_id) }),
    ...(row.target_id === null ? {} : { target_user_id: row.target_id, target_user: work.people(row.target_id) }),
    ...(row.cid === null ? {} : { channel_cid: row.cid }),
    ...(channel?.name ? { channel_name: channel.name } : {}),
    ...(row.message_id === null ? {} : { message_id: row.message_id }),
    ...(row.subject === null ? {} : { subject: row.subject }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...undoOf(work, row),
  }
}

/** How the action can be reversed now: not after someone else did, nor when nothing of it is in force any more. */
function undoOf(work: Work, row: ActionRow): Pick<WireLoggedAction, 'undo'> {
  if (row.action === 'user.ban' && row.target_id !== null) {
    const ban = banOf(work.db, row.target_id, row.cid ?? EVERYWHERE)
    return ban?.created_at === row.at ? { undo: 'unban' } : {}
  }
  if (row.action === 'message.delete' && row.message_id !== null) {
    const message = messageById(work.db, row.message_id)
    // The time of a deletion is a later one of the channel's own.
    return (message?.deleted_at ?? 0) >= row.at ? { undo: 'restore' } : {}
  }
  return {}
}
