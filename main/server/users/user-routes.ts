import * as v from 'valibot'
import { queryMembers, queryUsers, sync, upsertUsers } from '#shared/wire/app.ts'
import { muteChannel, unmuteChannel } from '#shared/wire/channels.ts'
import type { ReplyOf } from '#shared/wire/endpoint.ts'
import type { WireEvent } from '#shared/wire/events.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { SYNC_CIDS, SYNC_MAX_AGE_MS } from '#shared/constants.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeMember } from '../channels/encode-channels.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, object, sort, time, whole } from '../http/shapes.ts'
import type { Connection } from '../realtime/hub.ts'
import { announcePresence, announceUser } from '../realtime/presence.ts'
import { accessTo, need, openChannel, peopleWithinTeams } from '../channels/access.ts'
import { appSettings } from '../admin/settings.ts'
import { isAppModerator } from '../moderation/moderation.ts'
import { distinctId } from '#main/lib/ids.ts'
import { checkChannelId, memberList, readMembers } from '../channels/channels.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { EVENT_DAYS, eventsSince, MAX_SYNC_EVENTS } from '../store/event-table.ts'
import { messagesByIds } from '../messages/message-table.ts'
import { channelMute, deleteChannelMute, putChannelMute } from '../moderation/restriction-tables.ts'
import { MS, SECOND, toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelForMany, startWatching, watchingConnection } from '../channels/channel-state.ts'
import { findMembers, findUsers } from './find-people.ts'
import { disconnectRevoked, pageOfPeople, personFor } from './user-change.ts'
import { setServerFields, upsertUser, userInput } from './users.ts'
import { userById, type UserRow, blockedBy } from './user-tables.ts'
import { encodeChannelMute, ownUser, isPrivate } from './encode-users.ts'

const MAX_UPSERTS = 100

const usersPayload = v.looseObject({
  filter_conditions: object,
  sort,
  presence: flag,
  limit: whole(100),
  offset: whole(1_000),
  include_deactivated_users: flag,
  include_deleted_users: flag,
})

const membersPayload = v.looseObject({
  type: v.string(),
  id: idText(),
  members: memberList,
  filter_conditions: object,
  sort,
  limit: whole(300),
  offset: whole(10_000),
  user_id_gt: idText(),
  user_id_gte: idText(),
  user_id_lt: idText(),
  user_id_lte: idText(),
  created_at_after: time,
  created_at_after_or_equal: time,
  created_at_before: time,
  created_at_before_or_equal: time,
})

const NEWEST_FIRST = [{ field: 'created_at', direction: -1 }] as const

const PAGE_BOUNDS = {
  user_id_gt: { field: 'user_id', sign: '>' },
  user_id_gte: { field: 'user_id', sign: '>=' },
  user_id_lt: { field: 'user_id', sign: '<' },
  user_id_lte: { field: 'user_id', sign: '<=' },
  created_at_after: { field: 'created_at', sign: '>' },
  created_at_after_or_equal: { field: 'created_at', sign: '>=' },
  created_at_before: { field: 'created_at', sign: '<' },
  created_at_before_or_equal: { field: 'created_at', sign: '<=' },
} as const

/** The bounds of a member page. See docs/wire.md 3.12. */
/** Some clients send these flags in the query. */
const syncFlags = { watch: flag, with_inaccessible_cids: flag }

function bounds(payload: v.InferOutput<typeof membersPayload>) {
  return Object.entries(PAGE_BOUNDS).flatMap(([name, where]) => {
    const value = payload[name as keyof typeof PAGE_BOUNDS]
    return value === undefined ? [] : [{ ...where, value }]
  })
}

