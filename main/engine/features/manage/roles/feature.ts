import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Findable, NamedRight, Role, RoleTable, TypeRights, Standing } from '#shared/domain/manage/directory.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  changedGrants,
  type RightChange,
  flagsOff,
  GRANTABLE,
  type GrantsByRole,
  resolvedGrants,
  rightOfAction,
  type CapabilityInput,
  NEEDED_FLAGS,
  type RightsFlags,
  verdictOn,
} from '#shared/rules/channels/grants.ts'
import {
  createRole,
  deleteRole,
  getChannelType,
  listChannelTypes,
  updateChannelType,
  listPermissions,
  listRoles,
} from '#shared/wire/admin.ts'
import { queryUsers, getApp, queryMembers } from '#shared/wire/app.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryBannedUsers } from '#shared/wire/moderation.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, idOf, nameOf, type Wire, countOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { connectedApi, topicChanged, isOurs } from '../authority.ts'

export const rolesFeature = defineFeature({
  create: (core: Parameters<typeof rolesCalls>[0]) => ({ calls: { roles: rolesCalls(core) } }),
})

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

/** See docs/wire.md 3.16 and 8.1. */
function rolesCalls(core: Parts): HandlersOf<'roles', CallContext> {
  const allowed = (): Promise<EngineApi> => connectedApi(core, 'roles')
  return {
    list: async () => readTable(core, await allowed()),
    async create({ name, like }) {
      const api = await allowed()
      await addRole(core, api, name)
      await changeTypes(core, api, (grants) => ({ ...grants, [name]: grants[like] ?? [] }))
      topicChanged(core, 'roles')
    },
    async remove({ name }) {
      const api = await allowed()
      await api.send(deleteRole, { params: { name }, signal: core.life })
      await changeTypes(core, api, ({ [name]: gone, ...others }) => (gone === undefined ? undefined : others))
      topicChanged(core, 'roles')
    },
    async save({ type, changes }) {
      await saveRights(core, await allowed(), type, changes)
      topicChanged(core, 'roles')
    },
    standing: async ({ userId, cid }) => readStanding(core, await allowed(), userId, cid),
    find: async ({ what, text }) => {
      const api = await allowed()
      return what === 'people' ? findPeople(core, api, text.trim()) : findChannels(core, api, text.trim())
    },
  }
}

async function addRole({ life }: Pick<Core, 'life'>, api: EngineApi, name: string): Promise<void> {
  try {
    await api.send(createRole, { body: { name }, signal: life })
  } catch (error) {
    throw error instanceof ApiError && error.class === 'exists' ? new AppError('roles/exists', { cause: error }) : error
  }
}

type Grants = ReturnType<typeof readGrants>

/** Changes the grants of each channel type; `undefined` leaves a type alone. */
async function changeTypes(
  { life: signal }: Pick<Core, 'life'>,
  api: EngineApi,
  change: (grants: Grants) => Grants | undefined,
): Promise<void> {
  const { channel_types: types } = await api.send(listChannelTypes, { signal })
  for (const [name, type] of Object.entries(asWire(types) ?? {})) {
    const grants = change(readGrants(asWire(type)?.['grants']))
    if (grants !== undefined) await api.send(updateChannelType, { params: { name }, body: { grants }, signal })
  }
}

/** On what is in force now, not on what the window showed: what someone else changed meanwhile stays. */
async function saveRights(
  { life: signal }: Pick<Core, 'life'>,
  api: EngineApi,
  name: string,
  changes: readonly RightChange[],
): Promise<void> {
  const now = asWire(await api.send(getChannelType, { params: { name }, signal }))
  const grants = changedGrants(readGrants(now?.['grants']), changes)
  await api.send(updateChannelType, { params: { name }, body: { grants }, signal })
}

const FOUND = 20

async function findPeople(core: Parts, api: EngineApi, text: string): Promise<readonly Findable[]> {
  const asOf = core.asOf()
  const filter = text === '' ? {} : { $or: [{ name: { $autocomplete: text } }, { id: text }] }
  const payload = { filter_conditions: filter, limit: FOUND }
  const { users } = await api.send(queryUsers, { query: { payload }, signal: core.life })
  return core.write((tx) =>
    asList(users).flatMap((user) => {
      const row = writeUser(tx, user, asOf)
      return row === undefined ? [] : [{ id: row.id, name: row.name ?? row.id }]
    }),
  )
}

