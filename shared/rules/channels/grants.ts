import type { RightVerdict } from '../../domain/manage/directory.ts'

/**
 * What roles allow in a channel: the rule of the local server, which the screen of roles and rights explains with. See
 * docs/wire.md 5.5, 8.1 and 8.2.
 */

/** Role to names of rights; a name with a leading `!` is removed. A role named here replaces the built-in one. */
export type GrantsByRole = Readonly<Record<string, readonly string[]>>

const TALK = [
  'send-message',
  'send-reply',
  'quote-message',
  'send-reaction',
  'create-attachment',
  'upload-file',
  'create-mention',
  'send-links',
  'send-typing-events',
  'typing-events',
  'read-events',
  'delivery-events',
  'connect-events',
  'search-messages',
  'send-poll',
  'cast-poll-vote',
  'query-poll-votes',
  'share-location',
  'send-custom-events',
]
const OWN_MESSAGES = ['update-own-message', 'delete-own-message']
const NOTIFY = ['notify-channel', 'notify-here', 'notify-role', 'notify-group']
const ANY_MESSAGE = ['update-any-message', 'delete-any-message']
const SLOW = ['freeze-channel', 'set-channel-cooldown', 'skip-slow-mode', 'ban-channel-members']
const ENTER = ['read-channel', 'create-channel', 'join-channel']

const MEMBER = [...ENTER, ...TALK, ...OWN_MESSAGES, 'leave-channel', 'flag-message', 'mute-channel']
const MODERATOR = [
  ...MEMBER,
  ...NOTIFY,
  ...ANY_MESSAGE,
  ...SLOW,
  'pin-message',
  'update-thread',
  'update-channel',
  'update-channel-members',
]
const CREATOR = [
  ...MEMBER,
  ...NOTIFY,
  ...SLOW,
  'pin-message',
  'update-thread',
  'update-channel',
  'update-channel-members',
  'delete-channel',
]
/** A moderator of the whole app, also in channels without being a member. */
const APP_MODERATOR = MODERATOR.filter((name) => name !== 'create-channel' && name !== 'leave-channel')
const ADMIN = [...new Set([...MODERATOR, ...CREATOR, 'send-restricted-visibility-message'])]
const GUEST = ['read-channel', 'send-message', 'send-reply', 'send-reaction', 'send-typing-events', 'typing-events']
const GUEST_MEMBER = [...GUEST, 'read-events', 'connect-events', 'leave-channel', 'flag-message', ...OWN_MESSAGES]

type Grants = {
  /** An app user who is not a member. */
  readonly visitor: readonly string[]
  readonly member: readonly string[]
  readonly moderator: readonly string[]
  readonly creator: readonly string[]
  readonly guest: readonly string[]
  readonly guestMember: readonly string[]
  readonly anonymous: readonly string[]
  readonly admin: readonly string[]
}

const MESSAGING: Grants = {
  visitor: ['create-channel'],
  member: [...MEMBER, 'pin-message'],
  moderator: MODERATOR,
  creator: CREATOR,
  guest: [],
  guestMember: GUEST_MEMBER,
  anonymous: [],
  admin: ADMIN,
}

const TEAM: Grants = {
  ...MESSAGING,
  visitor: [...ENTER, 'connect-events', 'typing-events', 'search-messages'],
  member: [...MEMBER, ...NOTIFY, 'pin-message'],
}

const COMMERCE: Grants = { ...MESSAGING, visitor: ['create-channel'], member: MEMBER, guest: ['create-channel'] }

const OPEN_GUEST = ['read-channel', 'connect-events', 'send-reaction', 'flag-message']
/** A user who may read a broadcast may also join it; a guest can never join by themselves. */
const OPEN_VISITOR = [...OPEN_GUEST, 'join-channel']

const LIVESTREAM: Grants = {
  ...MESSAGING,
  visitor: [...OPEN_VISITOR, 'send-message'],
  member: MEMBER,
  guest: [...OPEN_GUEST, 'send-message'],
  anonymous: ['read-channel', 'connect-events'],
}

