import type { TypeFlags } from './channel-types.ts'

/** What a person may do in a channel, as data. See docs/wire.md 5.5, 8.1 and 8.2. */

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
/** Someone who moderates the whole app, in channels they are no member of too. */
const APP_MODERATOR = MODERATOR.filter((name) => name !== 'create-channel' && name !== 'leave-channel')
const ADMIN = [...new Set([...MODERATOR, ...CREATOR, 'send-restricted-visibility-message'])]
const GUEST = ['read-channel', 'send-message', 'send-reply', 'send-reaction', 'send-typing-events', 'typing-events']
const GUEST_MEMBER = [...GUEST, 'read-events', 'connect-events', 'leave-channel', 'flag-message', ...OWN_MESSAGES]

type Grants = {
  /** An application user who is no member. */
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
/** Who may read a broadcast may also join it; a guest never joins anything by themselves. */
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

/** What a frozen channel takes away. Uploading stays, as in the public fixture. */
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

/** All a ban leaves: reading, taking back one's own, and leaving. See docs/wire.md 8.14 "ban". */
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

/** Needed inside, unknown to clients. */
const INTERNAL: ReadonlySet<string> = new Set(['read-channel', 'create-channel'])

export type Standing = {
  readonly type: string
  readonly appRole: string
  /** Absent for people who are no members. */
  readonly channelRole: string | undefined
  readonly isCreator: boolean
  /** No one is in the channel yet: then anyone who made it runs it without being a member. */
  readonly empty?: boolean
  /** The channel is its members' alone: the type gives nothing to those outside. */
  readonly isPrivate: boolean
  readonly banned: boolean
  readonly frozen: boolean
  readonly cooldown: number
  readonly flags: TypeFlags
  /** What an administrator granted, in names of capabilities; absent: as the flags have it. */
  readonly grants?: TypeFlags['grants']
}

/** Everything a person may do, internal names included. */
export function capabilitiesOf(standing: Standing): Set<string> {
  const granted = new Set(grantsOf(standing))
  if (standing.frozen && standing.appRole !== 'admin') for (const name of FROZEN_TAKES) granted.delete(name)
  if (standing.banned) for (const name of granted) if (!BAN_KEEPS.has(name)) granted.delete(name)
  for (const [name, needed] of Object.entries(NEEDS)) if (!standing.flags[needed]) granted.delete(name)
  if (standing.cooldown > 0 && !granted.has('skip-slow-mode')) granted.add('slow-mode')
  return granted
}

/** The list for `own_capabilities`, in a stable order. */
export function shownCapabilities(all: ReadonlySet<string>): string[] {
  return [...all].filter((name) => !INTERNAL.has(name)).toSorted()
}

function grantsOf(standing: Standing): readonly string[] {
  const own = standing.isCreator && (standing.channelRole !== undefined || standing.empty === true)
  const grants = standing.grants ?? standing.flags.grants
  const isOutside = standing.channelRole === undefined && !standsAbove(standing.appRole)
  return [
    ...(standing.isPrivate && isOutside
      ? []
      : grantsOfType(standing.type, grants, standing.appRole, standing.channelRole)),
    ...(own ? givenBy(grants, 'owner', builtIn(standing.type).creator) : []),
  ]
}

/** Administrators and moderators of the app read what they keep in order, private channels too. */
export const standsAbove = (appRole: string): boolean => appRole === 'admin' || appRole === 'moderator'

const builtIn = (type: string): Grants => GRANTS[type] ?? MESSAGING

/** What a role of the app and a role in the channel give together; `set` is what an administrator wrote for the type. */
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

/** Which capabilities each role has in a type of channel: what the type brings along and what an administrator set. */
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
  // a role of one's own begins as any user outside, and as any member inside
  return Object.fromEntries(roles.map((role) => [role, givenBy(set, role, named[role] ?? grants.visitor)]))
}

function givenBy(set: TypeFlags['grants'], role: string, otherwise: readonly string[]): readonly string[] {
  return set !== undefined && Object.hasOwn(set, role) ? applied(set[role] ?? [], otherwise) : otherwise
}

/** A list of names replaces the built-in one; names with `!` alone take away from it. */
function applied(names: readonly string[], builtin: readonly string[]): readonly string[] {
  const taken = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  const added = names.filter((name) => !name.startsWith('!'))
  return (added.length > 0 ? added : builtin).filter((name) => !taken.has(name))
}

/** Names a grant may hold that clients never see. */
export const INTERNAL_RIGHTS: readonly string[] = [...INTERNAL]

/** Every name there is, for `own_capabilities` and grants. See docs/wire.md 5.5. */
export const CAPABILITIES: readonly string[] = [...new Set([...ADMIN, 'slow-mode'])]
  .filter((name) => !INTERNAL.has(name))
  .toSorted()