async function findChannels({ life }: Pick<Core, 'life'>, api: EngineApi, text: string): Promise<readonly Findable[]> {
  const { channels } = await api.send(queryChannels, {
    body: {
      filter_conditions: text === '' ? {} : { name: { $autocomplete: text } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      state: false,
      limit: FOUND,
      message_limit: 0,
    },
    signal: life,
  })
  return asList(channels).flatMap((state) => {
    const channel = asWire(asWire(state)?.['channel'])
    const id = idOf(channel?.['cid'])
    return id === undefined ? [] : [{ id, name: nameOf(channel?.['name']) ?? id }]
  })
}

type TableParts = Pick<Core, 'cache' | 'life'>

const BUILT_IN_CHANNEL_ROLES: ReadonlySet<string> = new Set(['channel_member', 'channel_moderator'])

/** Of the creator of a channel: the server grants to it, but does not list it, since nobody can be given it. */
const OWNER: Role = { name: 'owner', custom: false, scope: 'channel' }

async function readTable(core: TableParts, api: EngineApi): Promise<RoleTable> {
  const signal = core.life
  const [{ roles }, { channel_types: types }, permissions] = await Promise.all([
    api.send(listRoles, { signal }),
    api.send(listChannelTypes, { signal }),
    readPermissions(core, api),
  ])
  const ours = isOurs(core)
  const found = Object.values(asWire(types) ?? {}).flatMap((type) => readType(asWire(type)) ?? [])
  const named = asList(roles).flatMap((role) => readRole(asWire(role)) ?? [])
  return {
    roles: named.some(({ name }) => name === OWNER.name) ? named : [...named, OWNER],
    types: found,
    rights: ours ? withOwn(permissions.rights) : asListed(permissions.rights, found),
    explains: ours,
  }
}

function readRole(wire: Wire | undefined): Role | undefined {
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  const scopes = asList(wire['scopes'])
  const isChannel = scopes.includes('channel') || BUILT_IN_CHANNEL_ROLES.has(name)
  const custom = wire['custom'] === true
  return { name, custom, scope: isChannel ? 'channel' : custom && scopes.length === 0 ? 'both' : 'app' }
}

function readType(wire: Wire | undefined): TypeRights | undefined {
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  return { name, grants: readGrants(wire['grants']), off: flagsOff((flag) => wire[flag] === true) }
}

const readGrants = (value: unknown): GrantsByRole =>
  Object.fromEntries(
    Object.entries(asWire(value) ?? {}).map(([role, names]) => [
      role,
      asList(names).flatMap((each) => idOf(each) ?? []),
    ]),
  )

type Permissions = {
  readonly rights: readonly NamedRight[]
  /** The right that each own permission stands for, if it exists. */
  readonly stands: ReadonlyMap<string, string | undefined>
}

async function readPermissions({ life }: Pick<Core, 'life'>, api: EngineApi): Promise<Permissions> {
  const { permissions } = await api.send(listPermissions, { signal: life })
  const wires = asList(permissions).flatMap((each): readonly Wire[] => {
    const wire = asWire(each)
    return wire === undefined ? [] : [wire]
  })
  const rights = wires.flatMap((wire) => {
    const name = idOf(wire['id'])
    return name === undefined ? [] : [{ name, title: nameOf(wire['name']) }]
  })
  const own = wires.flatMap((wire) => {
    const [name, action] = [idOf(wire['id']), idOf(wire['action'])]
    return wire['custom'] === true && name !== undefined && action !== undefined
      ? [[name, rightOfAction(action)] as const]
      : []
  })
  return { rights, stands: new Map(own) }
}

const withPermissions = (grants: GrantsByRole, { stands }: Permissions): GrantsByRole =>
  stands.size === 0 ? grants : resolvedGrants(grants, stands)

/** The rights of our server, and permissions of its administrators. */
function withOwn(rights: readonly NamedRight[]): readonly NamedRight[] {
  const known = new Set(GRANTABLE)
  return [
    ...GRANTABLE.map((name) => ({ name })),
    ...rights.filter(({ name }) => !known.has(name) && name !== 'slow-mode'),
  ]
}

/** The rights that another server grants, by its own names. */
function asListed(rights: readonly NamedRight[], types: readonly TypeRights[]): readonly NamedRight[] {
  const titles = new Map(rights.map(({ name, title }) => [name, title]))
  const granted = types.flatMap(({ grants }) => Object.values(grants).flat())
  return [...new Set(granted)].toSorted().map((name) => ({ name, title: titles.get(name) }))
}

type StandingParts = Pick<Core, 'asOf' | 'life' | 'write'>

/** What a person may do in a channel, by the same rule as the server. */
async function readStanding(core: StandingParts, api: EngineApi, userId: UserId, cid: Cid): Promise<Standing> {
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

async function readFacts(core: StandingParts, api: EngineApi, userId: UserId, cid: Cid): Promise<Facts> {
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