const GAMING: Grants = {
  ...LIVESTREAM,
  visitor: OPEN_VISITOR,
  guest: OPEN_GUEST,
}

const GRANTS: Readonly<Record<string, Grants>> = {
  messaging: MESSAGING,
  team: TEAM,
  commerce: COMMERCE,
  livestream: LIVESTREAM,
  gaming: GAMING,
}

/** Capabilities that also need a feature of the channel. */
const NEEDS = {
  'read-events': 'read_events',
  'typing-events': 'typing_events',
  'send-typing-events': 'typing_events',
  'connect-events': 'connect_events',
  'delivery-events': 'delivery_events',
  'send-reply': 'replies',
  'quote-message': 'quotes',
  'send-reaction': 'reactions',
  'upload-file': 'uploads',
  'create-attachment': 'uploads',
  'send-poll': 'polls',
  'cast-poll-vote': 'polls',
  'query-poll-votes': 'polls',
  'share-location': 'shared_locations',
  'search-messages': 'search',
  'mute-channel': 'mutes',
  'send-custom-events': 'custom_events',
} as const

/** A feature that a right needs. */
type NeededFlag = (typeof NEEDS)[keyof typeof NEEDS]

export type RightsFlags = { readonly [Flag in NeededFlag]: boolean } & { readonly grants?: GrantsByRole }

export const NEEDED_FLAGS: readonly NeededFlag[] = [...new Set(Object.values(NEEDS))]

/** The features that are off. */
export const flagsOff = (isOn: (flag: NeededFlag) => boolean): readonly NeededFlag[] =>
  NEEDED_FLAGS.filter((flag) => !isOn(flag))

/** The feature without which a right is worth nothing. */
export const flagNeeded = (right: string): NeededFlag | undefined =>
  Object.hasOwn(NEEDS, right) ? NEEDS[right as keyof typeof NEEDS] : undefined

/** Rights that a frozen channel removes. Uploading stays, as in the contract's public fixture. */
const FROZEN_TAKES: ReadonlySet<string> = new Set([
  'send-message',
  'send-reply',
  'send-links',
  'send-reaction',
  'send-poll',
  'quote-message',
  'pin-message',
  'create-attachment',
])

/** The rights that a ban leaves: reading, deleting one's own messages, and leaving. See docs/wire.md 8.14 "ban". */
const BAN_KEEPS: ReadonlySet<string> = new Set([
  'read-channel',
  'read-events',
  'typing-events',
  'connect-events',
  'delivery-events',
  'search-messages',
  'query-poll-votes',
  'delete-own-message',
  'leave-channel',
  'flag-message',
  'mute-channel',
])

/** Used by the server only, never sent to clients. */
const INTERNAL: ReadonlySet<string> = new Set(['read-channel', 'create-channel'])

export type CapabilityInput = {
  readonly type: string
  readonly appRole: string
  /** Absent for users who are not members. */
  readonly channelRole: string | undefined
  readonly isCreator: boolean
  /** The channel has no members yet: its creator then has the owner's rights without being a member. */
  readonly empty?: boolean
  /** A private channel: its type grants nothing to users outside. */
  readonly isPrivate: boolean
  readonly banned: boolean
  readonly frozen: boolean
  readonly cooldown: number
  readonly flags: RightsFlags
  /** What an administrator granted, as names of capabilities; absent: those of the flags. */
  readonly grants?: GrantsByRole
}

/** All rights of a user, including internal ones. */
export function capabilitiesOf(input: CapabilityInput): Set<string> {
  const granted = new Set<string>()
  for (const name of grantsOf(input)) if (takenBy(input, name) === undefined) granted.add(name)
  if (input.cooldown > 0 && !granted.has('skip-slow-mode')) granted.add('slow-mode')
  return granted
}

