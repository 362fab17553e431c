import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import type { ListedMute } from '#shared/domain/manage/bans.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { queryBannedUsers, unbanUser, unmuteUser } from '#shared/wire/moderation.ts'
import type { Filter } from '#shared/wire/pagination.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as users from '#main/cache/people/users.ts'
import type { CallContext } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList } from '../../../decode/read.ts'
import { connectedApi, mayManage, topicChanged } from '../authority.ts'
import { requireConnection } from '../../require-connection.ts'
import { readBan, readMutes } from './decode.ts'

const PAGE = 100

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server' | 'serverNow'>

/** See docs/wire.md 3.13. */
export function bansCalls(core: Parts): HandlersOf<'bans', CallContext> {
  return {
    async list({ userId, byId, cid, query, shadow, everywhere, offset }) {
      const api = await connectedApi(core, 'review')
      const asOf = core.asOf()
      const payload = {
        filter_conditions: {
          ...(userId === undefined ? {} : { user_id: userId }),
          ...(byId === undefined ? {} : { banned_by_id: byId }),
          ...(cid === undefined ? {} : { channel_cid: cid }),
          ...(everywhere ? { channel_cid: { $exists: false } } : {}),
          ...(shadow === undefined ? {} : { shadow }),
          ...(query === undefined || query === '' ? {} : { $or: found(core, query) }),
        },
        sort: [{ field: 'created_at', direction: -1 as const }],
        limit: PAGE,
        offset,
        exclude_expired_bans: true,
      }
      const listed = asList((await api.send(queryBannedUsers, { query: { payload }, signal: core.life })).bans)
      const bans = core.write((tx) => listed.flatMap((value) => readBan(tx, value, asOf) ?? []))
      return { bans, more: listed.length === PAGE }
    },
    async unban({ bans }) {
      requireConnection(core)
      const refused: { userId: string; code: string }[] = []
      for (const ban of bans) {
        try {
          await endBan(core, ban)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refused.push({ userId: ban.userId, code: error.code })
        }
      }
      topicChanged(core, 'bans')
      return { refused }
    },
    async mutes({ offset }) {
      if (!mayManage(core, 'people')) return { mutes: ownMutes(core), more: false }
      const api = await connectedApi(core, 'people')
      const asOf = core.asOf()
      const payload = {
        filter_conditions: {},
        sort: [{ field: 'created_at', direction: -1 as const }],
        limit: PAGE,
        offset,
      }
      const people = asList((await api.send(queryUsers, { query: { payload }, signal: core.life })).users)
      const mutes = core.write((tx) => people.flatMap((value) => readMutes(tx, value, asOf)))
      return { mutes, more: people.length === PAGE }
    },
    async unmute({ userId, byId }) {
      requireConnection(core)
      if (byId === core.me) {
        await core.api.send(unmuteUser, { body: { target_id: userId }, signal: core.life })
        core.write((tx) => mutes.set(tx, 'user', userId, false))
      } else {
        const api = await connectedApi(core, 'people')
        await api.send(unmuteUser, { body: { target_id: userId, user_id: byId }, signal: core.life })
      }
      topicChanged(core, 'bans')
    },
  }
}

/** Ends the ban in a channel, or the one everywhere. */
export async function endBan(
  core: Omit<Parts, 'serverNow'>,
  { userId, cid }: { userId: UserId; cid?: Cid | undefined },
): Promise<void> {
  const api = await connectedApi(core, cid === undefined ? 'ban-everywhere' : 'ban')
  const query = { target_user_id: userId, ...(cid === undefined ? {} : { channel_cid: cid }) }
  await api.send(unbanUser, { query, signal: core.life })
}

/** Bans whose reason contains the text, and those of people whose name does. */
function found({ cache }: Pick<Core, 'cache'>, query: string): readonly Filter[] {
  const wanted = fold(query)
  const ids = users
    .all(cache.reader)
    .filter(({ name, id }) => fold(name).includes(wanted) || id === query)
    .slice(0, MOST_NAMES)
    .map(({ id }) => id)
  const byReason = { reason: { $autocomplete: query } }
  return ids.length === 0 ? [byReason, { user_id: query }] : [byReason, { user_id: { $in: ids } }]
}

const MOST_NAMES = 100

/** The viewer's own, from the cache. */
const ownMutes = ({ cache, me, serverNow }: Pick<Core, 'cache' | 'me' | 'serverNow'>): readonly ListedMute[] =>
  mutes
    .of(cache.reader, 'user')
    .flatMap(({ target, expiresAt }) =>
      expiresAt !== undefined && expiresAt <= serverNow()
        ? []
        : [{ userId: asUserId(target), byId: me, until: expiresAt }],
    )
