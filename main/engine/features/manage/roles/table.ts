import type { NamedRight, Role, RoleTable, TypeRights } from '#shared/domain/manage/roles.ts'
import { flagsOff, GRANTABLE, type GrantsByRole, resolvedGrants, rightOfAction } from '#shared/rules/channels/grants.ts'
import { listChannelTypes, listPermissions, listRoles } from '#shared/wire/admin.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core } from '../../../core.ts'
import { isOurs } from '../authority.ts'
import { asList, asWire, idOf, nameOf, type Wire } from '../../../decode/read.ts'

type Parts = Pick<Core, 'cache' | 'life'>

const BUILT_IN_CHANNEL_ROLES: ReadonlySet<string> = new Set(['channel_member', 'channel_moderator'])

/** Of the creator of a channel: the server grants to it, but does not list it, since nobody can be given it. */
const OWNER: Role = { name: 'owner', custom: false, scope: 'channel' }

export async function readTable(core: Parts, api: EngineApi): Promise<RoleTable> {
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

export const readGrants = (value: unknown): GrantsByRole =>
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

export async function readPermissions({ life }: Pick<Core, 'life'>, api: EngineApi): Promise<Permissions> {
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

export const withPermissions = (grants: GrantsByRole, { stands }: Permissions): GrantsByRole =>
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