export const userRoutes: readonly Route[] = [
  route(queryUsers, { query: v.looseObject({ payload: usersPayload }) }, ({ query, who, connectionId }, work) => {
    const { payload } = query
    checkUserSearch(work, who, payload.filter_conditions ?? {})
    const rows = findUsers(work.db, {
      filter: peopleWithinTeams(work.db, who, payload.filter_conditions ?? {}),
      sort: payload.sort?.length ? payload.sort : NEWEST_FIRST,
      limit: payload.limit ?? 30,
      offset: payload.offset ?? 0,
      deactivated: payload.include_deactivated_users ?? false,
      deleted: who.server && payload.include_deleted_users === true,
    })
    const ids = rows.map((row) => row.id)
    if (payload.presence) work.hub.subscribePresence(watchingConnection(work, who, connectionId), ids)
    return { users: pageOfPeople(work, who, ids) }
  }),
  route(
    upsertUsers,
    { body: v.looseObject({ users: v.optional(v.record(v.string(), userInput)) }) },
    ({ body, who }, work) => upsert(work, who, body.users ?? {}),
  ),
  route(queryMembers, { query: v.looseObject({ payload: membersPayload }) }, ({ query, who }, work) => {
    const { payload } = query
    const id = payload.id ?? distinctId(readMembers(payload.members, 'members').map((each) => each.userId))
    const access = openChannel(work.db, checkChannelId(payload.type, id), who)
    if (!access.moderates) refuseHiddenFields(payload.filter_conditions ?? {}, [])
    const rows = findMembers(work.db, access.channel.cid, {
      filter: payload.filter_conditions ?? {},
      sort: payload.sort ?? [],
      limit: payload.limit ?? 100,
      offset: payload.offset ?? 0,
      bounds: bounds(payload),
    })
    work.people.load(rows.map((row) => row.user_id))
    return { members: rows.map((row) => encodeMember(row, work.people, access.moderates)) }
  }),
  route(
    sync,
    {
      body: v.looseObject({
        channel_cids: list(v.string(), SYNC_CIDS),
        last_sync_at: time,
        ...syncFlags,
      }),
      query: v.looseObject(syncFlags),
    },
    ({ body, who, query, connectionId }, work) => {
      const since = body.last_sync_at ?? refuse('input', 'last_sync_at must be a date')
      const watch = body.watch ?? query.watch ?? false
      return missedEvents(work, who, body.channel_cids ?? [], since, {
        withInaccessible: body.with_inaccessible_cids ?? query.with_inaccessible_cids ?? false,
        watching: watch ? watchingConnection(work, who, connectionId) : undefined,
      })
    },
  ),
  route(
    muteChannel,
    { body: v.looseObject({ channel_cid: idText(200), channel_cids: list(v.string(), 25), expiration: whole(1e9) }) },
    ({ body, who }, work) => {
      const cids = channelsOf(body)
      for (const cid of cids) mute(work, who, cid, body.expiration)
      announceMutes(work, who.userId, { type: 'channel.muted', cids })
      const mutes = cids.flatMap((cid) => {
        const row = channelMute(work.db, who.userId, cid)
        return row ? (encodeChannelMute(work, row) ?? []) : []
      })
      return { channel_mute: mutes[0], channel_mutes: mutes, own_user: ownUser(work, who.userId) }
    },
  ),
  route(
    unmuteChannel,
    { body: v.looseObject({ channel_cid: idText(200), channel_cids: list(v.string(), 25) }) },
    ({ body, who }, work) => {
      const cids = channelsOf(body)
      const ended = cids.filter((cid) => deleteChannelMute(work.db, requireUserId(who), cid))
      announceMutes(work, who.userId, { type: 'channel.unmuted', cids: ended })
      return {}
    },
  ),
]

/** Refuses roles that an administrator excluded from searching users, and filters by hidden fields. */
function checkUserSearch(work: Work, who: Identity, filter: Json): void {
  if (isAppModerator(who)) return
  const disallowed: unknown = appSettings(work.db)['user_search_disallowed_roles']
  if (Array.isArray(disallowed) && disallowed.includes(who.role))
    refuse('notAllowed', `role '${who.role}' may not search people`)
  refuseHiddenFields(filter, textsIn(work.people.whole(who.userId)['teams'] ?? []))
}

