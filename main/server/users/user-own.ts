import * as v from 'valibot'
import {
  addDevice,
  blockUser,
  getBlockedUsers,
  getDevices,
  removeDevice,
  setPushPreferences,
  unblockUser,
} from '#shared/wire/users.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, object, text } from '../http/shapes.ts'
import { accessTo, openChannel } from '../channels/access.ts'
import { recount, changeMember, recountUnreadOf } from '../channels/member-table.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { audienceUnshadowed, changeMessage, recountReplies, messagesToBlocker } from '../messages/message-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { requireUser } from './users.ts'
import {
  blockOf,
  blocksOf,
  deleteBlock,
  deleteDevice,
  devicesOf,
  pairChannels,
  pushPreference,
  putBlock,
  putPushPreference,
  encodeDevice,
  deviceShape,
  registerDevice,
} from './user-tables.ts'

const MAX_PREFERENCES = 100

const preference = v.looseObject({
  user_id: idText(),
  channel_cid: idText(200),
  chat_level: text(50),
  call_level: text(50),
  disabled_until: text(50),
  remove_disable: flag,
  chat_preferences: object,
})

/** A user's own data: blocks, devices, push preferences. */
export const userOwnRoutes: readonly Route[] = [
  route(getBlockedUsers, {}, ({ who }, work) => ({
    blocks: blocksOf(work.db, own(who)).map((row) => ({
      user: work.people(row.user_id),
      user_id: row.user_id,
      blocked_user: work.people(row.blocked_id),
      blocked_user_id: row.blocked_id,
      created_at: toText(row.created_at),
    })),
  })),
  route(blockUser, { body: v.looseObject({ blocked_user_id: idText() }) }, ({ body, who }, work) => {
    const blockedId = body.blocked_user_id ?? refuse('input', 'blocked_user_id is required')
    if (blockedId === own(who)) return refuse('input', 'you cannot block yourself')
    requireUser(work.db, blockedId)
    const since = putBlock(work.db, { user_id: who.userId, blocked_id: blockedId, created_at: work.now })
    setHidden(work, who, blockedId, true)
    recountUnreadOf(work.db, who.userId)
    const created_at = toText(since)
    return { blocked_by_user_id: who.userId, blocked_user_id: blockedId, created_at, blocked_at: created_at }
  }),
  route(unblockUser, { body: v.looseObject({ blocked_user_id: idText() }) }, ({ body, who }, work) => {
    const blockedId = body.blocked_user_id ?? refuse('input', 'blocked_user_id is required')
    requireUser(work.db, blockedId)
    const ended = deleteBlock(work.db, own(who), blockedId)
    if (ended) showBlockedMessages(work, own(who), blockedId)
    if (ended && !blockOf(work.db, blockedId, who.userId)) setHidden(work, who, blockedId, false)
    if (ended) recountUnreadOf(work.db, who.userId)
    return {}
  }),
  route(getDevices, {}, ({ who }, work) => ({ devices: devicesOf(work.db, own(who)).map(encodeDevice) })),
  route(addDevice, { body: deviceShape }, ({ body, who }, work) => {
    registerDevice(work, own(who), body)
    return {}
  }),
  route(removeDevice, { query: v.looseObject({ id: idText() }) }, ({ query, who }, work) => {
    const id = query.id ?? refuse('input', 'id is required')
    if (!deleteDevice(work.db, own(who), id)) refuse('doesNotExist', `device ${id} does not exist`)
    return {}
  }),
  route(
    setPushPreferences,
    { body: v.looseObject({ preferences: list(preference, MAX_PREFERENCES) }) },
    ({ body, who }, work) => {
      const mine: Record<string, Json> = {}
      const inChannels: Record<string, Record<string, Json>> = {}
      for (const request of body.preferences ?? []) {
        const userId = who.server ? (request.user_id ?? own(who)) : own(who)
        const stored = store(work, who, userId, request)
        if (request.channel_cid === undefined) mine[userId] = stored
        else inChannels[userId] = { ...inChannels[userId], [request.channel_cid]: stored }
      }
      return { user_preferences: mine, user_channel_preferences: inChannels }
    },
  ),
]

function own(who: Identity): string {
  return who.userId === '' ? refuse('input', 'a server token must name a user') : who.userId
}

/**
 * Shows the messages that the other user of a conversation of two sent during the block. See docs/wire.md 8.14 "block
 * user".
 */
function showBlockedMessages(work: Work, userId: string, otherId: string): void {
  for (const cid of pairChannels(work.db, userId, otherId)) {
    const blocked = messagesToBlocker(work.db, cid, otherId)
    for (const row of blocked) changeMessage(work.db, row.id, { audience: audienceUnshadowed(row) })
    for (const parentId of new Set(blocked.flatMap((row) => row.parent_id ?? []))) recountReplies(work.db, parentId)
    if (blocked.length > 0) recount(work.db, cid)
  }
}

/** Hides the conversation of two for both users, and shows it again when the block ends. See docs/wire.md 8.14. */
function setHidden(work: Work, who: Identity, otherId: string, hidden: boolean): void {
  for (const cid of pairChannels(work.db, who.userId, otherId)) {
    const channel = channelByCid(work.db, cid)
    if (!channel) continue
    const shown = { ...channelForMany(work, accessTo(work.db, channel, who)), blocked: hidden }
    for (const userId of [who.userId, otherId]) {
      changeMember(work.db, cid, userId, { hidden: Number(hidden) })
      work.emit({
        event: channelEvent(hidden ? 'channel.hidden' : 'channel.visible', channel, work.stamp(cid), {
          channel: shown,
          user: work.people(userId),
          ...(hidden ? { clear_history: false } : {}),
        }),
        to: { kind: 'users', ids: [userId] },
        log: { userId },
      })
    }
  }
}

/** Stored and returned only: this server sends no push notifications. */
function store(work: Work, who: Identity, userId: string, request: v.InferOutput<typeof preference>): Json {
  requireUser(work.db, userId)
  const cid = request.channel_cid ?? ''
  if (cid !== '') openChannel(work.db, cid, { ...who, userId })
  const known = JSON.parse(pushPreference(work.db, userId, cid) ?? '{}') as Record<string, unknown>
  const { chat_level, call_level, disabled_until, chat_preferences } = request
  const given = Object.entries({ chat_level, call_level, disabled_until, chat_preferences })
  const next = { ...known, ...Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== '')) }
  if (request.remove_disable) delete next['disabled_until']
  putPushPreference(work.db, userId, cid, JSON.stringify(next))
  return next
}
