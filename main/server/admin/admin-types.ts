import * as v from 'valibot'
import {
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
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { text } from '../http/shapes.ts'
import {
  CHANNEL_TYPES,
  COMMANDS,
  misfits,
  typeFields,
  withFlags,
  allCommands,
  commandOf,
  commandsIn,
  forgetTypes,
  readTypes,
  type ChannelType,
} from '../channels/channel-types.ts'
import { needServer } from '../users/users.ts'
import { grantsInForce } from '#shared/rules/channels/grants.ts'
import { shownSettings } from './app.ts'
import { deleteSetting, putSetting, settingOf, type SettingKind } from './settings.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'

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
