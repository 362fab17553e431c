import { expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { messageById } from '#main/server/messages/message-table.ts'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { ADMIN, openRoom, undone, type Listener, type Room } from '../room.ts'

/**
 * Whatever people do in any order, undone or not, a list of channels that is made of what was kept is the one that is
 * made of rows alone.
 */
const ONE = { type: 'team', id: 'one' }
const TWO = { type: 'messaging', id: 'two' }
const PEOPLE = ['ann', 'bob', 'cat']
const VIEWERS = [...PEOPLE, 'root']

function madeRoom(): Room {
  const room = openRoom(PEOPLE)
  for (const [params, members] of [
    [ONE, PEOPLE],
    [TWO, ['ann', 'bob']],
  ] as const)
    room.done('GetOrCreateChannel', ADMIN, { params, body: { data: { members, created_by_id: 'root' } } })
  room.done('CreateUserGroup', ADMIN, { body: { id: 'all', name: 'All', member_ids: PEOPLE } })
  for (const userId of PEOPLE) room.done('CreateDevice', userId, { body: { id: 'd', push_provider: 'apn' } })
  return room
}

/** What one action is given: whom it is by, whom it is about, where it happens, and to which message. */
type Given = {
  readonly who: string
  readonly other: string
  readonly params: typeof ONE
  readonly id: string
  readonly fresh: string
  /** A few seconds from now. */
  readonly soon: string
}
type Act = (room: Room, given: Given) => unknown

const cidOf = ({ type, id }: typeof ONE): string => `${type}:${id}`
const send =
  (message: (given: Given) => Json): Act =>
  (room, given) => {
    const { who, params, fresh } = given
    return room.ask('SendMessage', who, {
      params,
      body: { message: { id: fresh, text: `text ${fresh}`, ...message(given) } },
    })
  }
const by =
  (operation: string, call: (given: Given) => Parameters<Room['ask']>[2]): Act =>
  (room, given) =>
    room.ask(operation, given.who, call(given))
const admin =
  (operation: string, call: (given: Given) => Parameters<Room['ask']>[2]): Act =>
  (room, given) =>
    room.ask(operation, ADMIN, call(given))

const file = `http://127.0.0.1:9999/files/${'a'.repeat(32)}/a.png`

const MESSAGES: readonly Act[] = [
  send(() => ({})),
  send(({ other }) => ({ text: `zażółć <b>@${other}</b>`, mentioned_users: [other], color: 'red' })),
  send(() => ({ attachments: [{ type: 'image', image_url: file, title: 'żółw "a"' }] })),
  send(() => ({ attachments: [{ type: 'file', asset_url: 'https://example.org/files/x' }] })),
  send(({ id }) => ({ parent_id: id })),
  send(({ id }) => ({ parent_id: id, show_in_channel: true })),
  send(({ id }) => ({ quoted_message_id: id })),
  send(() => ({ mentioned_group_ids: ['all'] })),
  send(({ other }) => ({ restricted_visibility: [other] })),
  send(({ soon }) => ({ silent: true, pinned: true, pin_expires: soon })),
  send(() => ({
    shared_location: { latitude: 1, longitude: 2, created_by_device_id: 'd', end_at: '2100-01-01T00:00:00Z' },
  })),
  by('UpdateLiveLocation', ({ id, fresh }) => ({ body: { message_id: id, latitude: fresh.length } })),
  (room, given) => {
    const poll = { id: `poll-${given.fresh}`, name: 'Which?', options: [{ id: 'yes', text: 'Yes' }] }
    room.ask('CreatePoll', given.who, { body: poll })
    return send(() => ({ poll_id: poll.id }))(room, given)
  },
  by('CastPollVote', ({ id }) => ({
    params: { messageId: id, pollId: `poll-${id}` },
    body: { vote: { option_id: 'yes' } },
  })),
  by('UpdateMessagePartial', ({ id, fresh }) => ({ params: { id }, body: { set: { text: `changed ${fresh}` } } })),
  by('UpdateMessagePartial', ({ id }) => ({ params: { id }, body: { set: { pinned: true, size: 3 } } })),
  by('UpdateMessagePartial', ({ id, soon }) => ({
    params: { id },
    body: { set: { pinned: true, pin_expires: soon } },
  })),
  by('UpdateMessagePartial', ({ id }) => ({ params: { id }, body: { set: { pinned: false } } })),
  by('DeleteMessage', ({ id }) => ({ params: { id } })),
  by('DeleteMessage', ({ id }) => ({ params: { id }, query: { delete_for_me: 'true' } })),
  admin('DeleteMessage', ({ id }) => ({ params: { id }, query: { hard: 'true' } })),
  admin('UndeleteMessage', ({ id }) => ({ params: { id }, body: {} })),
  by('SendReaction', ({ id }) => ({ params: { id }, body: { reaction: { type: 'like' } } })),
  by('SendReaction', ({ id }) => ({ params: { id }, body: { reaction: { type: 'wow' }, enforce_unique: true } })),
  by('DeleteReaction', ({ id }) => ({ params: { id, type: 'like' } })),
  by('CreateReminder', ({ id, soon }) => ({ params: { id }, body: { remind_at: soon } })),
  by('DeleteReminder', ({ id }) => ({ params: { id } })),
  by('CreateDraft', ({ params, id }) => ({ params, body: { message: { text: 'later', parent_id: id } } })),
  by('DeleteDraft', ({ params, id }) => ({ params, query: { parent_id: id } })),
  by('CreateDraft', ({ params }) => ({ params, body: { message: { text: 'later' } } })),
  by('DeleteDraft', ({ params }) => ({ params })),
]

const PLACES: readonly Act[] = [
  by('MarkRead', ({ params }) => ({ params, body: {} })),
  by('MarkRead', ({ params, id }) => ({ params, body: { thread_id: id } })),
  by('MarkUnread', ({ params, id }) => ({ params, body: { message_id: id } })),
  by('MarkDelivered', ({ params, id }) => ({ body: { latest_delivered_messages: [{ cid: cidOf(params), id }] } })),
  by('MuteChannel', ({ params }) => ({ body: { channel_cid: cidOf(params), expiration: 5_000 } })),
  by('UnmuteChannel', ({ params }) => ({ body: { channel_cid: cidOf(params) } })),
  by('HideChannel', ({ params }) => ({ params, body: { clear_history: true } })),
  by('ShowChannel', ({ params }) => ({ params, body: {} })),
  by('UpdateMemberPartial', ({ who, params, fresh }) => ({
    params: { ...params, userId: who },
    body: { set: { pinned: true, color: fresh } },
  })),
  by('UpdateMemberPartial', ({ who, params }) => ({
    params: { ...params, userId: who },
    body: { set: { archived: true } },
  })),
  by('BlockUsers', ({ other }) => ({ body: { blocked_user_id: other } })),
  by('UnblockUsers', ({ other }) => ({ body: { blocked_user_id: other } })),
  admin('UpdateChannel', ({ params, other }) => ({ params, body: { remove_members: [other], user_id: 'root' } })),
  admin('UpdateChannel', ({ params, other }) => ({ params, body: { add_members: [other], user_id: 'root' } })),
  admin('UpdateChannel', ({ params, other }) => ({ params, body: { add_moderators: [other], user_id: 'root' } })),
  admin('UpdateChannel', ({ params, other }) => ({ params, body: { demote_moderators: [other], user_id: 'root' } })),
  admin('TruncateChannel', ({ params }) => ({ params, body: { user_id: 'root' } })),
  admin('Ban', ({ params, other }) => ({
    body: { target_user_id: other, channel_cid: cidOf(params), shadow: true, banned_by_id: 'root', timeout: 1 },
  })),
  admin('Ban', ({ other }) => ({
    body: { target_user_id: other, delete_messages: 'soft', banned_by_id: 'root', timeout: 1 },
  })),
  admin('Unban', ({ other }) => ({ query: { target_user_id: other } })),
  admin('Unban', ({ params, other }) => ({ query: { target_user_id: other, channel_cid: cidOf(params) } })),
  admin('UpdateUsersPartial', ({ other, fresh }) => ({
    body: { users: [{ id: other, set: { name: `Ż ${fresh}`, image: file, invisible: fresh.endsWith('1') } }] },
  })),
  admin('UpdateUserGroup', ({ fresh }) => ({ params: { id: 'all' }, body: { name: `All ${fresh}` } })),
]

/** People come and go; what is due happens. */
const AROUND: readonly ((room: Room, userId: string, online: Map<string, Listener>) => void)[] = [
  (room, userId, online) => void online.set(userId, online.get(userId) ?? room.listen(userId)),
  (room, userId, online) => {
    const connection = room.server.services.hub.byId(online.get(userId)?.connectionId ?? '')
    if (connection) room.server.services.hub.remove(connection)
    online.delete(userId)
  },
  (room) => room.done('UpdateApp', ADMIN, { body: { name: `of ${room.clock.now()}` } }),
]

function lists(room: Room): readonly Json[] {
  return VIEWERS.flatMap((userId) => {
    const body = { filter_conditions: { cid: { $in: [cidOf(ONE), cidOf(TWO)] } }, message_limit: 25, member_limit: 10 }
    return [room.ask('QueryChannels', userId, { body }).reply, room.ask('GetChannel', userId, { params: ONE }).reply]
  })
}

/** A script may change anything: it clears every cache of the database. */
function listsOfRows(room: Room): readonly Json[] {
  room.server.services.db.exec('')
  return lists(room)
}

/** A message in a list is the one that its own call gives to the same person. */
function expectAsAlone(room: Room): void {
  const body = { filter_conditions: { cid: { $in: [cidOf(ONE), cidOf(TWO)] } }, message_limit: 25 }
  for (const userId of VIEWERS) {
    const { channels = [] } = room.ask('QueryChannels', userId, { body }).reply as { channels?: { messages: Json[] }[] }
    for (const message of channels.flatMap(({ messages }) => messages)) {
      const { reply } = room.ask('GetMessage', userId, { params: { id: String(message['id']) } })
      const { channel: _channel, ...alone } = reply['message'] as Json
      expect(message).toEqual(JSON.parse(JSON.stringify(alone)))
    }
  }
}

test.each<[string, string, Parameters<Room['ask']>[2], Json]>([
  [
    'a draft in its thread',
    'CreateDraft',
    { params: ONE, body: { message: { text: 'later', parent_id: 'm1' } } },
    { draft: expect.anything() },
  ],
  [
    'a reaction',
    'SendReaction',
    { params: { id: 'm1' }, body: { reaction: { type: 'like' } } },
    { own_reactions: [expect.anything()] },
  ],
  ['a reminder', 'CreateReminder', { params: { id: 'm1' }, body: {} }, { reminder: expect.anything() }],
  [
    'a deletion for oneself',
    'DeleteMessage',
    { params: { id: 'm1' }, query: { delete_for_me: 'true' } },
    { type: 'deleted' },
  ],
])('a message that was sent to others before shows %s to whom it is of', (_name, operation, call, shown) => {
  const room = madeRoom()
  const messageFor = (userId: string): unknown =>
    room.done<{ messages: unknown[] }>('GetChannel', userId, { params: ONE }).messages[0]
  try {
    room.done('SendMessage', 'bob', { params: ONE, body: { message: { id: 'm1', text: 'hello' } } })
    for (const userId of PEOPLE) messageFor(userId)
    room.done(operation, 'ann', call)
    for (const _again of [1, 2]) {
      expect(messageFor('cat')).not.toMatchObject(shown)
      expect(messageFor('ann')).toMatchObject(shown)
    }
  } finally {
    room.close()
  }
})

test('a pin that has ended is not shown to those who saw it, whenever its row is changed', async () => {
  const room = madeRoom()
  const isPinned = (): unknown =>
    room.done<{ messages: Json[] }>('GetChannel', 'ann', { params: ONE }).messages[0]?.['pinned']
  try {
    const message = { id: 'm1', text: 'x', pinned: true, pin_expires: new Date(room.clock.now() + 500).toISOString() }
    room.done('SendMessage', 'ann', { params: ONE, body: { message } })
    expect(isPinned()).toBe(true)
    await room.clock.advance(600)
    expect(
      room.server.services.db.get("SELECT 1 FROM messages WHERE id = 'm1' AND pinned_at IS NOT NULL"),
    ).toBeDefined()
    expect(isPinned()).toBe(false)
  } finally {
    room.close()
  }
})

test('a shadow ban is shown to whoever moderates and to nobody else, whoever asks first', () => {
  const room = madeRoom()
  const shownTo = (userId: string): unknown =>
    room
      .done<{ members: Json[] }>('GetChannel', userId, { params: ONE })
      .members.find((member) => member['user_id'] === 'bob')?.['shadow_banned']
  try {
    const ban = { target_user_id: 'bob', channel_cid: cidOf(ONE), shadow: true, banned_by_id: 'root' }
    room.done('Ban', ADMIN, { body: ban })
    expect(shownTo('ann')).toBe(false)
    expect(shownTo('root')).toBe(true)
    expect(shownTo('ann')).toBe(false)
  } finally {
    room.close()
  }
})

test(
  'a list of channels is the one that is made of rows alone, after any actions, some of them undone',
  { timeout: PATIENCE_MS },
  async () => {
    for (const seed of seedsOf('lists of channels after actions in any order', { fixed: 1, fresh: 1, long: 300 }))
      expect(await failuresAfterActions(seed)).toEqual([])
  },
)

/** Checks the room after each step; what its server failed at. */
async function failuresAfterActions(seed: number): Promise<readonly unknown[]> {
  const room = madeRoom()
  const { db } = room.server.services
  const ids = seededIds(seed)
  const of = <T>(items: readonly T[]): T => items[Math.floor(ids.random() * items.length)] as T
  const sent: string[] = ['none']
  let made = 0
  const online = new Map<string, Listener>()
  const act = (): void => {
    const fresh = `m${made}`
    const id = of(sent.slice(-8))
    const soon = new Date(room.clock.now() + 5_000).toISOString()
    const who = of([...PEOPLE, messageById(db, id)?.user_id ?? 'ann'])
    const given = { who, other: of(PEOPLE), params: of([ONE, ONE, TWO]), id, fresh, soon }
    of(of([MESSAGES, MESSAGES, MESSAGES, PLACES]))(room, given)
    if (messageById(db, fresh)) sent.push(fresh)
    made += 1
  }
  try {
    for (let turn = 0; turn < 80; turn += 1) {
      if (of([true, false, false])) await room.clock.advance(of([1, 700, 70_000]))
      if (of([true, false, false, false])) of(AROUND)(room, of(PEOPLE), online)
      lists(room)
      const steps = of([1, 1, 2, 4])
      const isUndone = of([true, false, false, false])
      const run = (): void => {
        for (let count = 0; count < steps; count += 1) {
          act()
          // What is read of what is undone later is not kept.
          if (isUndone) lists(room)
        }
      }
      if (isUndone) undone(room, run)
      else run()
      const kept = lists(room)
      expect(kept, `turn ${turn}: ${replayLine('tests/contract/channels/kept-lists-any-order', seed)}`).toEqual(
        listsOfRows(room),
      )
      if (turn % 5 === 0) expectAsAlone(room)
    }
    return room.server.failures
  } finally {
    room.close()
  }
}
