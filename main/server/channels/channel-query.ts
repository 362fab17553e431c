import { distinctId } from '#main/lib/ids.ts'
import * as v from 'valibot'
import { getChannel, queryChannel, queryDistinctChannel, queryChannels } from '#shared/wire/channels.ts'
import type { WireChannelState } from '#shared/wire/objects.ts'
import { CHANNEL_LIST_LIMIT, MESSAGE_PAGE } from '#shared/constants.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json, writtenList, type PartlyWritten } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, read, whole, idText, object, sort } from '../http/shapes.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { messagePage, type MessagePage } from '../messages/message-table.ts'
import { ensureUser } from '../users/users.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { encodeMember } from './encode-channels.ts'
import { accessTo, deny, mayRead, openChannel, type Access, isForeignTeam, channelsWithinTeams } from './access.ts'
import { ADMIN_OVERRIDES, channelInput, checkChannelId, createChannel, readMembers, requireType } from './channels.ts'
import { changeChannel, channelByCid, recountMessages, type ChannelRow } from './channel-table.ts'
import { changeMember, memberIds, memberOf, membersOf, recountUnread } from './member-table.ts'
import { channelForMany, channelState, channelStates, startWatching, watchingConnection } from './channel-state.ts'
import { findChannels, mayQueryChannels } from './find-channels.ts'

const DEFAULT_MESSAGES = 100
const DEFAULT_MEMBERS = 100

const page = v.optional(v.object({ limit: whole(300), offset: whole(1_000) }))

const queryBody = v.object({
  data: channelInput,
  state: flag,
  watch: flag,
  presence: flag,
  messages: v.optional(messagePage),
  members: page,
  watchers: page,
  hide_for_creator: flag,
})
type QueryBody = v.InferOutput<typeof queryBody>

/** The cursors of a channel's messages are flat in the query, as `messages_id_lt` and so on. */
const getQuery = v.pipe(
  v.looseObject({ state: flag, messages_limit: whole(300), members_limit: whole(300), watchers_limit: whole(300) }),
  v.transform(({ state, messages_limit, members_limit, watchers_limit, ...rest }) => ({
    state,
    members: { limit: members_limit, offset: undefined },
    watchers: watchers_limit === undefined ? undefined : { limit: watchers_limit, offset: undefined },
    messages: {
      ...Object.fromEntries(
        Object.entries(rest).flatMap(([key, value]) =>
          key.startsWith('messages_') ? [[key.slice('messages_'.length), value]] : [],
        ),
      ),
      limit: messages_limit,
    },
  })),
)

