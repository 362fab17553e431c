import * as v from 'valibot'
import {
  createBlocklist,
  createPermission,
  createRole,
  deleteBlocklist,
  deletePermission,
  deleteRole,
  getBlocklist,
  getPermission,
  listBlocklists,
  listPermissions,
  listRoles,
  searchRoles,
  updateBlocklist,
  updatePermission,
  type WireBlocklist,
  type WirePermission,
  type WireRole,
  createChannelType,
  createCommand,
  deleteChannelType,
  deleteCommand,
  getChannelType,
  getCommand,
  listChannelTypes,
  listCommands,
  updateChannelType,
  updateCommand,
  type WireChannelType,
} from '#shared/wire/admin.ts'
import { CAPABILITIES, INTERNAL_RIGHTS, grantsInForce } from '#shared/rules/channels/grants.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, text, whole } from '../http/shapes.ts'
import {
  forgetTypes,
  CHANNEL_TYPES,
  COMMANDS,
  misfits,
  typeFields,
  withFlags,
  allCommands,
  commandOf,
  commandsIn,
  readTypes,
  type ChannelType,
} from '../channels/channel-types.ts'
import { announceModeration } from '../moderation/flags.ts'
import { needServer } from '../users/users.ts'
import { fold } from '../messages/words.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import {
  checkUnchanged,
  deleteSetting,
  putSetting,
  settingOf,
  settingsOf,
  type SettingRow,
  type SettingKind,
} from './settings.ts'
import { shownSettings } from './app.ts'

const ROLE = /^[A-Za-z0-9_-]{1,64}$/
const LIST_NAME = /^[A-Za-z0-9 _.-]{1,255}$/
const EPOCH = toText(0)

type BuiltInRole = { readonly name: string; readonly kind: 'user' | 'channel' }
const ROLES: readonly BuiltInRole[] = [
  ...['user', 'admin', 'moderator', 'guest', 'anonymous'].map((name) => ({ name, kind: 'user' as const })),
  ...['channel_member', 'channel_moderator'].map((name) => ({ name, kind: 'channel' as const })),
]

const listBody = v.looseObject({
  name: text(255),
  words: list(v.pipe(v.string(), v.maxLength(255)), 10_000),
  type: text(64),
  team: text(64),
  expected_updated_at: idText(),
})

const permissionBody = v.looseObject({
  id: idText(),
  name: text(255),
  action: idText(64),
  condition: v.optional(v.unknown()),
})

const searchQuery = v.looseObject({
  query: text(64),
  limit: whole(100),
  name_gt: idText(64),
  role_type: text(16),
  include_global_roles: flag,
})

