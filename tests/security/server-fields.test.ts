import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import type { Caller, Call } from '../contract/in-process.ts'
import { ADMIN, openRoom, type Room } from '../contract/room.ts'

/** Fields that a client may not set: they are ignored, whichever way they come. A server token may set them. */
let room: Room
const ONE = { type: 'messaging', id: 'one' }

beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('GetOrCreateChannel', 'ann', { params: ONE, body: { data: { members: ['ann', 'bob', 'eve'] } } })
  const poll = { id: 'poll', name: 'Lunch?', options: [{ id: 'yes', text: 'Yes' }] }
  room.done('CreatePoll', 'bob', { body: poll })
  for (const message of [{ id: 'mine' }, { id: 'polled', poll_id: 'poll' }, { id: 'reply', parent_id: 'mine' }]) {
    room.done('SendMessage', 'bob', { params: ONE, body: { message: { text: 'x', ...message } } })
  }
})
afterAll(() => room.close())

const FORGED = 'FORGED'
const YEAR_2001 = '2001-01-01T00:00:00Z'
const someone = { id: 'eve', name: FORGED, role: 'admin' }
/** Keys that only the server sets, on every object. */
const EVERYWHERE = {
  user: someone,
  user_id: 'eve',
  created_at: YEAR_2001,
  updated_at: YEAR_2001,
  deleted_at: YEAR_2001,
}

const MESSAGE = {
  ...EVERYWHERE,
  type: 'deleted',
  cid: `messaging:${FORGED}`,
  html: FORGED,
  shadowed: true,
  pinned_at: YEAR_2001,
  pinned_by: someone,
  reply_count: 99,
  deleted_reply_count: 99,
  thread_participants: [someone],
  latest_reactions: [{ type: FORGED }],
  own_reactions: [{ type: FORGED }],
  reaction_groups: { [FORGED]: { count: 9 } },
  reaction_counts: { [FORGED]: 9 },
  reaction_scores: { [FORGED]: 9 },
  quoted_message: { id: 'x', text: FORGED },
  poll: { id: 'x', name: FORGED },
  reminder: { message_id: FORGED },
  draft: { message: { text: FORGED } },
  command: FORGED,
  args: FORGED,
  command_info: { name: FORGED },
  i18n: { language: FORGED },
  moderation: { action: FORGED },
  moderation_details: { action: FORGED },
  member: { channel_role: FORGED },
  channel: { id: FORGED },
  mentioned_groups: [{ id: FORGED }],
  message_text_updated_at: YEAR_2001,
  deleted_for_me: true,
  pending: true,
}
const MEMBER = {
  ...EVERYWHERE,
  role: 'admin',
  banned: true,
  shadow_banned: true,
  is_moderator: true,
  invited: true,
  status: FORGED,
  ban_expires: YEAR_2001,
  invite_accepted_at: YEAR_2001,
  invite_rejected_at: YEAR_2001,
  pinned_at: YEAR_2001,
  archived_at: YEAR_2001,
  notifications_muted: true,
  deleted_messages: [FORGED],
}
const CHANNEL = {
  created_by: someone,
  created_by_id: 'eve',
  created_at: YEAR_2001,
  updated_at: YEAR_2001,
  deleted_at: YEAR_2001,
  last_message_at: YEAR_2001,
  truncated_at: YEAR_2001,
  truncated_by: someone,
  truncated_by_id: 'eve',
  member_count: 99,
  message_count: 99,
  cid: `messaging:${FORGED}`,
  config: { name: FORGED },
  own_capabilities: [FORGED],
  hidden: true,
  muted: true,
  hide_messages_before: YEAR_2001,
}
const USER = {
  created_at: YEAR_2001,
  updated_at: YEAR_2001,
  deleted_at: YEAR_2001,
  deactivated_at: YEAR_2001,
  last_active: YEAR_2001,
  role: 'admin',
  roles: [FORGED],
  banned: true,
  shadow_banned: true,
  ban_expires: YEAR_2001,
  teams: [FORGED],
  teams_role: { [FORGED]: 'admin' },
  online: FORGED,
  revoke_tokens_issued_before: YEAR_2001,
  mutes: [FORGED],
  devices: [FORGED],
  blocked_user_ids: [FORGED],
  total_unread_count: 99,
  avg_response_time: 99,
}
const POLL = {
  created_at: YEAR_2001,
  updated_at: YEAR_2001,
  created_by: someone,
  created_by_id: 'eve',
  vote_count: 99,
  vote_counts_by_option: { [FORGED]: 9 },
  answers_count: 99,
  latest_answers: [FORGED],
  latest_votes_by_option: { [FORGED]: [] },
  own_votes: [FORGED],
}
const OPTION = { text: 'Other', vote_count: 99, votes: [FORGED], position: 99, created_at: YEAR_2001, poll_id: FORGED }
const THREAD = {
  created_by_user_id: 'eve',
  created_by: someone,
  channel_cid: FORGED,
  parent_message_id: FORGED,
  parent_message: { text: FORGED },
  participant_count: 99,
  active_participant_count: 99,
  thread_participants: [someone],
  latest_replies: [FORGED],
  deleted_at: YEAR_2001,
}

