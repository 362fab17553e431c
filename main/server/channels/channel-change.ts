import * as v from 'valibot'
import {
  hideChannel,
  showChannel,
  stopWatching,
  updateChannel,
  updateChannelPartial,
  updateOwnMember,
  updateMember,
  updateChannelsBatch,
} from '#shared/wire/channels.ts'
import type { WireMember } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { storedImage } from '../uploads/upload-files.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, list, object, time } from '../http/shapes.ts'
import { announceWatching } from '../realtime/presence.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import type { MessageRow } from '../messages/message-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { accompanyingMessage } from '../messages/message-input.ts'
import { messageFor, messageForMany } from '../messages/message-announce.ts'
import { post } from '../messages/message-post.ts'
import { encodeMember } from './encode-channels.ts'
import { accessTo, deny, need, openChannel, type Access } from './access.ts'
import {
  ADMIN_OVERRIDES,
  channelInput,
  checkChannelId,
  columnsOf,
  MEMBER_KEYS,
  memberList,
  readCooldown,
  readMembers,
  readTags,
  type ChannelColumns,
} from './channels.ts'
import { changeChannel, channelByCid } from './channel-table.ts'
import { changeMember, memberOf, membersOf } from './member-table.ts'
import { channelFor, channelForMany, watchingConnection } from './channel-state.ts'
import { announceMember, assignRole, changeMembers, unwatchOutsiders } from './member-changes.ts'
import { finishTask, outcomesOf } from '../admin/tasks.ts'
import { needServer } from '../users/users.ts'

const MEMBERS_SHOWN = 100

const partialBody = v.object({ set: object, unset: list(v.string(), 100) })

/** At most one change of each kind. See docs/wire.md 3.2 `POST /channels/{type}/{id}`. */
const updateBody = v.looseObject({
  data: channelInput,
  message: accompanyingMessage,
  add_members: memberList,
  remove_members: memberList,
  add_moderators: memberList,
  demote_moderators: memberList,
  assign_roles: memberList,
  invites: memberList,
  accept_invite: flag,
  reject_invite: flag,
  cooldown: v.optional(v.number()),
  add_filter_tags: list(v.string(), 10),
  remove_filter_tags: list(v.string(), 10),
  hide_history: flag,
  hide_history_before: time,
})

export const channelChangeRoutes: readonly Route[] = [
  route(updateChannel, { body: updateBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    if (!changesOwnMembership(body, who)) need(access, who, rightFor(body), 'UpdateChannel')
    if (body.data) replaceData(work, access, who, body.data)
    if (body.cooldown !== undefined) setCooldown(work, access, who, body.cooldown)
    changeTags(work, access, who, body)
    changeMembers(work, access, who, body)
    const message = body.message ? post(work, fresh(work, access, who), who, body.message, { system: true }) : undefined
    announceUpdate(work, fresh(work, access, who), who, message)
    const after = fresh(work, access, who)
    return {
      channel: channelFor(work, after),
      members: shownMembers(work, after),
      message: message ? messageFor(work, message, who) : undefined,
    }
  }),
  route(updateChannelPartial, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    mergeData(work, access, who, body)
    const after = fresh(work, access, who)
    announceUpdate(work, after, who)
    return { channel: channelFor(work, after), members: shownMembers(work, after) }
  }),
  route(stopWatching, {}, ({ params, who, connectionId }, work) => {
    const connection = watchingConnection(work, who, connectionId)
    const cid = checkChannelId(params.type, params.id)
    if (work.hub.unwatch(connection, cid)) announceWatching(work, 'user.watching.stop', cid, who.userId)
    return {}
  }),
  route(updateOwnMember, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    return { channel_member: changeOneMember(work, access, who, who.userId, body) }
  }),
  route(updateMember, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const keys = [...Object.keys(body.set ?? {}), ...(body.unset ?? [])]
    const onlyRole = typeof body.set?.['channel_role'] === 'string' && keys.length === 1
    if (params.userId !== who.userId && !who.server && !onlyRole) {
      return refuse('notAllowed', 'only the own membership may be changed')
    }
    return { channel_member: changeOneMember(work, access, who, params.userId, body) }
  }),
  route(hideChannel, { body: v.looseObject({ clear_history: flag }) }, ({ params, body, who }, work) => {
    setHidden(work, ownChannel(work, params, who), who, true, body.clear_history ?? false)
    return {}
  }),
  route(showChannel, { body: v.looseObject({}) }, ({ params, who }, work) => {
    setHidden(work, ownChannel(work, params, who), who, false)
    return {}
  }),
]

const MEMBER_LISTS = [
  'add_members',
  'remove_members',
  'invites',
  'add_moderators',
  'demote_moderators',
  'assign_roles',
] as const