/** What keeps a granted right from being used in this channel now. */
function takenBy(input: CapabilityInput, name: string): 'frozen' | 'ban' | 'feature' | undefined {
  if (input.frozen && input.appRole !== 'admin' && FROZEN_TAKES.has(name)) return 'frozen'
  if (input.banned && !BAN_KEEPS.has(name)) return 'ban'
  const flag = flagNeeded(name)
  return flag !== undefined && !input.flags[flag] ? 'feature' : undefined
}

/** Rights that slow mode delays. */
const SLOWED: ReadonlySet<string> = new Set(['send-message', 'send-reply'])

/** {@link capabilitiesOf} for one right, with the reason. */
export function verdictOn(input: CapabilityInput, name: string): RightVerdict {
  const source = sourceOf(input, name)
  if (source === undefined) {
    const open = { ...input, isPrivate: false }
    return { can: false, why: input.isPrivate && sourceOf(open, name) !== undefined ? 'private' : 'role' }
  }
  const why = takenBy(input, name)
  if (why !== undefined) return { can: false, why }
  const slow = input.cooldown > 0 && SLOWED.has(name) && !capabilitiesOf(input).has('skip-slow-mode')
  return slow ? { can: true, by: source, slow } : { can: true, by: source }
}

type Source = Extract<RightVerdict, { readonly can: true }>['by']

function sourceOf(input: CapabilityInput, name: string): Source | undefined {
  if (!grantsOf(input).includes(name)) return undefined
  const outside = { ...input, channelRole: undefined, isCreator: false }
  if (grantsOf(outside).includes(name)) return 'app-role'
  return grantsOf({ ...input, isCreator: false }).includes(name) ? 'channel-role' : 'creator'
}

/** The list for `own_capabilities`, in a stable order. */
export function shownCapabilities(all: ReadonlySet<string>): string[] {
  return [...all].filter((name) => !INTERNAL.has(name)).toSorted()
}

function grantsOf(input: CapabilityInput): readonly string[] {
  const own = input.isCreator && (input.channelRole !== undefined || input.empty === true)
  const grants = input.grants ?? input.flags.grants
  const isOutside = input.channelRole === undefined && !isModeratorOfApp(input.appRole)
  return [
    ...(input.isPrivate && isOutside ? [] : grantsOfType(input.type, grants, input.appRole, input.channelRole)),
    ...(own ? givenBy(grants, 'owner', builtIn(input.type).creator) : []),
  ]
}

/** Administrators and moderators of the app can also read private channels. */
export const isModeratorOfApp = (appRole: string): boolean => appRole === 'admin' || appRole === 'moderator'

const builtIn = (type: string): Grants => GRANTS[type] ?? MESSAGING

/**
 * The combined rights of a role in the app and a role in the channel; `set` holds the administrator's grants for the
 * type.
 */
export function grantsOfType(
  type: string,
  set: GrantsByRole | undefined,
  appRole: string,
  channelRole: string | undefined,
): readonly string[] {
  const grants = builtIn(type)
  const given = (role: string, otherwise: readonly string[]): readonly string[] => givenBy(set, role, otherwise)
  if (appRole === 'admin') return given('admin', grants.admin)
  if (appRole === 'anonymous') return given('anonymous', grants.anonymous)
  if (appRole === 'guest') {
    const guest = given('guest', grants.guest)
    return channelRole === undefined ? guest : [...guest, ...grants.guestMember]
  }
  const visitor = given(appRole, appRole === 'moderator' ? [...grants.visitor, ...APP_MODERATOR] : grants.visitor)
  if (channelRole === undefined) return visitor
  const role = channelRole === 'channel_moderator' ? grants.moderator : grants.member
  return [...visitor, ...given(channelRole, role)]
}