/** Roles, permissions and block lists. See docs/wire.md 3.16. */
export const adminNameRoutes: readonly Route[] = [
  route(listRoles, {}, ({ who }, work) => {
    needServer(who)
    return { roles: allRoles(work) }
  }),
  route(searchRoles, { query: searchQuery }, ({ query }, work) => {
    const start = fold(query.query ?? '')
    const found = allRoles(work).filter(
      ({ name, scopes }) =>
        fold(name).startsWith(start) &&
        name > (query.name_gt ?? '') &&
        (!query.role_type || scopes.length === 0 || scopes.includes(query.role_type)),
    )
    return { roles: found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, query.limit ?? 25) }
  }),
  route(createRole, { body: v.looseObject({ name: text(64) }) }, ({ body, who }, work) => {
    needServer(who)
    const name = body.name ?? ''
    if (!ROLE.test(name)) return refuse('input', 'name must be letters, numbers and "_-", at most 64')
    if (allRoles(work).some((role) => role.name === name)) return refuse('input', `role ${name} already exists`)
    putSetting(work.db, 'role', name, {}, work.now)
    return { role: encodeRole({ name, json: '{}', created_at: work.now, updated_at: work.now }) }
  }),
  route(deleteRole, {}, ({ params, who }, work) => {
    needServer(who)
    if (ROLES.some(({ name }) => name === params.name)) refuse('input', `role ${params.name} is built in`)
    if (!deleteSetting(work.db, 'role', params.name)) refuse('doesNotExist', `role ${params.name} does not exist`)
    return {}
  }),
  route(listPermissions, {}, ({ who }, work) => {
    needServer(who)
    return { permissions: [...BUILT_IN, ...settingsOf(work.db, 'permission').map(encodePermission)] }
  }),
  route(createPermission, { body: permissionBody }, ({ body, who }, work) => {
    needServer(who)
    const { id = '' } = body
    if (!LIST_NAME.test(id)) return refuse('input', 'id is required')
    if (permissionOf(work, id)) return refuse('input', `permission ${id} already exists`)
    return { permission: writePermission(work, id, body) }
  }),
  route(getPermission, {}, ({ params, who }, work) => {
    needServer(who)
    return { permission: permissionOf(work, params.id) ?? noPermission(params.id) }
  }),
  route(updatePermission, { body: permissionBody }, ({ params, body, who }, work) => {
    needServer(who)
    return { permission: writePermission(work, ownPermission(work, params.id).name, body) }
  }),
  route(deletePermission, {}, ({ params, who }, work) => {
    needServer(who)
    deleteSetting(work.db, 'permission', ownPermission(work, params.id).name)
    work.afterwards(() => forgetTypes(work.db))
    return {}
  }),
  route(listBlocklists, { query: v.looseObject({ team: text(64) }) }, ({ query, who }, work) => {
    needServer(who)
    const lists = settingsOf(work.db, 'blocklist').map(encodeList)
    return { blocklists: query.team ? lists.filter(({ team }) => team === query.team) : lists }
  }),
  route(createBlocklist, { body: listBody }, ({ body, who }, work) => {
    needServer(who)
    const name = body.name ?? ''
    if (!LIST_NAME.test(name)) return refuse('input', 'name is required')
    if (settingOf(work.db, 'blocklist', name)) return refuse('input', `block list ${name} already exists`)
    return { blocklist: writeList(work, name, body) }
  }),
  route(getBlocklist, {}, ({ params, who }, work) => {
    needServer(who)
    return { blocklist: encodeList(knownList(work, params.name)) }
  }),
  route(updateBlocklist, { body: listBody }, ({ params, body, who }, work) => {
    needServer(who)
    const row = knownList(work, params.name)
    checkUnchanged(row, body.expected_updated_at)
    const known = encodeList(row)
    const words = body.words?.length ? body.words : [...known.words]
    return {
      blocklist: writeList(work, params.name, { type: body.type || known.type, team: body.team || known.team, words }),
    }
  }),
  route(deleteBlocklist, {}, ({ params, who }, work) => {
    needServer(who)
    deleteSetting(work.db, 'blocklist', knownList(work, params.name).name)
    announceModeration(work, 'blocklist')
    return {}
  }),
]

function allRoles(work: Work): WireRole[] {
  const builtIn = ROLES.map(({ name, kind }) => ({
    name,
    custom: false,
    scopes: [kind],
    created_at: EPOCH,
    updated_at: EPOCH,
  }))
  return [...builtIn, ...settingsOf(work.db, 'role').map(encodeRole)]
}