const isGiven = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Joining, leaving and responding to an invite change only the user's own membership; a message may come with them. */
function changesOwnMembership(body: Json, who: Identity): boolean {
  if (body['accept_invite'] === true || body['reject_invite'] === true) return true
  const named = MEMBER_LISTS.filter((name) => isGiven(body[name]))
  const ids = named.flatMap((name) => readMembers(body[name], name).map((person) => person.userId))
  return named.length > 0 && ids.every((id) => id === who.userId)
}

/** The minimum right for an update of the channel; its parts have further rules. */
function rightFor(body: Json): string {
  if (MEMBER_LISTS.some((name) => isGiven(body[name]))) return 'update-channel-members'
  const only = body['cooldown'] !== undefined && !isObject(body['data'])
  return only && !isObject(body['message']) ? 'set-channel-cooldown' : 'update-channel'
}

/** @param clear permanently hides all messages so far */
function setHidden(work: Work, access: Access, who: Identity, hidden: boolean, clear = false): void {
  const { cid } = access.channel
  changeMember(work.db, cid, who.userId, {
    hidden: Number(hidden),
    ...(clear ? { hide_before: work.stamp(cid), unread: 0 } : {}),
  })
  if (hidden) announceToSelf(work, access, who, 'channel.hidden', { clear_history: clear })
  else announceToSelf(work, access, who, 'channel.visible', {})
}

/** The same channel, read again. */
export function fresh(work: Work, access: Access, who: Identity): Access {
  return accessTo(work.db, channelByCid(work.db, access.channel.cid) ?? access.channel, who)
}

function ownChannel(work: Work, params: { type: string; id: string }, who: Identity): Access {
  const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
  if (!access.member) return refuse('notAllowed', 'only members may do this')
  return access
}

function shownMembers(work: Work, access: Access): WireMember[] {
  return membersOf(work.db, access.channel.cid, MEMBERS_SHOWN).map((row) =>
    encodeMember(row, work.people, access.moderates),
  )
}

/**
 * `data` replaces every custom key. See docs/wire.md 3.2 "POST update semantics". A private channel stays one unless
 * the data sets `private`: a new name must not open it to everyone.
 */
function replaceData(work: Work, access: Access, who: Identity, data: Json): void {
  need(access, who, 'update-channel', 'UpdateChannel')
  const { channel } = access
  const next = columnsOf(channel.private === 1 ? { private: true, ...data } : data)
  const columns = {
    ...next,
    cooldown: 'cooldown' in data ? next.cooldown : channel.cooldown,
    frozen: 'frozen' in data ? next.frozen : channel.frozen,
    team: 'team' in data ? next.team : channel.team,
    filter_tags: 'filter_tags' in data ? next.filter_tags : channel.filter_tags,
    config_overrides: 'config_overrides' in data ? next.config_overrides : channel.config_overrides,
  }
  write(work, access, who, columns, data)
}

/** Sets and removes single keys; other keys stay. */
function mergeData(work: Work, access: Access, who: Identity, request: PartialUpdate): void {
  need(access, who, 'update-channel', 'UpdateChannel')
  const { channel } = access
  const known: Json = {
    ...(JSON.parse(channel.custom) as Json),
    ...(channel.name === null ? {} : { name: channel.name }),
    frozen: channel.frozen === 1,
    disabled: channel.disabled === 1,
    cooldown: channel.cooldown,
    team: channel.team,
    filter_tags: JSON.parse(channel.filter_tags),
    config_overrides: JSON.parse(channel.config_overrides),
  }
  const { set, unset } = changeOf(known, request)
  const data: Record<string, unknown> = { ...known, ...set }
  for (const key of unset) delete data[key]
  if (unset.includes('disabled')) data['disabled'] = false
  write(work, access, who, columnsOf(data), data)
}

function write(work: Work, access: Access, who: Identity, next: ChannelColumns, data: Json): void {
  const { channel } = access
  const disabled = 'disabled' in data ? Number(data['disabled'] === true) : channel.disabled
  checkFlags(access, who, { ...next, disabled })
  const custom = storedImage(work.db, who, next.custom, channel.custom)
  const after = changeChannel(work.db, channel.cid, { ...next, custom, disabled, updated_at: work.now })
  if (after && after.private > channel.private) unwatchOutsiders(work, after)
  if (next.frozen !== channel.frozen) announceFrozen(work, access, who, next.frozen === 1)
}

