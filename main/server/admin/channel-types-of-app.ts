import type { Db } from '../store/db.ts'
import { settingOf, settingsOf, type SettingRow } from './settings-table.ts'
import { toText } from '../time.ts'
import { CAPABILITIES, grantsOfType, INTERNAL_RIGHTS } from '../channels/capabilities.ts'
import {
  CHANNEL_TYPES,
  COMMANDS,
  NEW_TYPE,
  withFlags,
  type Command,
  type TypeFlags,
} from '../channels/channel-types.ts'

/** A channel type: built in, changed by an administrator, or made by one. */
export type ChannelType = {
  readonly name: string
  readonly flags: TypeFlags
  readonly created_at: number
  readonly updated_at: number
}

/** The capability of each permission, if it exists. */
type Permissions = ReadonlyMap<string, string | undefined>

type CachedTypes = {
  readonly types: ReadonlyMap<string, ChannelType>
  readonly commands: readonly Command[]
  /** Custom permissions: their id, and their capability. */
  readonly permissions: Permissions
}

/** Types and commands are read with every request and rarely change: cached per store until {@link forgetTypes}. */
const cache = new WeakMap<Db, CachedTypes>()

function cached(db: Db): CachedTypes {
  const known = cache.get(db) ?? { types: readTypes(db), commands: readCommands(db), permissions: readPermissions(db) }
  cache.set(db, known)
  return known
}

/** Drops the cache after a change of types, commands or permissions was committed or rolled back. */
export function forgetTypes(db: Db): void {
  cache.delete(db)
}

/** Reads the types without the cache, for requests that change them. */
export function readTypes(db: Db): Map<string, ChannelType> {
  const types = new Map<string, ChannelType>()
  for (const [name, flags] of Object.entries(CHANNEL_TYPES))
    types.set(name, { name, flags, created_at: 0, updated_at: 0 })
  for (const row of settingsOf(db, 'channel_type')) types.set(row.name, fromRow(row))
  return types
}

function fromRow(row: SettingRow): ChannelType {
  const base = CHANNEL_TYPES[row.name] ?? NEW_TYPE
  const flags = withFlags(base, JSON.parse(row.json) as Record<string, unknown>, 'type')
  return { name: row.name, flags, created_at: row.created_at, updated_at: row.updated_at }
}

function readCommands(db: Db): readonly Command[] {
  const own = settingsOf(db, 'command').map((row) => commandFrom(row))
  const named = new Set(own.map((command) => command.name))
  return [...COMMANDS.filter((command) => !named.has(command.name)), ...own]
}

function commandFrom(row: SettingRow): Command {
  const value = JSON.parse(row.json) as Omit<Command, 'name'>
  return { ...value, name: row.name, created_at: toText(row.created_at), updated_at: toText(row.updated_at) }
}

export function commandOf(db: Db, name: string): Command | undefined {
  const row = settingOf(db, 'command', name)
  return row ? commandFrom(row) : COMMANDS.find((command) => command.name === name)
}

export const allCommands = (db: Db): readonly Command[] => cached(db).commands

/** The commands that are available with these flags. */
export function commandsIn(db: Db, flags: TypeFlags): readonly Command[] {
  const { commands } = cached(db)
  const named = flags.commands
  return named === undefined || named.includes('all') ? commands : commands.filter(({ name }) => named.includes(name))
}

export const typeOf = (db: Db, name: string): ChannelType | undefined => cached(db).types.get(name)

/** The effective flags of one channel; `overrides` is the channel's own JSON. */
export function flagsIn(db: Db, type: string, overrides: string): TypeFlags {
  const base = typeOf(db, type)?.flags ?? NEW_TYPE
  return overrides === '{}' ? base : withFlags(base, JSON.parse(overrides) as Record<string, unknown>, 'channel')
}

function readPermissions(db: Db): Permissions {
  const actions = settingsOf(db, 'permission').flatMap(({ name, json }) => {
    const { action } = JSON.parse(json) as { action?: unknown }
    return typeof action === 'string' ? [[name, capabilityOf(action)] as const] : []
  })
  return new Map(actions)
}

/** `PinMessage` is the action of `pin-message`. */
function capabilityOf(action: string): string | undefined {
  const name = action.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
  return CAPABILITIES.includes(name) || INTERNAL_RIGHTS.includes(name) ? name : undefined
}

/** The grants of the flags, with custom permissions replaced by their capabilities. */
export function grantsIn(db: Db, { grants }: TypeFlags): TypeFlags['grants'] {
  const { permissions } = cached(db)
  if (grants === undefined || permissions.size === 0) return grants
  const capabilityNames = (name: string): readonly string[] => {
    const [prefix, own] = name.startsWith('!') ? ['!', name.slice(1)] : ['', name]
    const capability = permissions.has(own) ? permissions.get(own) : own
    return capability === undefined ? [] : [prefix + capability]
  }
  return Object.fromEntries(Object.entries(grants).map(([role, names]) => [role, names.flatMap(capabilityNames)]))
}

/** Types whose channels have read states, as a JSON list: other channels do not count as unread. */
export function countedTypes(db: Db): string {
  return JSON.stringify([...cached(db).types.values()].filter(({ flags }) => flags.read_events).map(({ name }) => name))
}

/** Channel types whose channels a non-member of this role may read. */
export function openTypes(db: Db, appRole: string): string[] {
  return [...cached(db).types.values()]
    .filter(({ name, flags }) => grantsOfType(name, grantsIn(db, flags), appRole, undefined).includes('read-channel'))
    .map(({ name }) => name)
}

export const allTypes = (db: Db): string[] => [...cached(db).types.keys()]
