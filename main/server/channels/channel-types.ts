import * as v from 'valibot'
import type { Db } from '../store/db.ts'
import { settingOf, settingsOf, type SettingRow } from '../admin/settings.ts'
import { workingIntegrations } from '../integrations/integration-table.ts'
import { toText } from '../store/time.ts'
import { type GrantsByRole, grantsOfType, resolvedGrants, rightOfAction } from '#shared/rules/channels/grants.ts'

/** Feature flags per channel type. See docs/wire.md 8.3 and 8.4. */
export type TypeFlags = {
  readonly typing_events: boolean
  readonly read_events: boolean
  readonly connect_events: boolean
  readonly delivery_events: boolean
  readonly search: boolean
  readonly reactions: boolean
  readonly replies: boolean
  readonly quotes: boolean
  readonly mutes: boolean
  readonly uploads: boolean
  readonly url_enrichment: boolean
  readonly custom_events: boolean
  readonly push_notifications: boolean
  readonly polls: boolean
  readonly shared_locations: boolean
  readonly user_message_reminders: boolean
  readonly reminders: boolean
  readonly count_messages: boolean
  readonly mark_messages_pending: boolean
  readonly skip_last_msg_update_for_system_msgs: boolean
  readonly max_message_length: number
  readonly message_retention: string
  readonly automod: string
  readonly automod_behavior: string
  /** Name of the list of blocked words. */
  readonly blocklist?: string
  /** What happens to a message with such a word: `flag`, `block` or `shadow_block`. */
  readonly blocklist_behavior?: string
  /** More lists, each with its own behavior. */
  readonly blocklists?: readonly { readonly blocklist: string; readonly behavior?: string }[]
  /** Names; absent or `all`: every command. */
  readonly commands?: readonly string[]
  readonly push_level?: string
  readonly chat_preferences?: Readonly<Record<string, unknown>>
  readonly allowed_flag_reasons?: readonly string[]
  readonly grants?: GrantsByRole
}

const EVERYDAY: TypeFlags = {
  typing_events: true,
  read_events: true,
  connect_events: true,
  delivery_events: true,
  search: true,
  reactions: true,
  replies: true,
  quotes: true,
  mutes: true,
  uploads: true,
  url_enrichment: true,
  custom_events: true,
  push_notifications: true,
  polls: true,
  shared_locations: true,
  user_message_reminders: true,
  reminders: false,
  count_messages: true,
  mark_messages_pending: false,
  skip_last_msg_update_for_system_msgs: false,
  max_message_length: 5_000,
  message_retention: 'infinite',
  automod: 'disabled',
  automod_behavior: 'flag',
}

const BROADCAST: TypeFlags = {
  ...EVERYDAY,
  typing_events: false,
  read_events: false,
  delivery_events: false,
  uploads: false,
  url_enrichment: false,
  push_notifications: false,
  shared_locations: false,
  user_message_reminders: false,
  count_messages: false,
}

export const CHANNEL_TYPES: Readonly<Record<string, TypeFlags>> = {
  messaging: EVERYDAY,
  team: EVERYDAY,
  commerce: EVERYDAY,
  livestream: BROADCAST,
  gaming: { ...BROADCAST, search: false, polls: false },
}

export type Command = {
  readonly name: string
  readonly description: string
  readonly args: string
  readonly set: string
  /** The name of the program that answers it; only of our own server. */
  readonly program?: string
  readonly created_at?: string
  readonly updated_at?: string
}

/** Shown to clients; a command without a handler is refused on use. */
export const COMMANDS: readonly Command[] = [
  { name: 'giphy', description: 'Post a random gif', args: '[text]', set: 'fun_set' },
  { name: 'ban', description: 'Ban a user', args: '[@username] [text]', set: 'moderation_set' },
  { name: 'unban', description: 'Unban a user', args: '[@username]', set: 'moderation_set' },
  { name: 'mute', description: 'Mute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'unmute', description: 'Unmute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'flag', description: 'Flag a user', args: '[@username]', set: 'moderation_set' },
]

type Kind = 'boolean' | 'number' | 'string' | 'texts' | 'object'

/** The flags that one channel may override, and their types. See docs/wire.md 5.19 "config_overrides". */
const OVERRIDABLE: Readonly<Record<string, Kind>> = {
  blocklist: 'string',
  blocklist_behavior: 'string',
  chat_preferences: 'object',
  commands: 'texts',
  count_messages: 'boolean',
  grants: 'object',
  max_message_length: 'number',
  push_level: 'string',
  quotes: 'boolean',
  reactions: 'boolean',
  replies: 'boolean',
  shared_locations: 'boolean',
  typing_events: 'boolean',
  uploads: 'boolean',
  url_enrichment: 'boolean',
  user_message_reminders: 'boolean',
}