/** Checks columns that need a separate right. Only administrators may change overrides that could extend rights. */
function checkFlags(access: Access, who: Identity, next: ChannelColumns & { disabled: number }): void {
  const { channel } = access
  if (next.frozen !== channel.frozen) need(access, who, 'freeze-channel', 'FreezeChannel')
  if (next.cooldown !== channel.cooldown) need(access, who, 'set-channel-cooldown', 'UpdateChannelCooldown')
  if (isAdmin(who)) return
  if (next.disabled !== channel.disabled) deny(access, who, 'DisableChannel')
  if (next.team !== channel.team) deny(access, who, 'UpdateChannelTeam')
  for (const key of ADMIN_OVERRIDES) {
    if (valueOf(next.config_overrides, key) !== valueOf(channel.config_overrides, key)) {
      deny(access, who, 'UpdateChannelConfigOverrides')
    }
  }
}

const valueOf = (json: string, key: string): string | undefined =>
  JSON.stringify((JSON.parse(json) as Record<string, unknown>)[key])

function announceFrozen(work: Work, access: Access, who: Identity, frozen: boolean): void {
  const { cid, type, id } = access.channel
  work.emit({
    event: {
      type: frozen ? 'channel.frozen' : 'channel.unfrozen',
      created_at: toText(work.stamp(cid)),
      cid,
      channel_type: type,
      channel_id: id,
      user: work.people(who.userId),
    },
    to: { kind: 'watchers', cid, author: who.userId },
  })
}

/** See docs/wire.md 3.2 `add_filter_tags`, `remove_filter_tags`. */
function changeTags(work: Work, access: Access, who: Identity, body: Json): void {
  const added = readTags(body['add_filter_tags'], 'add_filter_tags')
  const removed = readTags(body['remove_filter_tags'], 'remove_filter_tags')
  if (added.length === 0 && removed.length === 0) return
  need(access, who, 'update-channel', 'UpdateChannel')
  const now = JSON.parse(fresh(work, access, who).channel.filter_tags) as string[]
  const next = readTags(
    [...new Set([...now, ...added])].filter((tag) => !removed.includes(tag)),
    'filter_tags',
  )
  changeChannel(work.db, access.channel.cid, { filter_tags: JSON.stringify(next), updated_at: work.now })
}

function setCooldown(work: Work, access: Access, who: Identity, value: unknown): void {
  need(access, who, 'set-channel-cooldown', 'UpdateChannelCooldown')
  changeChannel(work.db, access.channel.cid, { cooldown: readCooldown(value), updated_at: work.now })
}

function announceUpdate(work: Work, access: Access, who: Identity, message?: MessageRow): void {
  work.emit({
    event: channelEvent('channel.updated', access.channel, work.stamp(access.channel.cid), {
      channel: channelForMany(work, access, true),
      user: work.people(who.userId),
      ...(message ? { message: messageForMany(work, message) } : {}),
    }),
    to: { kind: 'watchers', cid: access.channel.cid, author: who.userId },
    log: 'channel',
  })
}

function announceToSelf(
  work: Work,
  access: Access,
  who: Identity,
  type: 'channel.hidden' | 'channel.visible',
  fields: { clear_history?: boolean },
): void {
  work.emit({
    event: channelEvent(type, access.channel, work.stamp(access.channel.cid), {
      ...fields,
      channel: channelForMany(work, access),
      user: work.people(who.userId),
    }),
    to: { kind: 'users', ids: [who.userId] },
    log: { userId: who.userId },
  })
}

/**
 * Pin and archive store a time, a channel role needs the right to change members, every other key is custom.
 * See docs/wire.md 3.2 "Member partial update keys".
 */
function changeOneMember(work: Work, access: Access, who: Identity, userId: string, change: PartialUpdate): WireMember {
  const { cid } = access.channel
  const row = memberOf(work.db, cid, userId)
  if (!row) return refuse('doesNotExist', `user ${userId} is not a member of ${cid}`)
  const current = JSON.parse(row.custom) as Json
  const { set, unset } = changeOf(current, change)
  const custom: Record<string, unknown> = { ...current, ...customOf(set, MEMBER_KEYS) }
  for (const key of unset) delete custom[key]
  const stamped = (name: 'pinned' | 'archived', old: number | null): number | null => {
    if (unset.includes(name) || set[name] === false) return null
    return set[name] === true ? (old ?? work.now) : old
  }
  if (typeof set['channel_role'] === 'string') assignRole(work, access, who, userId, set['channel_role'])
  changeMember(work.db, cid, userId, {
    custom: JSON.stringify(custom),
    pinned_at: stamped('pinned', row.pinned_at),
    archived_at: stamped('archived', row.archived_at),
    updated_at: work.now,
  })
  announceMember(work, access, who, 'member.updated', userId)
  return encodeMember(memberOf(work.db, cid, userId) ?? row, work.people, access.moderates)
}

/** The most channels that one call can change. */
const MAX_CHANNELS = 1_000