/** A filter by a hidden field would reveal what the objects omit. */
function refuseHiddenFields(filter: unknown, teams: readonly string[]): void {
  if (Array.isArray(filter)) for (const each of filter) refuseHiddenFields(each, teams)
  if (!isObject(filter)) return
  for (const [name, value] of Object.entries(filter)) {
    if (name.startsWith('$')) refuseHiddenFields(value, teams)
    else if (isHiddenField(name, value, teams)) {
      refuse('input', `unknown filter field ${name.slice(0, 100)}`, { [name]: 'unknown field' })
    }
  }
}

function isHiddenField(name: string, value: unknown, teams: readonly string[]): boolean {
  if (name === 'shadow_banned') return true
  if (name === 'teams') return !textsIn(value).every((team) => teams.includes(team))
  return isPrivate(name, '') && !isExactAddress(name, value)
}

function textsIn(value: unknown): string[] {
  if (isObject(value)) return Object.values(value).flatMap(textsIn)
  return Array.isArray(value) ? value.flatMap(textsIn) : [String(value)]
}

/** A complete address may be looked up. See docs/wire.md 6.3 "email ($eq, $in)". */
function isExactAddress(name: string, value: unknown): boolean {
  if (name !== 'email' && name !== 'user.email') return false
  return !isObject(value) || Object.keys(value).every((operator) => operator === '$eq' || operator === '$in')
}

/** Several channels or one; an empty list counts as absent. */
function channelsOf(body: { channel_cid?: string; channel_cids?: readonly string[] }) {
  if (body.channel_cids?.length) return body.channel_cids
  return [body.channel_cid ?? refuse('input', 'channel_cid is required')]
}

/** Users may only write themselves; a server token may write anyone, including roles. */
function upsert(work: Work, who: Identity, users: Readonly<Record<string, Json>>): ReplyOf<typeof upsertUsers> {
  const entries = Object.entries(users)
  if (entries.length > MAX_UPSERTS) return refuse('input', `at most ${MAX_UPSERTS} users at once`)
  const done: Record<string, WireUser> = {}
  for (const [id, details] of entries) {
    if (!who.server && id !== who.userId) return refuse('notAllowed', 'users may only change themselves')
    const role = who.server && typeof details['role'] === 'string' ? details['role'] : undefined
    const before = userById(work.db, id)
    const { changed, created } = upsertUser(work.db, id, details, work.now, role)
    const more = who.server && setServerFields(work.db, id, details)
    disconnectRevoked(work, before, id)
    if (before) announceServerFields(work, before, more && !changed)
    work.people.forget(id)
    if (changed && !created) announceUser(work, id)
    done[id] = personFor(work, who, id)
  }
  return { users: done, membership_deletion_task_id: '' }
}

/** Announces what only a server token can change, and a change of visibility. */
function announceServerFields(work: Work, before: UserRow, changed: boolean): void {
  work.people.forget(before.id)
  if (changed) announceUser(work, before.id)
  if (before.invisible !== userById(work.db, before.id)?.invisible) announcePresence(work, before.id)
}

/** See docs/wire.md 8.19. */
function missedEvents(
  work: Work,
  who: Identity,
  cids: readonly string[],
  since: number,
  options: { readonly withInaccessible: boolean; readonly watching?: Connection },
) {
  if (work.now - since > EVENT_DAYS * 86_400 * SECOND || work.now - since > SYNC_MAX_AGE_MS * MS) {
    return refuse('input', 'last_sync_at is too old: start afresh')
  }
  const [readable, inaccessible] = partition(cids, (cid) => {
    const channel = channelByCid(work.db, cid)
    return channel !== undefined && accessTo(work.db, channel, who).can.has('read-channel')
  })
  const found = eventsSince(work.db, readable, since, who.userId)
  if (found.length > MAX_SYNC_EVENTS) return refuse('input', 'too many events: start afresh')
  const events = found.map((json) => withFreshFiles(work, JSON.parse(work.fileUrls.moved(json)) as WireEvent))
  if (options.watching) for (const cid of readable) startWatching(work, options.watching, cid)
  return {
    events: stillShown(work, who, events),
    ...(options.withInaccessible ? { inaccessible_cids: inaccessible } : {}),
  }
}

