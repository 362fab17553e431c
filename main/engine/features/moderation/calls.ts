import type { HandlersOf } from '#shared/bridge/index.ts'
import { asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { banUser, queryBannedUsers, unbanUser } from '#shared/wire/moderation.ts'
import * as members from '#main/cache/channels/members.ts'
import type { CallContext } from '../../context.ts'
import type { Core, Requests } from '../../core.ts'
import { asList } from '../../decode/read.ts'
import { readBan } from '../bans/decode.ts'
import { requireConnection } from '../require-connection.ts'

const MINUTE_MS = 60_000
/** Largest page, see docs/wire.md 6.5. */
const PAGE = 300

/** Bans in a channel. See docs/wire.md 3.13 and 8.14. */
export function moderationCalls(core: Requests): HandlersOf<'moderation', CallContext> {
  return {
    ban: async ({ cid, userId, forMs, reason, shadow, erase }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const body = {
        target_user_id: userId,
        channel_cid: cid,
        shadow,
        ...(forMs === undefined ? {} : { timeout: Math.ceil(forMs / MINUTE_MS) }),
        ...(reason === undefined || reason === '' ? {} : { reason }),
        ...(erase ? { delete_messages: 'soft' as const } : {}),
      }
      await core.api.send(banUser, { body, signal: core.life })
      mark(core, cid, userId, asOf, { banned: !shadow, shadowBanned: shadow })
    },
    unban: async ({ cid, userId }) => {
      requireConnection(core)
      const asOf = core.asOf()
      await core.api.send(unbanUser, { query: { target_user_id: userId, channel_cid: cid }, signal: core.life })
      mark(core, cid, userId, asOf, { banned: false, shadowBanned: false })
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

type Marks = { readonly banned: boolean; readonly shadowBanned: boolean }

/** Stores the state at once, for windows that read it before the event arrives. */
function mark(core: Pick<Core, 'write'>, cid: Cid, userId: UserId, asOf: number, marks: Marks): void {
  core.write((tx) => {
    const stored = members.one(tx, cid, asUserId(userId))
    if (stored) members.put(tx, { ...stored, ...marks, asOf: Math.max(asOf, stored.asOf) })
  })
}
