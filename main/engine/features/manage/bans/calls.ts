import type { EngineClient, HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId, type Cid, type UserId, asCid } from '#shared/lib/brand.ts'
import type { ListedBan, ListedMute } from '#shared/domain/manage/review.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { queryUsers } from '#shared/wire/app.ts'
import { queryBannedUsers, unbanUser, unmuteUser } from '#shared/wire/moderation.ts'
import type { Filter } from '#shared/wire/endpoint.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx } from '#main/cache/store.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import { type Core, type Requests, requireConnection } from '../../../core.ts'
import { asList, asWire, idOf, flagOf, textOf, timeOf } from '../../../decode/read.ts'
import { connectedApi, isOurs, mayManage, topicChanged } from '../authority.ts'
import { writeUser } from '../../../sync/write.ts'

const PAGE = 100

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server' | 'serverNow'>

/** See docs/wire.md 3.13. */
export function bansCalls(core: Parts): HandlersOf<'bans', CallContext> {
  return {
    async list({ ended, offset, ...asked }) {
      const api = await connectedApi(core, 'review')
      const filter = await filterOf(core, api, asked)
      if (!ended) return inForce(core, api, filter, offset)
      return isOurs(core) ? over(core, api, filter, offset) : expired(core, api, filter)
    },
    async unban({ bans }) {
      requireConnection(core)
      const refused: { userId: string; cid?: string; code: string }[] = []
      for (const ban of bans) {
        try {
          await endBan(core, ban)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refused.push({ ...ban, code: error.code })
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

type Asked = Omit<Parameters<EngineClient['bans']['list']>[0], 'ended' | 'offset'>

async function filterOf(core: Parts, api: EngineApi, asked: Asked): Promise<Filter> {
  const { userId, byId, cid, query = '', shadow, everywhere } = asked
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(byId === undefined ? {} : { banned_by_id: byId }),
    ...(cid === undefined ? {} : { channel_cid: cid }),
    ...(everywhere ? { channel_cid: { $exists: false } } : {}),
    ...(shadow === undefined ? {} : { shadow }),
    ...(query === '' ? {} : { $or: await found(core, api, query) }),
  }
}

type Page = { readonly bans: readonly ListedBan[]; readonly more: boolean; readonly onlyExpired?: true }

async function pageOf(core: Parts, api: EngineApi, payload: object) {
  const asOf = core.asOf()
  const query = { payload: { ...payload, limit: PAGE } }
  const listed = asList((await api.send(queryBannedUsers, { query, signal: core.life })).bans)
  const bans = core.write((tx) => listed.flatMap((value) => readBan(tx, value, asOf) ?? []))
  return { bans, more: listed.length === PAGE }
}

const NEWEST_FIRST = [{ field: 'created_at', direction: -1 as const }]

const inForce = (core: Parts, api: EngineApi, filter: Filter, offset: number): Promise<Page> =>
  pageOf(core, api, { filter_conditions: filter, sort: NEWEST_FIRST, offset, exclude_expired_bans: true })

/** What our own server recorded. An older version of it does not know the list, and answers with bans in force. */
async function over(core: Parts, api: EngineApi, filter: Filter, offset: number): Promise<Page> {
  const { bans, more } = await pageOf(core, api, { filter_conditions: filter, offset, ended: true })
  const ended = bans.filter(({ endedAt }) => endedAt !== undefined)
  return { bans: ended, more: more && ended.length > 0 }
}

/** Other servers forget a ban that was removed, and cannot filter by its end: all that they list are searched. */
async function expired(core: Parts, api: EngineApi, filter: Filter): Promise<Page> {
  const found: ListedBan[] = []
  const now = core.serverNow()
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const { bans, more } = await pageOf(core, api, { filter_conditions: filter, sort: NEWEST_FIRST, offset })
    found.push(...bans.flatMap((ban) => ((ban.until ?? Infinity) <= now ? [{ ...ban, endedAt: ban.until }] : [])))
    if (!more) break
  }
  return { bans: found.toSorted((a, b) => (b.until ?? 0) - (a.until ?? 0)), more: false, onlyExpired: true }
}

/** How far the list is searched for expired bans: 2,000 bans are 20 requests. */
const LAST_OFFSET = 1_900

/** Bans whose reason contains the text, and those of people whose name does, also of people who are not known here. */
async function found({ cache, life }: Parts, api: EngineApi, query: string): Promise<readonly Filter[]> {
  const wanted = fold(query)
  const known = users.all(cache.reader).flatMap(({ name, id }) => (fold(name).includes(wanted) ? [id] : []))
  const ids = new Set<string>([query, ...known, ...(await named(api, query, life))])
  return [{ reason: { $autocomplete: query } }, { user_id: { $in: [...ids].slice(0, MOST_NAMES) } }]
}

/** Ids of people whose name the server finds; none where the viewer may not search people. */
async function named(api: EngineApi, query: string, signal: AbortSignal): Promise<readonly string[]> {
  const payload = { filter_conditions: { name: { $autocomplete: query } }, limit: MOST_NAMES }
  try {
    return asList((await api.send(queryUsers, { query: { payload }, signal })).users).flatMap(
      (value) => idOf(asWire(value)?.['id']) ?? [],
    )
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
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

/** One ban of the wire; stores the people that it names. `undefined`: it names nobody. */
export function readBan(tx: Tx, value: unknown, asOf: number): ListedBan | undefined {
  const wire = asWire(value)
  const user = wire && writeUser(tx, wire['user'], asOf)
  if (!wire || !user) return undefined
  const by = wire['banned_by'] ? writeUser(tx, wire['banned_by'], asOf) : undefined
  const channel = asWire(wire['channel'])
  const cid = textOf(channel?.['cid'])
  const reason = textOf(wire['reason'])
  const endedBy = wire['ended_by'] ? writeUser(tx, wire['ended_by'], asOf) : undefined
  return {
    userId: user.id,
    byId: by?.id,
    reason: reason === '' ? undefined : reason,
    since: timeOf(wire['created_at']) ?? asOf,
    until: timeOf(wire['expires']),
    shadow: flagOf(wire['shadow']) ?? false,
    cid: cid === undefined || cid === '' ? undefined : asCid(cid),
    channelName: textOf(channel?.['name']),
    endedAt: timeOf(wire['ended_at']),
    endedById: endedBy?.id,
  }
}

/** The mutes of one user, which only a server token sees; stores the people that they name. */
function readMutes(tx: Tx, value: unknown, asOf: number): readonly ListedMute[] {
  const found = asList(asWire(value)?.['mutes'])
  if (found.length === 0) return []
  const by = writeUser(tx, value, asOf)
  return found.flatMap((each): ListedMute[] => {
    const wire = asWire(each)
    const target = wire && writeUser(tx, wire['target'], asOf)
    if (!by || !target) return []
    return [{ userId: target.id, byId: by.id, since: timeOf(wire['created_at']), until: timeOf(wire['expires']) }]
  })
}