/** The capabilities of each role in a channel type: built-in ones, and those an administrator set. */
export function grantsInForce(
  type: string,
  set: GrantsByRole | undefined,
): Readonly<Record<string, readonly string[]>> {
  const grants = builtIn(type)
  const named: Readonly<Record<string, readonly string[]>> = {
    user: grants.visitor,
    admin: grants.admin,
    moderator: [...new Set([...grants.visitor, ...APP_MODERATOR])],
    guest: grants.guest,
    anonymous: grants.anonymous,
    channel_member: grants.member,
    channel_moderator: grants.moderator,
    owner: grants.creator,
  }
  const roles = [...new Set([...Object.keys(named), ...Object.keys(set ?? {})])]
  // a custom role starts with the rights of a user outside and of a member inside
  return Object.fromEntries(roles.map((role) => [role, givenBy(set, role, named[role] ?? grants.visitor)]))
}

function givenBy(set: GrantsByRole | undefined, role: string, otherwise: readonly string[]): readonly string[] {
  return set !== undefined && Object.hasOwn(set, role) ? applied(set[role] ?? [], otherwise) : otherwise
}

/**
 * A list of names replaces the built-in one, an empty one leaves the role without rights; if all names start with `!`, they
 * are removed from the built-in ones.
 */
function applied(names: readonly string[], builtin: readonly string[]): readonly string[] {
  if (names.length === 0) return names
  const taken = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  const added = names.filter((name) => !name.startsWith('!'))
  return (added.length > 0 ? added : builtin).filter((name) => !taken.has(name))
}

/**
 * Grants with the names of custom permissions replaced by the rights that they stand for.
 *
 * @param permissions the right of each permission, if it exists
 */
export function resolvedGrants(
  grants: GrantsByRole,
  permissions: ReadonlyMap<string, string | undefined>,
): GrantsByRole {
  const rightsOf = (name: string): readonly string[] => {
    const [prefix, own] = name.startsWith('!') ? ['!', name.slice(1)] : ['', name]
    const right = permissions.has(own) ? permissions.get(own) : own
    return right === undefined ? [] : [prefix + right]
  }
  return Object.fromEntries(Object.entries(grants).map(([role, names]) => [role, names.flatMap(rightsOf)]))
}

/** The right that an action of a permission stands for: `PinMessage` is the action of `pin-message`. */
export function rightOfAction(action: string): string | undefined {
  const name = action.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
  return CAPABILITIES.includes(name) || INTERNAL_RIGHTS.includes(name) ? name : undefined
}

/** Names that a grant may contain although clients never see them. */
export const INTERNAL_RIGHTS: readonly string[] = [...INTERNAL]

/** All names for `own_capabilities` and grants. See docs/wire.md 5.5. */
export const CAPABILITIES: readonly string[] = [...new Set([...ADMIN, 'slow-mode'])]
  .filter((name) => !INTERNAL.has(name))
  .toSorted()

/** What a role may be given: a state such as being bound by slow mode is no right. */
export const GRANTABLE: readonly string[] = [...CAPABILITIES, ...INTERNAL]
  .filter((name) => name !== 'slow-mode')
  .toSorted()

/** Rights that administrators keep, so that a workspace can always be run. */
const KEPT: ReadonlySet<string> = new Set(['read-channel', 'update-channel', 'update-channel-members'])

/** Whether a right of a role cannot be taken away. */
export const isKept = (role: string, right: string): boolean => role === 'admin' && KEPT.has(right)

export type RightChange = { readonly role: string; readonly right: string; readonly on: boolean }

/**
 * Grants after some changes of single rights. A change that is already in force changes nothing, so what someone else
 * changed meanwhile stays.
 */
export function changedGrants(grants: GrantsByRole, changes: readonly RightChange[]): GrantsByRole {
  const next: Record<string, readonly string[]> = { ...grants }
  for (const { role, right, on } of changes) {
    const before = next[role] ?? []
    if (on && !before.includes(right)) next[role] = [...before, right]
    if (!on && !isKept(role, right)) next[role] = before.filter((name) => name !== right)
  }
  return next
}