type Forgery = readonly [where: string, operation: string, call: Call]
const own = { params: { id: 'mine' } }
const message = (more: Json) => ({ params: ONE, body: { message: { text: 'hello', ...more } } })
const FORGERIES: readonly Forgery[] = [
  ['a new message', 'SendMessage', message(MESSAGE)],
  ['a new message, nested', 'SendMessage', message({ custom: MESSAGE })],
  ['an edit', 'UpdateMessage', { ...own, body: { message: { text: 'y', ...MESSAGE } } }],
  ['an edit in part', 'UpdateMessagePartial', { ...own, body: { set: MESSAGE } }],
  ['an edit in part, nested', 'UpdateMessagePartial', { ...own, body: { set: { custom: MESSAGE } } }],
  ['a draft', 'CreateDraft', message(MESSAGE)],
  ['a reaction', 'SendReaction', { ...own, body: { reaction: { type: 'like', message_id: FORGED, ...EVERYWHERE } } }],
  ['the own membership', 'UpdateMemberPartial', { params: ONE, body: { set: MEMBER } }],
  ['the own membership, nested', 'UpdateMemberPartial', { params: ONE, body: { set: { custom: MEMBER } } }],
  ['oneself', 'UpdateUsers', { body: { users: { bob: USER } } }],
  ['oneself, nested', 'UpdateUsers', { body: { users: { bob: { custom: USER } } } }],
  ['oneself in part', 'UpdateUsersPartial', { body: { users: [{ id: 'bob', set: USER }] } }],
  ['a guest', 'CreateGuest', { body: { user: { id: 'visitor', ...USER } } }],
  [
    'a new channel',
    'GetOrCreateChannel',
    { params: { type: 'messaging', id: 'fresh' }, body: { data: { members: ['bob', 'eve'], ...CHANNEL } } },
  ],
  [
    'a new channel, nested',
    'GetOrCreateChannel',
    { params: { type: 'messaging', id: 'nested' }, body: { data: { members: ['bob', 'eve'], custom: CHANNEL } } },
  ],
  [
    'members of a new channel',
    'GetOrCreateChannel',
    {
      params: { type: 'messaging', id: 'people' },
      body: { data: { members: [{ ...MEMBER, user: undefined, user_id: 'bob' }, 'eve'] } },
    },
  ],
  ['a new poll', 'CreatePoll', { body: { name: 'Tea?', ...POLL, options: [{ ...OPTION }] } }],
  ['an option', 'CreatePollOption', { params: { pollId: 'poll' }, body: OPTION }],
  ['a thread', 'UpdateThreadPartial', { params: { messageId: 'mine' }, body: { set: THREAD } }],
  ['a device', 'CreateDevice', { body: { id: 'd', push_provider: 'apn', ...EVERYWHERE } }],
]

/** Every key of a response, at any depth, with its value. */
function pairs(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [[key, each] as [string, unknown], ...pairs(each)])
}

const forgedIn = (value: unknown): string[] =>
  pairs(value).flatMap(([key, each]) => (key.includes(FORGED) || String(each).includes(FORGED) ? [key] : []))