/** A custom role may be given to users and to members. */
function encodeRole(row: SettingRow): WireRole {
  return {
    name: row.name,
    custom: true,
    scopes: [],
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

const BUILT_IN: readonly WirePermission[] = [...CAPABILITIES, ...INTERNAL_RIGHTS].toSorted().map((name) => ({
  id: name,
  name,
  action: name,
  level: 'channel',
  custom: false,
}))

function encodePermission(row: SettingRow): WirePermission {
  return { name: row.name, ...(JSON.parse(row.json) as Json), id: row.name, custom: true }
}

const noPermission = (id: string): never => refuse('doesNotExist', `permission ${id} does not exist`)

function permissionOf(work: Work, id: string): WirePermission | undefined {
  const row = settingOf(work.db, 'permission', id)
  return row ? encodePermission(row) : BUILT_IN.find((each) => each.id === id)
}

function ownPermission(work: Work, id: string): SettingRow {
  const row = settingOf(work.db, 'permission', id)
  if (row) return row
  return permissionOf(work, id) ? refuse('input', `permission ${id} is built in`) : noPermission(id)
}

/** A permission is an alias of one capability, its `action`: granting its id grants that capability, if it exists. */
function writePermission(work: Work, id: string, input: Json): WirePermission {
  if (JSON.stringify(input).length > 5 * 1024) refuse('payloadTooBig', 'a permission is limited to 5 KB')
  putSetting(work.db, 'permission', id, input, work.now)
  work.afterwards(() => forgetTypes(work.db))
  return permissionOf(work, id) ?? noPermission(id)
}

function knownList(work: Work, name: string): SettingRow {
  return settingOf(work.db, 'blocklist', name) ?? refuse('doesNotExist', `block list ${name} does not exist`)
}

type ListInput = {
  readonly words?: string[]
  readonly type?: string
  readonly team?: string
}

function writeList(work: Work, name: string, input: ListInput): WireBlocklist {
  const words = [...new Set((input.words ?? []).map((word) => word.trim()).filter((word) => word !== ''))]
  if (words.length === 0) return refuse('input', 'words is required')
  const value = { words, type: input.type || 'word', ...(input.team ? { team: input.team } : {}) }
  putSetting(work.db, 'blocklist', name, value, work.now)
  announceModeration(work, 'blocklist')
  return encodeList(knownList(work, name))
}

function encodeList(row: SettingRow): WireBlocklist {
  const value = JSON.parse(row.json) as Pick<WireBlocklist, 'words' | 'type' | 'team'>
  return { name: row.name, ...value, created_at: toText(row.created_at), updated_at: toText(row.updated_at) }
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const MAX_JSON = 100 * 1024

const typeBody = v.looseObject({ ...typeFields, name: text(64) })
const commandBody = v.looseObject({ name: text(64), description: text(1_000), args: text(1_000), set: text(64) })

/** Channel types and commands: for server tokens. See docs/wire.md 3.16. */
export const adminTypeRoutes: readonly Route[] = [
  route(listChannelTypes, {}, ({ who }, work) => {
    needServer(who)
    const types = [...readTypes(work.db).values()].map((type) => [type.name, encodeType(work, type, false)])
    return { channel_types: Object.fromEntries(types) as Record<string, WireChannelType> }
  }),
  route(createChannelType, { body: typeBody }, ({ body, who }, work) => {
    needServer(who)
    const { name = '' } = body
    if (!NAME.test(name)) return refuse('input', 'name must be letters, numbers and "_-"')
    if (readTypes(work.db).has(name)) return refuse('input', `channel type ${name} already exists`)
    return writeType(work, name, body)
  }),
  route(getChannelType, {}, ({ params, who }, work) => {
    needServer(who)
    return encodeType(work, knownType(work, params.name), false)
  }),
  route(updateChannelType, { body: typeBody }, ({ params, body, who }, work) => {
    needServer(who)
    knownType(work, params.name)
    return writeType(work, params.name, body)
  }),
  route(deleteChannelType, {}, ({ params, who }, work) => {
    needServer(who)
    knownType(work, params.name)
    if (params.name in CHANNEL_TYPES) refuse('input', `channel type ${params.name} is built in`)
    if (work.db.get('SELECT 1 FROM channels WHERE type = ? AND deleted_at IS NULL LIMIT 1', params.name)) {
      refuse('input', `channel type ${params.name} has channels`)
    }
    deleteSetting(work.db, 'channel_type', params.name)
    announceType(work, params.name)
    work.afterwards(() => forgetTypes(work.db))
    return {}
  }),
  route(listCommands, {}, (_input, work) => ({ commands: allCommands(work.db) })),
  route(createCommand, { body: commandBody }, ({ body, who }, work) => {
    needServer(who)
    const name = body.name ?? ''
    if (!NAME.test(name)) return refuse('input', 'name must be letters, numbers and "_-"')
    if (!body.description) return refuse('input', 'description is required')
    if (commandOf(work.db, name)) return refuse('input', `command ${name} already exists`)
    return { command: writeCommand(work, name, body) }
  }),
  route(getCommand, {}, ({ params }, work) => knownCommand(work, params.name)),
  route(updateCommand, { body: commandBody }, ({ params, body, who }, work) => {
    needServer(who)
    const known = knownCommand(work, params.name)
    if (known.program !== undefined) refuse('input', `command ${params.name} belongs to a program`)
    return { command: writeCommand(work, params.name, { ...known, ...definedKeys(body) }) }
  }),
  route(deleteCommand, {}, ({ params, who }, work) => {
    needServer(who)
    knownCommand(work, params.name)
    const own = settingOf(work.db, 'command', params.name)
    if (!own || COMMANDS.some(({ name }) => name === params.name)) {
      return refuse('input', `command ${params.name} is built in`)
    }
    deleteSetting(work.db, 'command', params.name)
    work.afterwards(() => forgetTypes(work.db))
    return { name: params.name }
  }),
]

const definedKeys = <T extends object>(body: T): Partial<T> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>

function knownType(work: Work, name: string): ChannelType {
  return readTypes(work.db).get(name) ?? refuse('doesNotExist', `channel type ${name} does not exist`)
}

/** Flags that the input omits stay as they are. */
function writeType(work: Work, name: string, input: Json): WireChannelType {
  const wrong = misfits(input)
  if (wrong[0] !== undefined) return refuse('input', `${wrong[0]} has a wrong value`, { [wrong[0]]: 'wrong value' })
  const known = settingOf(work.db, 'channel_type', name)
  const before = known ? (JSON.parse(known.json) as Json) : {}
  const next = { ...before, ...Object.fromEntries(Object.entries(input).filter(([key]) => key !== 'name')) }
  store(work, 'channel_type', name, next)
  announceType(work, name)
  const type = readTypes(work.db).get(name)
  return type ? encodeType(work, type, true) : refuse('internal', 'the channel type was not written')
}

/** What every channel offers may have changed. */
export function announceTypes(work: Work): void {
  for (const name of readTypes(work.db).keys()) announceType(work, name)
}

/** What people may do in channels of the type may have changed: it names the type. See docs/wire.md 4.10. */
function announceType(work: Work, name: string): void {
  const created_at = toText(work.now)
  work.emit({
    event: { type: 'app.updated', created_at, app: shownSettings(work), channel_type: name },
    to: { kind: 'all' },
  })
}

function store(work: Work, kind: SettingKind, name: string, value: object): void {
  if (JSON.stringify(value).length > MAX_JSON) refuse('payloadTooBig', 'these settings are too big')
  putSetting(work.db, kind, name, value, work.now)
  work.afterwards(() => forgetTypes(work.db))
}

type CommandInput = {
  readonly description?: string
  readonly args?: string
  readonly set?: string
}

function writeCommand(work: Work, name: string, body: CommandInput) {
  const { description = '', args = '', set = 'custom_set' } = body
  store(work, 'command', name, { description, args, set })
  return commandOf(work.db, name) ?? refuse('internal', 'the command was not written')
}

function knownCommand(work: Work, name: string) {
  return commandOf(work.db, name) ?? refuse('doesNotExist', `command ${name} does not exist`)
}

/** @param names returns commands as names, as the contract does for create and update */
function encodeType(work: Work, type: ChannelType, names: boolean): WireChannelType {
  const flags = withFlags(type.flags, {}, 'type')
  const commands = commandsIn(work.db, flags)
  return {
    ...flags,
    name: type.name,
    grants: grantsInForce(type.name, flags.grants),
    permissions: [],
    commands: names ? commands.map(({ name }) => name) : commands,
    created_at: toText(type.created_at),
    updated_at: toText(type.updated_at),
  }
}
