import type { HandlersOf } from '#shared/bridge/index.ts'
import { asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { banUser, queryBannedUsers, unbanUser } from '#shared/wire/moderation.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext, EngineApi } from '../../context.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { asList } from '../../decode/read.ts'
import { readBan } from '../manage/bans/calls.ts'
import { apiFor, mayManage, topicChanged } from '../manage/authority.ts'

export const moderationFeature = defineFeature({
  create: (core: Parameters<typeof moderationCalls>[0]) => ({ calls: { moderation: moderationCalls(core) } }),
})

const MINUTE_MS = 60_000
/** Largest page, see docs/wire.md 6.5. */
const PAGE = 300

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** Bans in a channel and in the whole workspace. See docs/wire.md 3.13 and 8.14. */
function moderationCalls(core: Parts): HandlersOf<'moderation', CallContext> {
  return {
    ban: async ({ cid, userId, forMs, reason, shadow, messages, future }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const { api, asServer } = await banApi(core, cid)
      const body = {
        target_user_id: userId,
        ...(cid === undefined ? {} : { channel_cid: cid }),
        shadow,
        ...(forMs === undefined ? {} : { timeout: Math.ceil(forMs / MINUTE_MS) }),
        ...(reason === undefined || reason === '' ? {} : { reason }),
        ...(messages === undefined ? {} : { delete_messages: messages }),
        ...(future ? { ban_from_future_channels: true } : {}),
        ...(asServer ? { banned_by_id: core.me } : {}),
      }
      await api.send(banUser, { body, signal: core.life })
      mark(core, cid, userId, asOf, { banned: !shadow, shadowBanned: shadow })
      topicChanged(core, 'bans')
    },
    unban: async ({ cid, userId }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const { api } = await banApi(core, cid)
      const query = { target_user_id: userId, ...(cid === undefined ? {} : { channel_cid: cid }) }
      await api.send(unbanUser, { query, signal: core.life })
      mark(core, cid, userId, asOf, { banned: false, shadowBanned: false })
      topicChanged(core, 'bans')
    },
    bans: async ({ cid, userId }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const whose = userId === undefined ? {} : { user_id: userId }
      const payload = {
        filter_conditions: { channel_cid: cid, ...whose },
        sort: [{ field: 'created_at', direction: -1 as const }],
        limit: PAGE,
        exclude_expired_bans: true,
      }
      const reply = await core.api.send(queryBannedUsers, { query: { payload }, signal: core.life })
      const found = asList(reply.bans)
      const bans = core.write((tx) => found.flatMap((value) => readBan(tx, value, asOf) ?? []))
      return { bans, more: found.length === PAGE }
    },
  }
}

/** The viewer's own token where they moderate the channel, so that the server records who did it. */
function banApi(core: Parts, cid: Cid | undefined): Promise<{ api: EngineApi; asServer: boolean }> {
  const channel = cid === undefined ? undefined : channels.byCid(core.cache.reader, cid)
  const own = channel?.capabilities?.includes('ban-channel-members') === true
  // What is known here of a channel may be old: without any right the server itself refuses.
  if (own || (cid !== undefined && !mayManage(core, 'ban'))) return Promise.resolve({ api: core.api, asServer: false })
  return apiFor(core, cid === undefined ? 'ban-everywhere' : 'ban')
}

type Marks = { readonly banned: boolean; readonly shadowBanned: boolean }

/** Stores the state at once, for windows that read it before the event arrives. */
function mark(core: Pick<Core, 'write'>, cid: Cid | undefined, userId: UserId, asOf: number, marks: Marks): void {
  if (cid === undefined) return
  core.write((tx) => {
    const stored = members.one(tx, cid, asUserId(userId))
    if (stored) members.put(tx, { ...stored, ...marks, asOf: Math.max(asOf, stored.asOf) })
  })
}