describe('a client cannot set', () => {
  test.each(FORGERIES)('%s (%s)', (_where, operation, call) => {
    const { code, reply } = room.ask(operation, 'bob', call)
    expect(code).toBeUndefined()
    expect(forgedIn(reply)).toEqual([])
    const notified = pairs(reply)
    expect(notified.filter(([, value]) => typeof value === 'string' && value.startsWith('2001-'))).toEqual([])
    expect(notified.filter(([, value]) => value === 99)).toEqual([])
    expect(
      notified.filter(
        ([key, value]) => ['banned', 'shadow_banned', 'shadowed', 'deleted_for_me'].includes(key) && value === true,
      ),
    ).toEqual([])
    expect(notified.filter(([key, value]) => key === 'role' && value === 'admin')).toEqual([])
  })
  test('the sender of a message is its author', () => {
    const sent = room.done<{ message: { type: string; user: { id: string }; pinned: boolean } }>(
      'SendMessage',
      'bob',
      message(MESSAGE),
    ).message
    expect(sent.user.id).toBe('bob')
    expect(sent.type).toBe('regular')
    expect(sent.pinned).toBe(false)
  })
})

type Message = { id: string; type: string; user: { id: string }; silent: boolean; pinned: boolean; html: string }
const send = (who: Caller | string, more: Json, beside: Json = {}) =>
  room.ask('SendMessage', who, { params: ONE, body: { message: { text: 'hello', ...more }, ...beside } })
const sentBy = (who: Caller | string, more: Json, beside: Json = {}) => {
  const { code, reply } = send(who, more, beside)
  return code === undefined ? (reply['message'] as Message) : code
}

describe('fields a message may set', () => {
  test('a system message needs permission to manage the channel, and is an ordinary one otherwise', () => {
    expect(sentBy('bob', { type: 'system' })).toMatchObject({ type: 'regular' })
    expect(sentBy('ann', { type: 'system' })).toMatchObject({ type: 'system' })
    for (const type of ['deleted', 'ephemeral', 'error', 'reply']) {
      expect(sentBy('ann', { type })).toMatchObject({ type: 'regular' })
    }
  })
  test('anyone may send silently', () => {
    expect(sentBy('bob', { silent: true })).toMatchObject({ silent: true })
  })
  test('a pin needs the permission to pin, by every endpoint', () => {
    room.done('GetOrCreateChannel', 'ann', {
      params: { type: 'commerce', id: 'shop' },
      body: { data: { members: ['ann', 'bob'] } },
    })
    const shop = { type: 'commerce', id: 'shop' }
    const there = (body: Json) => room.ask('SendMessage', 'bob', { params: shop, body: { message: body } }).code
    expect(there({ id: 'plain', text: 'x' })).toBeUndefined()
    expect(there({ text: 'x', pinned: true })).toBe(17)
    const mine = { params: { id: 'plain' } }
    const full = { message: { text: 'x', pinned: true } }
    expect(room.ask('UpdateMessage', 'bob', { ...mine, body: full }).code).toBe(17)
    for (const set of [{ pinned: true }, { pinned: true, text: 'y' }]) {
      expect(room.ask('UpdateMessagePartial', 'bob', { ...mine, body: { set } }).code).toBe(17)
    }
    room.done('UpdateMessagePartial', 'ann', {
      ...mine,
      body: { set: { pinned: true, pin_expires: '2100-01-01T00:00:00Z' } },
    })
    const earlier = { set: { pin_expires: '2090-01-01T00:00:00Z' } }
    expect(room.ask('UpdateMessagePartial', 'bob', { ...mine, body: earlier }).code).toBe(17)
    const whole = { message: { text: 'y', pinned: true, pin_expires: '2100-01-01T00:00:00.000Z' } }
    expect(room.ask('UpdateMessage', 'bob', { ...mine, body: whole }).code).toBe(undefined)
  })
  test('an edit adds nothing its author could not send', () => {
    room.done('UpdateUsers', ADMIN, { body: { users: { visitor: { role: 'guest' } } } })
    room.done('UpdateChannel', 'ann', { params: ONE, body: { add_members: ['visitor'] } })
    room.done('SendMessage', 'visitor', { params: ONE, body: { message: { id: 'guests', text: 'hi' } } })
    const edit = (set: Json) =>
      room.ask('UpdateMessagePartial', 'visitor', { params: { id: 'guests' }, body: { set } }).code
    expect(edit({ text: 'hello' })).toBeUndefined()
    expect(edit({ text: 'https://example.org' })).toBe(17)
    expect(edit({ attachments: [{ type: 'image' }] })).toBe(17)
  })
})

