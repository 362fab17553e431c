import type { Standing } from '#shared/domain/manage/roles.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import {
  type CapabilityInput,
  GRANTABLE,
  NEEDED_FLAGS,
  type RightsFlags,
  verdictOn,
} from '#shared/rules/channels/grants.ts'
import { getChannelType } from '#shared/wire/admin.ts'
import { getApp, queryMembers, queryUsers } from '#shared/wire/app.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import { queryBannedUsers } from '#shared/wire/moderation.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core } from '../../../core.ts'
import { asList, asWire, countOf, idOf, type Wire } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { readGrants, readPermissions, withPermissions } from './table.ts'

type Parts = Pick<Core, 'asOf' | 'life' | 'write'>

/** What a person may do in a channel, by the same rule as the server. */
export async function readStanding(core: Parts, api: EngineApi, userId: UserId, cid: Cid): Promise<Standing> {
  const facts = await readFacts(core, api, userId, cid)
  const { channel, member, user } = facts
  const overrides = asWire(channel['config_overrides'])
  const grants = { ...readGrants(facts.type['grants']), ...readGrants(overrides?.['grants']) }
  const appRole = idOf(user['role']) ?? 'user'
  const input: CapabilityInput = {
    type: splitCid(cid).type,
    appRole,
    channelRole: member && (idOf(member['channel_role']) ?? 'channel_member'),
    isCreator: creatorOf(channel) === userId,
    empty: countOf(channel['member_count']) === 0,
    isPrivate: channel['private'] === true,
    banned: user['banned'] === true || (member ? member['banned'] === true : facts.bannedOutside),
    frozen: channel['frozen'] === true,
    cooldown: countOf(channel['cooldown']) ?? 0,
    flags: flagsOf(asWire(channel['config'])),
    grants: withPermissions(grants, facts.permissions),
  }
  const shut = isForeign(facts) ? 'team' : channel['disabled'] === true && appRole !== 'admin' ? 'closed' : undefined
  return {
    userId,
    cid,
    appRole,
    channelRole: input.channelRole,
    isCreator: input.isCreator,
    cooldown: input.cooldown,
    rights: GRANTABLE.map((right) =>
      shut === undefined ? { right, ...verdictOn(input, right) } : { right, can: false, why: shut },
    ),
  }
}

type Facts = {
  readonly channel: Wire
  readonly member: Wire | undefined
  readonly user: Wire
  readonly type: Wire
  readonly permissions: Awaited<ReturnType<typeof readPermissions>>
  readonly bannedOutside: boolean
  readonly separatesTeams: boolean
}

async function readFacts(core: Parts, api: EngineApi, userId: UserId, cid: Cid): Promise<Facts> {
  const { life: signal } = core
  const asOf = core.asOf()
  const { type, id } = splitCid(cid)
  const filter = { user_id: userId, channel_cid: cid }
  const [channels, users, members, bans, ofType, permissions, app] = await Promise.all([
    api.send(queryChannels, { body: { filter_conditions: { cid }, state: false, limit: 1, message_limit: 0 }, signal }),
    api.send(queryUsers, {
      query: { payload: { filter_conditions: { id: userId }, include_deactivated_users: true, limit: 1 } },
      signal,
    }),
    api.send(queryMembers, {
      query: { payload: { type, id, filter_conditions: { user_id: userId }, limit: 1 } },
      signal,
    }),
    api.send(queryBannedUsers, {
      query: { payload: { filter_conditions: filter, exclude_expired_bans: true } },
      signal,
    }),
    api.send(getChannelType, { params: { name: type }, signal }),
    readPermissions(core, api),
    api.send(getApp, { signal }),
  ])
  const channel = asWire(asWire(asList(channels.channels)[0])?.['channel'])
  const user = asWire(asList(users.users)[0])
  if (channel === undefined || user === undefined) throw new AppError('server/not-found')
  core.write((tx) => void writeUser(tx, user, asOf))
  return {
    channel,
    user,
    member: asWire(asList(members.members)[0]),
    type: asWire(ofType) ?? {},
    permissions,
    bannedOutside: asList(bans.bans).some((ban) => asWire(ban)?.['shadow'] !== true),
    separatesTeams: asWire(app.app)?.['multi_tenant_enabled'] === true,
  }
}

const creatorOf = (channel: Wire): string | undefined =>
  idOf(channel['created_by_id']) ?? idOf(asWire(channel['created_by'])?.['id'])

const flagsOf = (config: Wire | undefined): RightsFlags =>
  Object.fromEntries(NEEDED_FLAGS.map((flag) => [flag, config?.[flag] === true])) as unknown as RightsFlags

/** The channel belongs to a team that the person is not in, where teams are kept apart. */
function isForeign({ channel, user, separatesTeams }: Facts): boolean {
  const team = idOf(channel['team'])
  if (team === undefined || !separatesTeams || user['role'] === 'admin') return false
  return !asList(user['teams']).includes(team)
}
