import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { queryBannedUsers, unbanUser } from '#shared/wire/moderation.ts'
import type { CallContext } from '../../context.ts'
import type { Core, Requests } from '../../core.ts'
import { asList } from '../../decode/read.ts'
import { apiFor, topicChanged } from '../manage/authority.ts'
import { requireConnection } from '../require-connection.ts'
import { readBan } from './decode.ts'

const PAGE = 100

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** See docs/wire.md 3.13. */
export function bansCalls(core: Parts): HandlersOf<'bans', CallContext> {
  return {
    async list({ userId, byId, cid, reason, offset }) {
      requireConnection(core)
      const { api } = await apiFor(core, 'review')
      const asOf = core.asOf()
      const payload = {
        filter_conditions: {
          ...(userId === undefined ? {} : { user_id: userId }),
          ...(byId === undefined ? {} : { banned_by_id: byId }),
          ...(cid === undefined ? {} : { channel_cid: cid }),
          ...(reason === undefined || reason === '' ? {} : { reason: { $autocomplete: reason } }),
        },
        sort: [{ field: 'created_at', direction: -1 as const }],
        limit: PAGE,
        offset,
        exclude_expired_bans: true,
      }
      const found = asList((await api.send(queryBannedUsers, { query: { payload }, signal: core.life })).bans)
      const bans = core.write((tx) => found.flatMap((value) => readBan(tx, value, asOf) ?? []))
      return { bans, more: found.length === PAGE }
    },
    async lift({ bans }) {
      requireConnection(core)
      const refused: { userId: string; code: string }[] = []
      for (const { userId, cid } of bans) {
        try {
          const { api } = await apiFor(core, cid === undefined ? 'ban-everywhere' : 'ban')
          const query = { target_user_id: userId, ...(cid === undefined ? {} : { channel_cid: cid }) }
          await api.send(unbanUser, { query, signal: core.life })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refused.push({ userId, code: error.code })
        }
      }
      topicChanged(core, 'bans')
      return { refused }
    },
  }
}