/** Signatures of file URLs in old events may have expired. */
function withFreshFiles(work: Work, event: WireEvent): WireEvent {
  const { message } = event as { message?: unknown }
  return isObject(message) ? ({ ...event, message: withFreshAttachments(work, message) } as WireEvent) : event
}

function withFreshAttachments(work: Work, message: Json): Json {
  const { attachments, quoted_message: quoted } = message
  const fresh: unknown = JSON.parse(work.fileUrls.fresh(JSON.stringify(attachments ?? [])))
  return {
    ...message,
    ...(attachments === undefined ? {} : { attachments: fresh }),
    ...(isObject(quoted) ? { quoted_message: withFreshAttachments(work, quoted) } : {}),
  }
}

/**
 * The events that may still be shown: not those about messages before the user's history begins, blocked, or deleted
 * since.
 */
function stillShown(work: Work, who: Identity, events: readonly WireEvent[]): WireEvent[] {
  const found = events.map((event) => ({ event, about: messageIn(event) }))
  const rows = messagesByIds(
    work.db,
    found.flatMap(({ about }) => about ?? []),
  )
  const blocked = blockedBy(work.db, who.userId)
  const floors = new Map<string, number>()
  const floorOf = (cid: string): number => {
    const channel = floors.has(cid) ? undefined : channelByCid(work.db, cid)
    if (channel) floors.set(cid, accessTo(work.db, channel, who).floor)
    return floors.get(cid) ?? 0
  }
  return found.flatMap(({ event, about }) => {
    if (about === undefined || event.type === 'message.deleted') return [event]
    const row = rows.get(about)
    if (!row || row.deleted_at !== null || blocked.has(row.user_id)) return []
    return row.created_at > floorOf(row.cid) ? [event] : []
  })
}

function messageIn(event: WireEvent): string | undefined {
  const { message } = event as { message?: unknown }
  return isObject(message) && typeof message['id'] === 'string' ? message['id'] : undefined
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = []
  const no: T[] = []
  for (const item of items) (test(item) ? yes : no).push(item)
  return [yes, no]
}

function mute(work: Work, who: Identity, cid: string, forMs: number | undefined): void {
  requireUserId(who)
  const access = openChannel(work.db, cid, who)
  if (!access.flags.mutes) refuse('featureNotSupported', 'muting is switched off in this channel')
  need(access, who, 'mute-channel', 'MuteChannel')
  const expires_at = forMs === undefined ? null : work.now + forMs * MS
  putChannelMute(work.db, { user_id: who.userId, cid, created_at: work.now, updated_at: work.now, expires_at })
}

const requireUserId = (who: Identity): string =>
  who.userId === '' ? refuse('input', 'a server token must name a user') : who.userId

type MuteChange = { readonly type: 'channel.muted' | 'channel.unmuted'; readonly cids: readonly string[] }

/** Notifies a user of their current channel mutes, also when one expired. `change` names the channels. */
export function announceMutes(work: Work, userId: string, change?: MuteChange): void {
  work.emit({
    event: { type: 'notification.channel_mutes_updated', created_at: toText(work.now), me: ownUser(work, userId) },
    to: { kind: 'users', ids: [userId] },
  })
  for (const cid of change?.cids ?? []) {
    const channel = channelByCid(work.db, cid)
    if (!channel || !change) continue
    const shown = channelForMany(work, accessTo(work.db, channel, { ...NO_ONE, userId }))
    const place = { cid, channel_type: channel.type, channel_id: channel.id, channel: shown }
    work.emit({
      event: { type: change.type, created_at: toText(work.now), ...place, user: work.people(userId) },
      to: { kind: 'users', ids: [userId] },
    })
  }
}

const NO_ONE: Identity = { userId: '', role: 'user', banned: false, server: false, expiresAtMs: undefined }