/** The flags that a channel type may set. See docs/wire.md 5.19. */
const SETTABLE: Readonly<Record<string, Kind>> = {
  ...OVERRIDABLE,
  ...Object.fromEntries(Object.entries(EVERYDAY).map(([name, value]) => [name, typeof value as Kind])),
  allowed_flag_reasons: 'texts',
  blocklists: 'object',
}

const FIELDS = {
  boolean: v.optional(v.boolean()),
  number: v.optional(v.number()),
  string: v.optional(v.string()),
  texts: v.optional(v.array(v.string())),
  object: v.optional(v.record(v.string(), v.unknown())),
} as const

const fieldsOf = (table: Readonly<Record<string, Kind>>) =>
  Object.fromEntries(Object.entries(table).map(([name, kind]) => [name, FIELDS[kind]]))

/** Schemas of `config_overrides` and of a channel type. */
export const overrideFields = fieldsOf(OVERRIDABLE)
export const typeFields = { ...fieldsOf(SETTABLE), blocklists: v.optional(v.array(v.unknown())) }

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const BEHAVIORS: readonly string[] = ['flag', 'block', 'shadow_block']

/** The values that a setting may have. See docs/wire.md 5.19. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  automod: ['disabled', 'simple', 'AI'],
  automod_behavior: BEHAVIORS,
  blocklist_behavior: BEHAVIORS,
}

const MAX_LISTS = 10

/** `{blocklist, behavior}`: another list and its behavior. */
function isListUse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('blocklist' in value)) return false
  const behavior = 'behavior' in value ? value.behavior : undefined
  return typeof value.blocklist === 'string' && BEHAVIORS.some((each) => each === (behavior ?? 'flag'))
}

function fits(name: string, value: unknown, kind: Kind): boolean {
  if (kind === 'texts') return isTexts(value)
  if (name === 'blocklists') return Array.isArray(value) && value.length <= MAX_LISTS && value.every(isListUse)
  const choices = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined
  if (choices) return typeof value === 'string' && choices.includes(value)
  if (name === 'grants') return typeof value === 'object' && value !== null && Object.values(value).every(isTexts)
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (name === 'max_message_length') return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 20_000
  return typeof value === kind
}

/** The given flags with those of `changes` that a channel (or a whole type) may set and that are of the right kind. */
export function withFlags(
  base: TypeFlags,
  changes: Readonly<Record<string, unknown>>,
  scope: 'channel' | 'type',
): TypeFlags {
  const table = scope === 'channel' ? OVERRIDABLE : SETTABLE
  const own = Object.entries(changes).filter(([name, value]) => {
    const kind = Object.hasOwn(table, name) ? table[name] : undefined
    return kind !== undefined && fits(name, value, kind)
  })
  return own.length === 0 ? base : { ...base, ...Object.fromEntries(own) }
}

/** Names in `changes` that are known and have a value of the wrong kind. */
export function misfits(changes: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(changes).flatMap(([name, value]) => {
    const kind = Object.hasOwn(SETTABLE, name) ? SETTABLE[name] : undefined
    const isAbsent = value === null || (value === '' && Object.hasOwn(CHOICES, name))
    return kind === undefined || isAbsent || fits(name, value, kind) ? [] : [name]
  })
}

/** The flags of a new type. */
export const NEW_TYPE = EVERYDAY

/** A channel type: built in, changed by an administrator, or created by one. */
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
  const own = [...settingsOf(db, 'command').map((row) => commandFrom(row)), ...programCommands(db)]
  const named = new Set(own.map((command) => command.name))
  return [...COMMANDS.filter((command) => !named.has(command.name)), ...own]
}

function commandFrom(row: SettingRow): Command {
  const value = JSON.parse(row.json) as Omit<Command, 'name'>
  return { ...value, name: row.name, created_at: toText(row.created_at), updated_at: toText(row.updated_at) }
}

export function commandOf(db: Db, name: string): Command | undefined {
  const row = settingOf(db, 'command', name)
  const known = [...COMMANDS, ...programCommands(db)]
  return row ? commandFrom(row) : known.find((command) => command.name === name)
}

/** The commands that programs answer, each with the name of its program. */
function programCommands(db: Db): readonly Command[] {
  return workingIntegrations(db).flatMap(({ kind, command, name, hint }) =>
    kind === 'command' && command !== null
      ? [{ name: command, description: hint ?? '', args: '', set: PROGRAM_SET, program: name }]
      : [],
  )
}

const PROGRAM_SET = 'program_set'

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
    return typeof action === 'string' ? [[name, rightOfAction(action)] as const] : []
  })
  return new Map(actions)
}

/** The grants of the flags, with custom permissions replaced by their capabilities. */
export function grantsIn(db: Db, { grants }: TypeFlags): GrantsByRole | undefined {
  const { permissions } = cached(db)
  if (grants === undefined || permissions.size === 0) return grants
  return resolvedGrants(grants, permissions)
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
