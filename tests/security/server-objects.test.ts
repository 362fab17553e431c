import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import type { Caller, Call } from '../contract/in-process.ts'
import { CID, IDS, ONE, payload, uploadUrl } from '../contract/matrix/things.ts'
import { createMatrixWorld, routeOf, type MatrixWorld } from '../contract/matrix/world.ts'

/** Objects of other users, requested by id: the code reveals nothing, and not one row of the store changes. */
let world: MatrixWorld
const SERVER: Caller = { userId: '', kind: 'server' }

beforeAll(() => {
  world = createMatrixWorld()
  done('UpdateUsers', SERVER, { body: { users: { gone: {} } } })
  const sendInput = (message: Json) => ({ params: ONE, body: { message } })
  done(
    'SendMessage',
    { userId: 'admin' },
    sendInput({ id: 'secret', text: 'for two', restricted_visibility: ['victim'] }),
  )
  done('SendReaction', { userId: 'victim' }, { params: { id: 'm1' }, body: { reaction: { type: 'wow' } } })
  done('CreateDraft', { userId: 'victim' }, { params: ONE, body: { message: { text: 'mine', parent_id: 'm2' } } })
  const other = { params: { type: 'messaging', id: 'other' }, body: { data: { members: ['stranger', 'gone'] } } }
  done('GetOrCreateChannel', { userId: 'stranger' }, other)
  done('SendMessage', { userId: 'stranger' }, { ...OTHER, body: { message: { id: 'elsewhere', text: 'x' } } })
})
afterAll(() => world.close())

const OTHER = { params: { type: 'messaging', id: 'other' } }
const PLACE = { pollId: 'poll', messageId: 'polled' }

function ask(operation: string, who: Caller | string, call: Call) {
  return world.call(routeOf([operation, '', call]), typeof who === 'string' ? { userId: who } : who, call)
}

function done(operation: string, who: Caller | string, call: Call): Json {
  const { code, reply } = ask(operation, who, call)
  if (code !== undefined) throw new Error(`${operation}: ${JSON.stringify(reply)}`)
  return reply
}

/** All rows of the store. */
function dump(): string {
  const { db } = world.services
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'",
  )
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('message_words'))
  return JSON.stringify(names.map((name) => [name, db.all('SELECT * FROM ' + name)]))
}

type Case = readonly [what: string, operation: string, call: Call | (() => Call)]

function refused(who: string, code: number, cases: readonly Case[]): void {
  describe(`${who} is refused with ${code}`, () => {
    test.each(cases)('%s (%s)', (_what, operation, given) => {
      const before = dump()
      const outcome = ask(operation, who, typeof given === 'function' ? given() : given)
      expect(outcome.code, JSON.stringify(outcome.reply)).toEqual(code)
      expect(dump()).toBe(before)
    })
  })
}

const m1 = { params: { id: 'm1' } }
const text = { message: { text: 'x' } }

/** By a user who is not in the channel: as if the object did not exist. */
const HIDDEN: readonly Case[] = [
  ['a message', 'GetMessage', m1],
  ['an edit', 'UpdateMessage', { ...m1, body: text }],
  ['an edit in part', 'UpdateMessagePartial', { ...m1, body: { set: { text: 'x' } } }],
  ['a pin', 'UpdateMessagePartial', { ...m1, body: { set: { pinned: true } } }],
  ['a deletion', 'DeleteMessage', m1],
  ['a hard deletion', 'DeleteMessage', { ...m1, query: { hard: 'true' } }],
  ['a deletion for oneself', 'DeleteMessage', { ...m1, query: { delete_for_me: 'true' } }],
  ['replies', 'GetReplies', m1],
  ['a reaction', 'SendReaction', { ...m1, body: { reaction: { type: 'like' } } }],
  ['taking a reaction away', 'DeleteReaction', { params: { id: 'm1', type: 'like' } }],
  ['reactions', 'GetReactions', m1],
  ['reactions by a question', 'QueryReactions', { ...m1, body: {} }],
  ['a translation', 'TranslateMessage', { ...m1, body: { language: 'pl' } }],
  ['a reminder', 'CreateReminder', { ...m1, body: {} }],
  ['a flag', 'Flag', { body: { target_message_id: 'm1' } }],
  ['a flag of the new kind', 'FlagEntity', { body: { entity_type: 'stream:chat:v1:message', entity_id: 'm1' } }],
  ['a thread', 'GetThread', { params: { messageId: 'm1' } }],
  ['the title of a thread', 'UpdateThreadPartial', { params: { messageId: 'm1' }, body: { set: { title: 'x' } } }],
  ['a vote', 'CastPollVote', { params: { ...PLACE, messageId: 'polled' }, body: { vote: { option_id: 'yes' } } }],
  ['a live location', 'UpdateLiveLocation', { body: { message_id: 'place-victim', latitude: 5 } }],
]
refused('stranger', 16, HIDDEN)