const texts = v.union([
  v.pipe(v.array(v.string()), v.maxLength(MAX_CHANNELS)),
  v.pipe(
    v.object({ $in: v.pipe(v.array(v.string()), v.maxLength(MAX_CHANNELS)) }),
    v.transform(({ $in }) => $in),
  ),
])

const batchBody = v.looseObject({
  operation: v.string(),
  filter: v.looseObject({ cids: v.optional(texts), types: v.optional(texts) }),
  members: memberList,
  data: channelInput,
  filter_tags_update: list(v.string(), 10),
  clear_history: flag,
})
type BatchBody = v.InferOutput<typeof batchBody>

type BatchInput = { readonly work: Work; readonly access: Access; readonly who: Identity; readonly body: BatchBody }

/** Changes members the way an update of one channel does. */
const membersAs =
  (key: string) =>
  ({ work, access, who, body }: BatchInput): void =>
    changeMembers(work, access, who, { [key]: body.members })

/** Runs a step for each of the named members, as that member. */
const eachMember =
  (step: (input: BatchInput, as: Identity) => void) =>
  (input: BatchInput): void => {
    const { cid } = input.access.channel
    for (const { userId } of readMembers(input.body.members, 'members')) {
      if (!memberOf(input.work.db, cid, userId)) refuse('doesNotExist', `user ${userId} is not a member of ${cid}`)
      step(input, { ...input.who, userId })
    }
  }

const setOwn = (set: Readonly<Record<string, boolean>>) =>
  eachMember(({ work, access }, as) => {
    changeOneMember(work, access, as, as.userId, { set })
  })

const OPERATIONS: Readonly<Record<string, (input: BatchInput) => void>> = {
  addMembers: membersAs('add_members'),
  removeMembers: membersAs('remove_members'),
  inviteMembers: membersAs('invites'),
  assignRoles: membersAs('assign_roles'),
  addModerators: membersAs('add_moderators'),
  demoteModerators: membersAs('demote_moderators'),
  hide: eachMember(({ work, access, body }, as) => setHidden(work, access, as, true, body.clear_history ?? false)),
  show: eachMember(({ work, access }, as) => setHidden(work, access, as, false)),
  archive: setOwn({ archived: true }),
  unarchive: setOwn({ archived: false }),
  updateData: ({ work, access, who, body }) => mergeData(work, access, who, { set: body.data }),
  addFilterTags: ({ work, access, who, body }) =>
    changeTags(work, access, who, { add_filter_tags: body.filter_tags_update }),
  removeFilterTags: ({ work, access, who, body }) =>
    changeTags(work, access, who, { remove_filter_tags: body.filter_tags_update }),
}

/** Operations on a member's own state: they do not change the channel for others. */
const PRIVATE: ReadonlySet<string> = new Set(['hide', 'show', 'archive', 'unarchive'])

/** One change to many channels, for a server token. See docs/wire.md 3.2 `/channels/batch`. */
export const channelBatchRoutes: readonly Route[] = [
  route(updateChannelsBatch, { body: batchBody }, ({ body, who }, work) => {
    needServer(who)
    const change = Object.hasOwn(OPERATIONS, body.operation) ? OPERATIONS[body.operation] : undefined
    if (!change) return refuse('input', `unknown operation ${body.operation}`, { operation: 'unknown' })
    const result = outcomesOf(work, found(work, body), (inner, cid) => changeOne(inner, cid, who, body, change))
    return { result, task_id: finishTask(work, { result }) }
  }),
]

function found(work: Work, { filter }: BatchBody): string[] {
  const [cids, types] = [filter.cids, filter.types].map((each) => (each?.length ? each : undefined))
  if (!cids && !types) return refuse('input', 'filter must name cids or types')
  const rows = work.db.all<{ cid: string }>(
    `SELECT cid FROM channels WHERE deleted_at IS NULL AND (? IS NULL OR cid IN (SELECT value FROM json_each(?)))
       AND (? IS NULL OR type IN (SELECT value FROM json_each(?))) ORDER BY cid LIMIT ?`,
    ...[cids, cids, types, types].map((each) => (each ? JSON.stringify(each) : null)),
    MAX_CHANNELS + 1,
  )
  if (rows.length > MAX_CHANNELS) refuse('input', `the filter finds more than ${MAX_CHANNELS} channels`)
  return rows.map((row) => row.cid)
}

function changeOne(work: Work, cid: string, who: Identity, body: BatchBody, change: (input: BatchInput) => void): void {
  const access = openChannel(work.db, cid, who)
  change({ work, access, who, body })
  if (!PRIVATE.has(body.operation)) announceUpdate(work, fresh(work, access, who), who)
}