export const channelQueryRoutes: readonly Route[] = [
  route(getChannel, { query: getQuery }, ({ params, query, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const messages = read(messagePage, query.messages)
    return state(work, who, access, { ...query, messages })
  }),
  route(queryChannel, { body: queryBody }, ({ params, body, who, connectionId }, work) => {
    const cid = checkChannelId(params.type, params.id)
    return answer(work, who, body, connectionId, channelByCid(work.db, cid), { type: params.type, id: params.id })
  }),
  route(queryDistinctChannel, { body: queryBody }, ({ params, body, who, connectionId }, work) => {
    const ids = [...new Set(readMembers(body.data?.['members'], 'members').map((member) => member.userId))]
    if (ids.length < 2) return refuse('input', 'When using member based IDs specify at least 2 members')
    const id = distinctId(ids)
    const cid = checkChannelId(params.type, id)
    return answer(work, who, body, connectionId, channelByCid(work.db, cid), { type: params.type, id })
  }),
]

function answer(
  work: Work,
  who: Identity,
  body: QueryBody,
  connectionId: string | undefined,
  found: ChannelRow | undefined,
  name: { type: string; id: string },
): PartlyWritten<WireChannelState> {
  const connection = body.watch || body.presence ? watchingConnection(work, who, connectionId) : undefined
  if (!found) create(work, who, body, name)
  else if (found.deleted_at !== null) recreate(work, who, found)
  // Creating a channel reveals whether its id is free anyway: refused with code 17 here, where a read responds with 16.
  else if (!mayRead(accessTo(work.db, found, who), who)) return deny(accessTo(work.db, found, who), who, 'ReadChannel')
  const access = openChannel(work.db, `${name.type}:${name.id}`, who)
  if (connection && body.watch) startWatching(work, connection, access.channel.cid)
  const members = membersOf(work.db, access.channel.cid, DEFAULT_MEMBERS)
  if (connection && body.presence) {
    work.hub.subscribePresence(
      connection,
      members.map((row) => row.user_id),
    )
  }
  return state(work, who, access, body)
}

type StateInput = Pick<QueryBody, 'state' | 'messages' | 'members' | 'watchers'>

function state(work: Work, who: Identity, access: Access, input: StateInput): PartlyWritten<WireChannelState> {
  const { messages, members, watchers } = input
  return channelState(work, access, who, {
    state: input.state ?? true,
    messages: messages ?? NEWEST_PAGE,
    messageLimit: messages?.limit ?? DEFAULT_MESSAGES,
    memberLimit: members?.limit ?? DEFAULT_MEMBERS,
    memberOffset: members?.offset ?? 0,
    watchers: watchers ? { limit: watchers.limit ?? 100, offset: watchers.offset ?? 0 } : undefined,
  })
}

/** Recreates a deleted channel, empty, for users who may delete it. See docs/wire.md 8.5 "deleted before". */
function recreate(work: Work, who: Identity, channel: ChannelRow): void {
  const access = accessTo(work.db, channel, who)
  const isOwnDistinct = channel.id.startsWith('!members-') && access.member !== undefined
  if (!isOwnDistinct && !access.can.has('delete-channel')) return deny(access, who, 'RecreateChannel')
  changeChannel(work.db, channel.cid, { deleted_at: null, truncated_at: work.now, updated_at: work.now })
  recountMessages(work.db, channel.cid)
  recountUnread(work.db, channel.cid)
  announceCreation(work, accessTo(work.db, channelByCid(work.db, channel.cid) ?? channel, who), who.userId)
}

function create(work: Work, who: Identity, body: QueryBody, name: { type: string; id: string }): void {
  const data = body.data ?? {}
  requireType(work.db, name.type)
  const createdBy = who.server ? (namedCreator(data) ?? who.userId) : who.userId
  if (createdBy === '' && who.server) return refuse('input', 'either created_by or created_by_id must be given')
  if (who.server) ensureUser(work.db, createdBy, work.now)
  const may = accessTo(work.db, unsavedChannel(name), { ...who, userId: who.server ? '' : who.userId })
  if (!may.can.has('create-channel')) deny(may, who, 'CreateChannel')
  if (!isAdmin(who)) checkData(work, may, who, data)
  const members = uniqueMembers(data)
  const row = createChannel(
    work.db,
    { ...name, createdBy, data, members, invites: readMembers(data['invites'], 'invites') },
    work.now,
  )
  if (body.hide_for_creator) changeMember(work.db, row.cid, createdBy, { hidden: 1 })
  announceCreation(work, accessTo(work.db, row, who), createdBy)
}

/** Refuses what only an administrator may set on a new channel. */
function checkData(work: Work, may: Access, who: Identity, data: Json): void {
  const overrides = data['config_overrides']
  if (isObject(overrides) && ADMIN_OVERRIDES.some((key) => key in overrides)) {
    deny(may, who, 'UpdateChannelConfigOverrides')
  }
  if (typeof data['team'] === 'string' && isForeignTeam(work.db, who, data['team'])) deny(may, who, 'CreateChannel')
}

function uniqueMembers(data: Json) {
  return [...new Map(readMembers(data['members'], 'members').map((member) => [member.userId, member])).values()]
}

function namedCreator(data: Json): string | undefined {
  const user = data['created_by'] as { id?: unknown } | undefined
  const id = data['created_by_id'] ?? user?.id
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The channel for checking rights before the row exists. */
function unsavedChannel(name: { type: string; id: string }): ChannelRow {
  return {
    cid: `${name.type}:${name.id}`,
    ...name,
    name: null,
    name_words: '',
    created_by: null,
    created_at: 0,
    updated_at: 0,
    last_message_at: null,
    last_updated: 0,
    last_stamp: 0,
    member_count: 0,
    message_count: 0,
    frozen: 0,
    disabled: 0,
    cooldown: 0,
    team: null,
    truncated_at: null,
    truncated_by: null,
    deleted_at: null,
    config_overrides: '{}',
    filter_tags: '[]',
    custom: '{}',
    private: 0,
  }
}

export function announceCreation(work: Work, access: Access, createdBy: string): void {
  const { channel } = access
  const ids = memberIds(work.db, channel.cid)
  const user = work.people(createdBy)
  work.emit({
    event: channelEvent('channel.created', channel, work.stamp(channel.cid), {
      channel: channelForMany(work, access),
      user,
    }),
    to: { kind: 'users', ids },
    log: 'channel',
  })
  for (const userId of ids) announceAdded(work, access, userId, createdBy)
}

/**
 * Notifies a user that they were added to a channel, or invited: then `user` is the inviting user. See docs/wire.md 4.7
 * and 8.6.
 */
export function announceAdded(
  work: Work,
  access: Pick<Access, 'channel' | 'flags'>,
  userId: string,
  by?: string,
): void {
  const { channel } = access
  const row = memberOf(work.db, channel.cid, userId)
  if (!row) return
  const type = row.status === 'pending' ? 'notification.invited' : 'notification.added_to_channel'
  work.emit({
    event: channelEvent(type, channel, work.stamp(channel.cid), {
      channel: channelForMany(work, access, true),
      member: encodeMember(row, work.people),
      user: work.people(row.status === 'pending' && by ? by : userId),
    }),
    to: { kind: 'users', ids: [userId] },
  })
}

const MAX_CHANNELS = 30

const listBody = v.object({
  filter_conditions: object,
  sort,
  state: flag,
  watch: flag,
  presence: flag,
  limit: whole(1_000),
  offset: whole(1_000),
  message_limit: whole(300),
  member_limit: whole(100),
  predefined_filter: idText(),
})

const NEWEST_PAGE = {} as MessagePage

export const channelListRoutes: readonly Route[] = [
  route(queryChannels, { body: listBody }, ({ body, who, connectionId }, work) => {
    if (body.predefined_filter !== undefined) {
      refuse('doesNotExist', `predefined filter ${body.predefined_filter} does not exist`)
    }
    const connection = body.watch || body.presence ? watchingConnection(work, who, connectionId) : undefined
    const filter = body.filter_conditions ?? {}
    const rows = findChannels(work.db, who, {
      filter: channelsWithinTeams(work.db, who, filter),
      sort: body.sort ?? [],
      limit: Math.min(body.limit ?? CHANNEL_LIST_LIMIT, MAX_CHANNELS),
      offset: body.offset ?? 0,
    })
    mayQueryChannels(work.db, who, filter)
    const request = {
      state: body.state ?? true,
      messages: NEWEST_PAGE,
      messageLimit: body.message_limit ?? MESSAGE_PAGE,
      memberLimit: body.member_limit ?? DEFAULT_MEMBERS,
    }
    if (connection && body.watch) for (const row of rows) startWatching(work, connection, row.cid)
    const accesses = rows.map((row) => accessTo(work.db, row, who))
    const channels = channelStates(work, accesses, who, request)
    if (connection && body.presence) {
      work.hub.subscribePresence(
        connection,
        channels.flatMap(({ memberIds }) => memberIds),
      )
    }
    return { channels: writtenList<WireChannelState>(channels.map(({ state }) => state)) }
  }),
]