describe('an id that does not exist gets the same text', () => {
  const unknown = (call: Call): Call =>
    JSON.parse(JSON.stringify(call).replaceAll(/m1|polled|place-victim/g, 'none')) as Call
  test.each(HIDDEN)('%s (%s)', (_what, operation, given) => {
    const call = typeof given === 'function' ? given() : given
    const [real, none] = [ask(operation, 'stranger', call), ask(operation, 'stranger', unknown(call))]
    const text = (reply: Json) => String(reply['message']).replaceAll(/m1|polled|place-victim|none/g, 'ID')
    expect(none.code).toEqual(real.code)
    expect(text(none.reply)).toEqual(text(real.reply))
  })
})

refused('stranger', 16, [
  ['a poll', 'GetPoll', { params: { pollId: 'poll' } }],
  ['an option', 'GetPollOption', { params: { pollId: 'poll', optionId: 'yes' } }],
  ['a new option', 'CreatePollOption', { params: { pollId: 'poll' }, body: { text: 'mine' } }],
  ['a poll’s end', 'UpdatePollPartial', { params: { pollId: 'poll' }, body: { set: { is_closed: true } } }],
  ['a poll’s removal', 'DeletePoll', { params: { pollId: 'poll' } }],
  ['voters', 'QueryPollVotes', { params: { pollId: 'poll' }, body: {} }],
  [
    'a file of another channel by way of the own',
    'DeleteChannelFile',
    { ...OTHER, query: { url: uploadUrl('victim') } },
  ],
  [
    'a quote from another channel',
    'SendMessage',
    { ...OTHER, body: { message: { text: 'x', quoted_message_id: 'm1' } } },
  ],
  [
    'a reply to another channel’s message',
    'SendMessage',
    { ...OTHER, body: { message: { text: 'x', parent_id: 'm1' } } },
  ],
  ['a poll that is not one’s own', 'SendMessage', { ...OTHER, body: { message: { text: 'x', poll_id: 'poll' } } }],
  ['reading up to another channel’s message', 'MarkRead', { ...OTHER, body: { message_id: 'm1' } }],
  ['reading another channel’s thread', 'MarkRead', { ...OTHER, body: { thread_id: 'm1' } }],
  ['unread from another channel’s message', 'MarkUnread', { ...OTHER, body: { message_id: 'm1' } }],
  [
    'a draft under another channel’s message',
    'CreateDraft',
    { ...OTHER, body: { message: { text: 'x', parent_id: 'm1' } } },
  ],
])

refused('stranger', 16, [
  ['the channel', 'GetChannel', { params: ONE }],
  ['its members', 'QueryMembers', payload(ONE)],
  ['its pins', 'GetPinnedMessages', { params: ONE }],
  ['its messages by id', 'GetManyMessages', { params: ONE, query: { ids: 'm1' } }],
  ['joining a private one', 'UpdateChannel', { params: ONE, body: { add_members: ['stranger'] } }],
  ['accepting an invite nobody sent', 'UpdateChannel', { params: ONE, body: { accept_invite: true } }],
  ['a word by way of an update', 'UpdateChannel', { params: ONE, body: { message: { text: 'x' } } }],
  [
    'preferences of the channel',
    'UpdatePushNotificationPreferences',
    { body: { preferences: [{ channel_cid: CID }] } },
  ],
])