describe('what only an administrator may set on a channel', () => {
  const grants = { config_overrides: { grants: { channel_member: ['delete-any-message'] } } }
  const fresh = (id: string, data: Json) =>
    room.ask('GetOrCreateChannel', 'bob', {
      params: { type: 'messaging', id },
      body: { data: { members: ['bob', 'eve'], ...data } },
    }).code
  test('its own grants, on creation and afterwards', () => {
    expect(fresh('wide', grants)).toBe(17)
    expect(room.ask('UpdateChannelPartial', 'ann', { params: ONE, body: { set: grants } }).code).toBe(17)
    expect(room.ask('UpdateChannel', 'ann', { params: ONE, body: { data: grants } }).code).toBe(17)
  })
  test.each([{ blocklist: 'none' }, { blocklist_behavior: 'flag' }, { commands: [] }])(
    'looser rules: %o',
    (config_overrides) => {
      expect(fresh(`loose-${Object.keys(config_overrides)[0]}`, { config_overrides })).toBe(17)
    },
  )
  test.each(['admin', 'moderator', 'owner', 'user', 'nonsense'])('%s is not a role in a channel', (channel_role) => {
    expect(fresh(`role-${channel_role}`, { members: [{ user_id: 'bob', channel_role }, 'eve'] })).toBe(4)
    const roles = { assign_roles: [{ user_id: 'eve', channel_role }] }
    expect(room.ask('UpdateChannel', 'ann', { params: ONE, body: roles }).code).toBe(4)
    const added = { add_members: [{ user_id: 'guest', channel_role }] }
    expect(room.ask('UpdateChannel', 'ann', { params: ONE, body: added }).code).not.toBe(undefined)
  })
})

describe('what a server token may set', () => {
  const AUTHORS: readonly (readonly [where: string, message: Json, beside: Json])[] = [
    ['in the message', { user_id: 'bob' }, {}],
    ['in the message, as a user', { user: { id: 'bob' } }, {}],
    ['beside it', {}, { user_id: 'bob' }],
    ['beside it, as a user', {}, { user: { id: 'bob' } }],
  ]
  test.each(AUTHORS)('the author of a message, %s', (_where, more, beside) => {
    expect(sentBy(ADMIN, more, beside)).toMatchObject({ user: { id: 'bob' } })
  })
  test('a missing user is refused, and so is a name that is not a user id; an unknown user is created', () => {
    expect(sentBy(ADMIN, {})).toBe(4)
    expect(sentBy(ADMIN, { user_id: 'no such/id' })).toBe(4)
    expect(sentBy(ADMIN, { user_id: 'ghost' })).toMatchObject({ user: { id: 'ghost', role: 'user' } })
    expect(room.server.failures).toEqual([])
  })
  test('the user who reacts, roles, teams, and the grants of a channel type', () => {
    const reacted = room.done<{ reaction: { user_id: string } }>('SendReaction', ADMIN, {
      ...own,
      body: { reaction: { type: 'wow', user_id: 'eve' } },
    })
    expect(reacted.reaction.user_id).toBe('eve')
    const users = room.done<{ users: Record<string, Json> }>('UpdateUsers', ADMIN, {
      body: { users: { zed: { role: 'moderator', teams: ['red'] } } },
    })
    expect(users.users['zed']).toMatchObject({ role: 'moderator', teams: ['red'] })
  })
})

describe('an event of a client', () => {
  const event = (input: Json) => room.ask('SendEvent', 'bob', { params: ONE, body: { event: input } })
  const RESERVED = [
    'message.new',
    'channels.queried',
    'connection.recovered',
    'transport.changed',
    'notification.mutes_updated',
    'user.banned',
    'health.check',
    'capabilities.changed',
    'offline_reactions.queried',
    'live_location_sharing.started',
    'app.updated',
  ]
  test.each(RESERVED)('is not a %s', (type) => {
    expect(event({ type }).code).toBe(18)
  })
  test('contains no fields that clients trust the server for', () => {
    const forged = {
      me: FORGED,
      own_capabilities: [FORGED],
      total_unread_count: FORGED,
      message: FORGED,
      channel: FORGED,
      user: someone,
      cid: FORGED,
      created_at: FORGED,
    }
    for (const type of ['party', 'typing.start']) {
      const { code, reply } = event({ type, ...forged, extra: 'kept' })
      expect(code).toBeUndefined()
      expect(JSON.stringify(reply).includes(FORGED)).toBe(false)
      expect((reply['event'] as Json)['extra']).toBe(type === 'party' ? 'kept' : undefined)
    }
  })
})
