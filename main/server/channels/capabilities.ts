import type { TypeFlags } from './channel-types.ts'

/** The rights of a user in a channel, as data. See docs/wire.md 5.5, 8.1 and 8.2. */

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
const NEEDS: Readonly<Record<string, keyof TypeFlags>> = {
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
}

/** Rights that a frozen channel removes. Uploading stays, as in the contract's public fixture. */
const FROZEN_TAKES = [
  'send-message',
  'send-reply',
  'send-links',
  'send-reaction',
  'send-poll',
  'quote-message',
  'pin-message',
  'create-attachment',
]

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
  readonly flags: TypeFlags
  /** What an administrator granted, as names of capabilities; absent: those of the flags. */
  readonly grants?: TypeFlags['grants']
}

/** All rights of a user, including internal ones. */
export function capabilitiesOf(input: CapabilityInput): Set<string> {
  const granted = new Set(grantsOf(input))
  if (input.frozen && input.appRole !== 'admin') for (const name of FROZEN_TAKES) granted.delete(name)
  if (input.banned) for (const name of granted) if (!BAN_KEEPS.has(name)) granted.delete(name)
  for (const [name, needed] of Object.entries(NEEDS)) if (!input.flags[needed]) granted.delete(name)
  if (input.cooldown > 0 && !granted.has('skip-slow-mode')) granted.add('slow-mode')
  return granted
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
  set: TypeFlags['grants'],
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
export function grantsInForce(type: string, set: TypeFlags['grants']): Readonly<Record<string, readonly string[]>> {
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

function givenBy(set: TypeFlags['grants'], role: string, otherwise: readonly string[]): readonly string[] {
  return set !== undefined && Object.hasOwn(set, role) ? applied(set[role] ?? [], otherwise) : otherwise
}

/** A list of names replaces the built-in one; if all names start with `!`, they are removed from it. */
function applied(names: readonly string[], builtin: readonly string[]): readonly string[] {
  const taken = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  const added = names.filter((name) => !name.startsWith('!'))
  return (added.length > 0 ? added : builtin).filter((name) => !taken.has(name))
}

/** Names that a grant may contain although clients never see them. */
export const INTERNAL_RIGHTS: readonly string[] = [...INTERNAL]

/** All names for `own_capabilities` and grants. See docs/wire.md 5.5. */
export const CAPABILITIES: readonly string[] = [...new Set([...ADMIN, 'slow-mode'])]
  .filter((name) => !INTERNAL.has(name))
  .toSorted()