refused('member', 17, [
  ['someone’s message', 'UpdateMessage', { ...m1, body: text }],
  ['someone’s message in part', 'UpdateMessagePartial', { ...m1, body: { set: { color: 'x' } } }],
  ['nothing of someone’s message', 'UpdateMessagePartial', { ...m1, body: {} }],
  ['a deletion', 'DeleteMessage', m1],
  ['a hard deletion', 'DeleteMessage', { ...m1, query: { hard: 'true' } }],
  ['someone’s poll', 'UpdatePoll', { body: { id: 'poll', name: 'x', options: [] } }],
  ['its end', 'UpdatePollPartial', { params: { pollId: 'poll' }, body: { set: { is_closed: true } } }],
  ['its removal', 'DeletePoll', { params: { pollId: 'poll' } }],
  ['its options', 'UpdatePollOption', { params: { pollId: 'poll' }, body: { id: 'yes', text: 'x' } }],
  ['an option’s removal', 'DeletePollOption', { params: { pollId: 'poll', optionId: 'yes' } }],
  ['someone’s live location', 'UpdateLiveLocation', { body: { message_id: 'place-victim', latitude: 5 } }],
  [
    'the end of someone’s live location',
    'UpdateLiveLocation',
    { body: { message_id: 'place-victim', end_at: '2001-01-01T00:00:00Z' } },
  ],
  ['someone’s upload', 'DeleteChannelFile', { params: ONE, query: { url: uploadUrl('victim') } }],
  [
    'someone’s place in the channel',
    'UpdateMemberPartial',
    { params: { ...ONE, userId: 'victim' }, body: { set: { pinned: true } } },
  ],
  [
    'someone’s role',
    'UpdateMemberPartial',
    { params: { ...ONE, userId: 'victim' }, body: { set: { channel_role: 'channel_moderator' } } },
  ],
  ['the own role', 'UpdateMemberPartial', { params: ONE, body: { set: { channel_role: 'channel_moderator' } } }],
  ['throwing someone out', 'UpdateChannel', { params: ONE, body: { remove_members: ['victim'] } }],
  ['someone’s profile', 'UpdateUsers', { body: { users: { victim: { name: 'x' } } } }],
  ['someone’s profile in part', 'UpdateUsersPartial', { body: { users: [{ id: 'victim', set: { name: 'x' } }] } }],
  ['everything of someone', 'ExportUser', { params: { id: 'victim' } }],
  ['unread counts of someone', 'UnreadCountsBatch', { body: { user_ids: ['victim'] } }],
  ['earlier texts of a message', 'QueryMessageHistory', { body: { filter: { message_id: 'm1' } } }],
  ['a waiting message', 'CommitMessage', { params: { id: 'waiting' } }],
  ['a deleted message', 'UndeleteMessage', { params: { id: 'gone' } }],
  ['the review queue', 'QueryReviewQueue', { body: {} }],
  ['an item of it', 'SubmitAction', () => ({ body: { action_type: 'delete_message', item_id: IDS.item } })],
  ['a report', 'ReviewFlagReport', () => ({ params: { id: IDS.report }, body: { review_result: 'fine' } })],
  ['what is known of someone', 'GetUserModerationReport', { query: { user_id: 'victim' } }],
  ['banned users', 'QueryBannedUsers', payload({ filter_conditions: { channel_cid: CID } })],
  ['a user group', 'UpdateUserGroup', { params: { id: 'group' }, body: { name: 'x' } }],
  ['joining a user group', 'AddUserGroupMembers', { params: { id: 'group' }, body: { member_ids: ['member'] } }],
  [
    'a check about someone’s message',
    'Check',
    { body: { entity_type: 'stream:chat:v1:message', entity_id: 'm1', moderation_payload: { texts: ['a word'] } } },
  ],
  [
    'a check in someone’s name',
    'Check',
    {
      body: {
        entity_type: 'thing',
        entity_id: 'x',
        entity_creator_id: 'victim',
        moderation_payload: { texts: ['a word'] },
      },
    },
  ],
])

