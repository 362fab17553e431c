import { afterAll, describe, expect, test } from 'vitest'
import { CAPABILITIES, capabilitiesOf } from '#shared/rules/channels/grants.ts'
import { CHANNEL_TYPES } from '#main/server/channels/channel-types.ts'
import { ADMIN, openRoom } from '../room.ts'

/**
 * The 42 capabilities as the contract gives them: one line each, one column for messaging, team, commerce, livestream
 * and gaming, and in each column a mark for a user who is not a member, a member, a channel moderator, the channel's
 * creator, a guest, a guest who is a member, anonymous, a moderator of the app, an admin. See docs/wire.md 5.5, 8.2 and
 * 8.3.
 */
const TABLE: readonly (readonly [name: string, marks: string])[] = [
  ['ban-channel-members', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['cast-poll-vote', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .........'],
  ['connect-events', '.xxx.x.xx xxxx.x.xx .xxx.x.xx xxxxxxxxx xxxxxxxxx'],
  ['create-attachment', '.xxx...xx .xxx...xx .xxx...xx ......... .........'],
  ['create-mention', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .xxx...xx'],
  ['delete-any-message', '..x....xx ..x....xx ..x....xx ..x....xx ..x....xx'],
  ['delete-channel', '...x....x ...x....x ...x....x ...x....x ...x....x'],
  ['delete-own-message', '.xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx'],
  ['delivery-events', '.xxx...xx .xxx...xx .xxx...xx ......... .........'],
  ['flag-message', '.xxx.x.xx .xxx.x.xx .xxx.x.xx xxxxxx.xx xxxxxx.xx'],
  ['freeze-channel', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['join-channel', '.xxx...xx xxxx...xx .xxx...xx xxxx...xx xxxx...xx'],
  ['leave-channel', '.xxx.x..x .xxx.x..x .xxx.x..x .xxx.x..x .xxx.x..x'],
  ['mute-channel', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .xxx...xx'],
  ['notify-channel', '..xx...xx .xxx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['notify-group', '..xx...xx .xxx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['notify-here', '..xx...xx .xxx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['notify-role', '..xx...xx .xxx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['pin-message', '.xxx...xx .xxx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['query-poll-votes', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .........'],
  ['quote-message', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .xxx...xx'],
  ['read-events', '.xxx.x.xx .xxx.x.xx .xxx.x.xx ......... .........'],
  ['search-messages', '.xxx...xx xxxx...xx .xxx...xx .xxx...xx .........'],
  ['send-custom-events', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .xxx...xx'],
  ['send-links', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .xxx...xx'],
  ['send-message', '.xxx.x.xx .xxx.x.xx .xxx.x.xx xxxxxx.xx .xxx.x.xx'],
  ['send-poll', '.xxx...xx .xxx...xx .xxx...xx .xxx...xx .........'],
  ['send-reaction', '.xxx.x.xx .xxx.x.xx .xxx.x.xx xxxxxx.xx xxxxxx.xx'],
  ['send-reply', '.xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx'],
  ['send-restricted-visibility-message', '........x ........x ........x ........x ........x'],
  ['send-typing-events', '.xxx.x.xx .xxx.x.xx .xxx.x.xx ......... .........'],
  ['set-channel-cooldown', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['share-location', '.xxx...xx .xxx...xx .xxx...xx ......... .........'],
  ['skip-slow-mode', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['typing-events', '.xxx.x.xx xxxx.x.xx .xxx.x.xx ......... .........'],
  ['update-any-message', '..x....xx ..x....xx ..x....xx ..x....xx ..x....xx'],
  ['update-channel', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['update-channel-members', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['update-own-message', '.xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx .xxx.x.xx'],
  ['update-thread', '..xx...xx ..xx...xx ..xx...xx ..xx...xx ..xx...xx'],
  ['upload-file', '.xxx...xx .xxx...xx .xxx...xx ......... .........'],
]
const TYPES = ['messaging', 'team', 'commerce', 'livestream', 'gaming'] as const

type Role = { readonly appRole: string; readonly channelRole?: string; readonly isCreator?: boolean }
const ROLES: readonly (readonly [who: string, standing: Role])[] = [
  ['a user who is no member', { appRole: 'user' }],
  ['a member', { appRole: 'user', channelRole: 'channel_member' }],
  ['a channel moderator', { appRole: 'user', channelRole: 'channel_moderator' }],
  ['the creator', { appRole: 'user', channelRole: 'channel_member', isCreator: true }],
  ['a guest', { appRole: 'guest' }],
  ['a guest who is a member', { appRole: 'guest', channelRole: 'channel_member' }],
  ['an anonymous user', { appRole: 'anonymous' }],
  ['a moderator of the app', { appRole: 'moderator' }],
  ['an admin', { appRole: 'admin' }],
]

type State = {
  readonly frozen?: boolean
  readonly banned?: boolean
  readonly cooldown?: number
  readonly off?: string[]
}

function shown(type: string, { appRole, channelRole, isCreator = false }: Role, state: State = {}): string[] {
  const flags = CHANNEL_TYPES[type]
  if (!flags) throw new Error(`no type ${type}`)
  const all = capabilitiesOf({
    type,
    appRole,
    channelRole,
    isCreator,
    isPrivate: false,
    frozen: state.frozen ?? false,
    banned: state.banned ?? false,
    cooldown: state.cooldown ?? 0,
    flags: { ...flags, ...Object.fromEntries((state.off ?? []).map((name) => [name, false])) },
  })
  return CAPABILITIES.filter((name) => all.has(name))
}

/** The capabilities that the table gives a user. */
function granted(typeAt: number, roleAt: number): string[] {
  return TABLE.filter(([, marks]) => marks.split(' ')[typeAt]?.[roleAt] === 'x').map(([name]) => name)
}

const places = TYPES.flatMap((type, typeAt) =>
  ROLES.map(([who, role], at) => [who, type, role, granted(typeAt, at)] as const),
)

test('every name has a line, except the one that is not a capability', () => {
  expect([...TABLE.map(([name]) => name), 'slow-mode'].toSorted()).toEqual(CAPABILITIES)
})

describe('as in the channel', () => {
  test.each(places)('%s in %s', (_who, type, role, names) => {
    expect(shown(type, role)).toEqual(names)
  })
})

/** See docs/wire.md 5.5 "a frozen channel loses". */
const FROZEN_TAKES = new Set(
  'send-message send-reply send-links send-reaction send-poll quote-message pin-message create-attachment'.split(' '),
)
describe('frozen', () => {
  test.each(places)('%s in %s', (_who, type, role, names) => {
    const left = role.appRole === 'admin' ? names : names.filter((name) => !FROZEN_TAKES.has(name))
    expect(shown(type, role, { frozen: true })).toEqual(left)
  })
})

/** See docs/wire.md 8.14 "banned users cannot send, react, create but can read". */
const BAN_LEAVES = new Set(
  `read-events typing-events connect-events delivery-events search-messages query-poll-votes delete-own-message
   leave-channel flag-message mute-channel`.split(/\s+/),
)
describe('banned', () => {
  test.each(places)('%s in %s', (_who, type, role, names) => {
    expect(shown(type, role, { banned: true })).toEqual(names.filter((name) => BAN_LEAVES.has(name)))
  })
})

describe('in slow mode', () => {
  test.each(places)('%s in %s', (_who, type, role, names) => {
    const exempt = names.includes('skip-slow-mode')
    expect(shown(type, role, { cooldown: 5 })).toEqual(exempt ? names : [...names, 'slow-mode'].toSorted())
  })
})

/** The capabilities that need a feature of the channel. See docs/wire.md 5.5, column "also needs flag". */
const NEEDS: readonly (readonly [flag: string, names: string])[] = [
  ['read_events', 'read-events'],
  ['typing_events', 'typing-events send-typing-events'],
  ['connect_events', 'connect-events'],
  ['delivery_events', 'delivery-events'],
  ['replies', 'send-reply'],
  ['quotes', 'quote-message'],
  ['reactions', 'send-reaction'],
  ['uploads', 'upload-file create-attachment'],
  ['polls', 'send-poll cast-poll-vote query-poll-votes'],
  ['shared_locations', 'share-location'],
  ['search', 'search-messages'],
  ['mutes', 'mute-channel'],
  ['custom_events', 'send-custom-events'],
]
test.each(NEEDS)('without the feature %s no one has %s', (flag, names) => {
  for (const [, type, role, before] of places) {
    const left = before.filter((name) => !names.split(' ').includes(name))
    expect(shown(type, role, { off: [flag] })).toEqual(left)
  }
})

describe('responses contain the capabilities of the table', () => {
  const room = openRoom(['ann', 'bob', 'mod', 'eve'])
  afterAll(() => room.close())
  const params = { type: 'messaging', id: 'room' }
  room.done('UpdateUsers', ADMIN, { body: { users: { boss: { role: 'admin' }, chief: { role: 'moderator' } } } })
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob', 'mod'] } } })
  room.done('UpdateChannel', 'ann', { params, body: { add_moderators: ['mod'] } })
  const own = (who: string) =>
    room.done<{ channel: { own_capabilities: string[] } }>('GetChannel', who, { params }).channel.own_capabilities
  const PEOPLE = [
    ['bob', 1],
    ['mod', 2],
    ['ann', 3],
    ['chief', 7],
    ['boss', 8],
  ] as const
  test.each(PEOPLE)('of %s, queried, listed and after an update', (who, at) => {
    expect(own(who)).toEqual(granted(0, at))
    const listed = room.done<{ channels: { channel: { own_capabilities: string[] } }[] }>('QueryChannels', who, {
      body: { filter_conditions: { cid: 'messaging:room' } },
    })
    expect(listed.channels.map(({ channel }) => channel.own_capabilities)).toEqual([granted(0, at)])
    if (!granted(0, at).includes('update-channel')) return
    const changed = room.done<{ channel: { own_capabilities: string[] } }>('UpdateChannelPartial', who, {
      params,
      body: {},
    })
    expect(changed.channel.own_capabilities).toEqual(granted(0, at))
  })
  test('of a frozen channel, a banned member and a member muted by others', () => {
    room.done('UpdateChannelPartial', 'ann', { params, body: { set: { frozen: true } } })
    expect(own('bob')).toEqual(granted(0, 1).filter((name) => !FROZEN_TAKES.has(name)))
    room.done('UpdateChannelPartial', 'ann', { params, body: { set: { frozen: false } } })
    room.done('MuteUser', 'ann', { body: { target_id: 'bob' } })
    expect(own('bob')).toEqual(granted(0, 1))
    room.done('Ban', 'ann', { body: { target_user_id: 'bob', channel_cid: 'messaging:room' } })
    expect(own('bob')).toEqual(granted(0, 1).filter((name) => BAN_LEAVES.has(name)))
    room.done('Unban', 'ann', { query: { target_user_id: 'bob', channel_cid: 'messaging:room' } })
    room.done('Ban', 'ann', { body: { target_user_id: 'bob', channel_cid: 'messaging:room', shadow: true } })
    expect(own('bob')).toEqual(granted(0, 1))
  })
  test('events contain no capabilities', () => {
    const bob = room.listen('bob')
    room.done('GetOrCreateChannel', 'bob', {
      params,
      query: { connection_id: bob.connectionId },
      body: { watch: true },
    })
    bob.takeEvents()
    room.done('UpdateChannelPartial', 'ann', { params, body: { set: { color: 'red' } } })
    const events = bob.takeEvents()
    expect(events.length).toBeGreaterThan(0)
    expect(JSON.stringify(events).includes('own_capabilities')).toBe(false)
  })
})