refused('member', 16, [
  ['someone’s vote', 'DeletePollVote', () => ({ params: { ...PLACE, voteId: IDS.votes['victim'] ?? '' } })],
  ['someone’s reaction', 'DeleteReaction', { params: { id: 'm1', type: 'wow' } }],
  ['someone’s reminder', 'UpdateReminder', { params: { id: 'm2' }, body: {} }],
  ['someone’s reminder’s end', 'DeleteReminder', { params: { id: 'm2' } }],
  ['someone’s draft', 'GetDraft', { params: ONE, query: { parent_id: 'm2' } }],
  ['someone’s draft’s end', 'DeleteDraft', { params: ONE, query: { parent_id: 'm2' } }],
  ['someone’s device', 'DeleteDevice', { query: { id: 'device-victim' } }],
  [
    'someone’s answer with buttons',
    'RunMessageAction',
    { params: { id: 'gif-victim' }, body: { form_data: { image_action: 'send' } } },
  ],
  ['someone’s flag', 'Unflag', { body: { target_message_id: 'm1' } }],
  [
    'a vote by way of another message',
    'CastPollVote',
    { params: { pollId: 'poll', messageId: 'm1' }, body: { vote: { option_id: 'yes' } } },
  ],
  ['a waiting message', 'GetMessage', { params: { id: 'waiting' } }],
  ['a message for others', 'GetMessage', { params: { id: 'secret' } }],
  ['its quote', 'SendMessage', { params: ONE, body: { message: { text: 'x', quoted_message_id: 'secret' } } }],
  [
    'its quote by an edit',
    'UpdateMessagePartial',
    { params: { id: 'own-member' }, body: { set: { quoted_message_id: 'secret' } } },
  ],
  ['a reply to it', 'SendMessage', { params: ONE, body: { message: { text: 'x', parent_id: 'secret' } } }],
  ['a draft under it', 'CreateDraft', { params: ONE, body: { message: { text: 'x', parent_id: 'secret' } } }],
  ['a reaction to it', 'SendReaction', { params: { id: 'secret' }, body: { reaction: { type: 'like' } } }],
  ['a reminder of it', 'CreateReminder', { params: { id: 'secret' }, body: {} }],
  ['a flag on it', 'Flag', { body: { target_message_id: 'secret' } }],
  ['reading up to it', 'MarkRead', { params: ONE, body: { message_id: 'secret' } }],
  ['unread from it', 'MarkUnread', { params: ONE, body: { message_id: 'secret' } }],
  ['reading its thread', 'MarkRead', { params: ONE, body: { thread_id: 'secret' } }],
])

refused('member', 5, [
  ['someone’s devices', 'ListDevices', { query: { user_id: 'victim' } }],
  ['someone’s device', 'DeleteDevice', { query: { id: 'device-victim', user_id: 'victim' } }],
  ['someone’s unread counts', 'UnreadCounts', { query: { user_id: 'victim' } }],
  ['someone’s drafts', 'QueryDrafts', { query: { user_id: 'victim' }, body: {} }],
  ['a reaction of someone', 'DeleteReaction', { params: { id: 'm1', type: 'wow' }, query: { user_id: 'victim' } }],
])

refused('member', 46, [
  [
    'someone’s connection',
    'GetOrCreateChannel',
    { params: ONE, query: { connection_id: 'conn-stranger' }, body: { watch: true } },
  ],
  [
    'the end of someone’s watching',
    'StopWatchingChannel',
    { params: ONE, query: { connection_id: 'conn-stranger' }, body: {} },
  ],
])

/** Responses that contain the caller's own objects and nothing of anyone else's. */
const LISTS: readonly (readonly [what: string, who: string, operation: string, call: Call, hides: RegExp])[] = [
  ['devices', 'member', 'ListDevices', {}, /device-(?!member)/],
  ['drafts', 'member', 'QueryDrafts', { body: {} }, /"note"|draft of (?!member)/],
  ['reminders', 'member', 'QueryReminders', { body: { filter: { user_id: 'victim' } } }, /message_id/],
  ['reminders on messages', 'member', 'GetMessage', { params: { id: 'm2' } }, /"reminder":/],
  ['live locations', 'member', 'GetUserLiveLocations', {}, /place-(?!member)/],
  ['blocked people', 'member', 'GetBlockedUsers', {}, /"victim"/],
  ['polls', 'stranger', 'QueryPolls', { body: {} }, /Lunch/],
  ['polls by id', 'stranger', 'QueryPolls', { body: { filter: { id: 'poll' } } }, /Lunch/],
  ['threads', 'stranger', 'QueryThreads', { body: {} }, /m1/],
  ['events', 'stranger', 'Sync', { body: { channel_cids: [CID], last_sync_at: '2026-03-01T00:00:00Z' } }, /"message"/],
  ['found messages', 'stranger', 'Search', payload({ filter_conditions: { cid: CID }, query: 'hello' }), /m1/],
  [
    'named messages of another channel',
    'stranger',
    'GetManyMessages',
    { ...OTHER, query: { ids: 'm1,elsewhere' } },
    /m1/,
  ],
  ['unread counts', 'stranger', 'UnreadCounts', {}, /messaging:one/],
  [
    'messages for others',
    'member',
    'GetManyMessages',
    { params: ONE, query: { ids: 'secret,waiting,m1' } },
    /secret|waiting/,
  ],
  [
    'found messages for others',
    'member',
    'Search',
    payload({ filter_conditions: { cid: CID }, query: 'two' }),
    /secret/,
  ],
  ['a channel’s messages', 'member', 'GetOrCreateChannel', { params: ONE, body: {} }, /for two|"waiting"/],
  [
    'a draft that quotes what is for others',
    'member',
    'CreateDraft',
    { params: ONE, body: { message: { text: 'x', quoted_message_id: 'secret' } } },
    /for two/,
  ],
]
test.each(LISTS)('%s of %s contain nothing of others (%s)', (_what, who, operation, call, hides) => {
  const { code, reply } = world.attempt(routeOf([operation, '', call]), { userId: who }, call)
  expect(code).toBeUndefined()
  expect(hides.exec(JSON.stringify(reply))?.[0]).toBeUndefined()
})

describe('changing one’s own objects does not change those of others', () => {
  const rows = (sql: string) => JSON.stringify(world.services.db.all(sql))
  test.each([
    [
      'a device of the same id',
      'CreateDevice',
      { body: { id: 'device-victim', push_provider: 'firebase' } },
      "SELECT * FROM devices WHERE user_id = 'victim'",
    ],
    [
      'a block taken back',
      'UnblockUsers',
      { body: { blocked_user_id: 'extra' } },
      "SELECT * FROM user_blocks WHERE user_id = 'victim'",
    ],
    [
      'a mute taken back',
      'UnmuteUser',
      { body: { target_id: 'extra' } },
      "SELECT * FROM user_mutes WHERE user_id = 'victim'",
    ],
    [
      'a channel’s mute taken back',
      'UnmuteChannel',
      { body: { channel_cid: CID } },
      "SELECT * FROM channel_mutes WHERE user_id <> 'member'",
    ],
    [
      'preferences with someone’s name',
      'UpdatePushNotificationPreferences',
      { body: { preferences: [{ user_id: 'victim', chat_level: 'none' }] } },
      "SELECT * FROM push_preferences WHERE user_id <> 'member'",
    ],
    [
      'a read channel',
      'MarkRead',
      { params: ONE, body: { user_id: 'victim' } },
      "SELECT last_read, unread FROM members WHERE user_id = 'victim'",
    ],
    [
      'a hidden channel',
      'HideChannel',
      { params: ONE, body: { user_id: 'victim' } },
      "SELECT hidden FROM members WHERE user_id = 'victim'",
    ],
    [
      'a pinned channel',
      'UpdateMemberPartial',
      { params: ONE, body: { set: { pinned: true }, user_id: 'victim' } },
      "SELECT pinned_at FROM members WHERE user_id = 'victim'",
    ],
    [
      'a vote with someone’s name',
      'CastPollVote',
      { params: PLACE, body: { vote: { option_id: 'no', user_id: 'victim' }, user_id: 'victim' } },
      "SELECT * FROM poll_votes WHERE user_id = 'victim'",
    ],
    [
      'a draft with someone’s name',
      'CreateDraft',
      { params: ONE, body: { message: { text: 'x', user_id: 'victim' }, user_id: 'victim' } },
      "SELECT * FROM drafts WHERE user_id = 'victim'",
    ],
  ] as const)('%s (%s)', (_what, operation, call, sql) => {
    const before = rows(sql)
    done(operation, 'member', call)
    expect(rows(sql)).toEqual(before)
    expect(before === '[]').toEqual(sql.includes('push_preferences'))
  })
})
