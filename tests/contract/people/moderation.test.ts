import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel, updateChannel } from '#shared/wire/channels.ts'
import { getMessage, sendMessage } from '#shared/wire/messages.ts'
import {
  banUser,
  flagTarget,
  muteUser,
  queryBannedUsers,
  queryFlagReports,
  queryFutureChannelBans,
  queryMessageFlags,
  reviewFlagReport,
  unbanUser,
  unflagTarget,
  unmuteUser,
} from '#shared/wire/moderation.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let clock: ManualClock
let root: Client
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  clock = new ManualClock()
  server = await startTestServer({ clock })
  root = await server.connect('root')
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel(data: Record<string, unknown> = {}) {
  const params = { type: 'messaging', id: `m${(count += 1)}` }
  const body = { data: { members: ['ann', 'bob', 'eve'], ...data }, watch: true }
  await ann.call(queryChannel, params, { body })
  for (const each of [bob, eve]) await each.call(queryChannel, params, { body: { watch: true } })
  for (const each of [root, ann, bob, eve]) await each.takeEventTypes()
  return { ...params, cid: `messaging:${params.id}` }
}

const send = (who: Client, params: { type: string; id: string }, text = 'hi') =>
  who.call(sendMessage, params, { body: { message: { text } } })

const unreadOf = async (who: Client, params: { type: string; id: string }) =>
  (await who.call(queryChannel, params, { body: {} })).body.read?.find((read) => read.user.id === who.userId)
    ?.unread_messages

test('messages of a muted user do not count as unread until unmuted, and the muting user is notified', async () => {
  const params = await newChannel()
  const muted = await ann.call(muteUser, {}, { body: { target_id: 'bob' } })
  expect(muted.status).toBe(201)
  expect(muted.body.mute?.target.id).toBe('bob')
  expect(muted.body.mute?.expires).toBeUndefined()
  expect(muted.body.own_user?.mutes.map((mute) => mute.target?.id)).toEqual(['bob'])
  expect(await ann.takeEventTypes()).toContain('notification.mutes_updated')
  expect(await bob.takeEventTypes()).toEqual([])
  await send(bob, params)
  expect(await unreadOf(ann, params)).toBe(0)
  await ann.call(unmuteUser, {}, { body: { target_ids: ['bob'] } })
  expect(await unreadOf(ann, params)).toBe(1)
  await send(bob, params)
  expect(await unreadOf(ann, params)).toBe(2)
  await ann.call(muteUser, {}, { body: { target_id: 'bob' } })
  expect(await unreadOf(ann, params)).toBe(0)
  await ann.call(unmuteUser, {}, { body: { target_ids: ['bob'] } })
})

test('a mute with an end ends by the clock, and no one mutes themselves or an unknown user', async () => {
  const muted = await ann.call(muteUser, {}, { body: { target_ids: ['bob', 'ghost'], timeout: 1 } })
  expect(muted.body.mutes?.map((mute) => typeof mute.expires)).toEqual(['string'])
  expect(muted.body.non_existing_users).toEqual(['ghost'])
  await ann.takeEventTypes()
  await clock.advance(59_000)
  expect(await ann.takeEventTypes()).not.toContain('notification.mutes_updated')
  await clock.advance(1_000)
  expect(await ann.takeEventTypes()).toContain('notification.mutes_updated')
  expect((await ann.call(muteUser, {}, { body: { target_id: 'ann' } })).body.code).toBe(4)
  expect((await ann.call(muteUser, {}, { body: { target_id: 'ghost' } })).body.code).toBe(16)
})

test('a ban in a channel stops sending, is announced there, and ends by the clock', async () => {
  const params = await newChannel()
  const body = { target_user_id: 'bob', channel_cid: params.cid, timeout: 1, reason: 'rude' }
  expect((await bob.call(banUser, {}, { body: { ...body, target_user_id: 'eve' } })).body.code).toBe(17)
  expect((await ann.call(banUser, {}, { body })).status).toBe(201)
  expect(await bob.takeEventTypes()).toEqual(['user.banned'])
  expect(await eve.takeEventTypes()).toEqual(['user.banned'])
  expect(await root.takeEventTypes()).toEqual([])
  const refused = await send(bob, params)
  expect(refused.status).toBe(403)
  expect(refused.body.code).toBe(17)
  const seen = await bob.call(queryChannel, params, { body: {} })
  expect(seen.status).toBe(201)
  expect(seen.body.membership?.banned).toBe(true)
  expect(typeof seen.body.membership?.['ban_expires']).toBe('string')
  expect(seen.body.channel.own_capabilities).not.toContain('send-message')
  await clock.advance(60_000)
  expect(await bob.takeEventTypes()).toContain('user.unbanned')
  expect((await send(bob, params)).status).toBe(201)
})

test('D25 the list of bans shows reason and end, and is empty after the ban was lifted', async () => {
  const params = await newChannel()
  const filter = { payload: { filter_conditions: { channel_cid: params.cid } } }
  await ann.call(
    banUser,
    {},
    { body: { target_user_id: 'bob', type: params.type, id: params.id, timeout: 5, reason: 'spam' } },
  )
  const bans = (await ann.call(queryBannedUsers, {}, { query: filter })).body.bans
  expect(bans.map((ban) => [ban.user.id, ban.banned_by?.id, ban.reason, typeof ban.expires, ban.channel?.cid])).toEqual(
    [['bob', 'ann', 'spam', 'string', params.cid]],
  )
  expect((await bob.call(queryBannedUsers, {}, { query: filter })).body.code).toBe(17)
  const unbanned = await ann.call(unbanUser, {}, { query: { target_user_id: 'bob', channel_cid: params.cid } })
  expect(unbanned.status).toBe(200)
  expect((await ann.call(queryBannedUsers, {}, { query: filter })).body.bans).toEqual([])
})

test('leaving and coming back does not end a ban', async () => {
  const params = await newChannel()
  await ann.call(banUser, {}, { body: { target_user_id: 'bob', channel_cid: params.cid } })
  await bob.call(updateChannel, params, { body: { remove_members: ['bob'] } })
  await ann.call(updateChannel, params, { body: { add_members: ['bob'] } })
  expect((await send(bob, params)).body.code).toBe(17)
})

test('D24 messages of a shadow banned user reach no one else, and later ones count again', async () => {
  const params = await newChannel()
  await ann.call(banUser, {}, { body: { target_user_id: 'bob', channel_cid: params.cid, shadow: true } })
  expect(await bob.takeEventTypes()).toEqual([])
  expect(await eve.takeEventTypes()).toEqual([])
  const sent = await send(bob, params, 'unseen')
  expect(sent.status).toBe(201)
  expect(sent.body.message.shadowed).toBe(true)
  expect((await bob.call(getMessage, { id: sent.body.message.id })).body.message.shadowed).toBe(true)
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
  expect(await eve.takeEventTypes()).toEqual([])
  expect((await eve.call(getMessage, { id: sent.body.message.id })).body.code).toBe(16)
  expect(await unreadOf(eve, params)).toBe(0)
  expect(await unreadOf(ann, params)).toBe(0)
  await ann.call(unbanUser, {}, { query: { target_user_id: 'bob', channel_cid: params.cid } })
  expect((await send(bob, params, 'seen')).body.message.shadowed).toBe(false)
  expect(await eve.takeEventTypes()).toEqual(['message.new'])
})

test('a global ban needs an administrator and applies to every channel', async () => {
  const params = await newChannel()
  expect((await ann.call(banUser, {}, { body: { target_user_id: 'bob' } })).body.code).toBe(17)
  await root.call(banUser, {}, { body: { target_user_id: 'bob' } })
  expect(await bob.takeEventTypes()).toEqual(['user.banned'])
  expect(await eve.takeEventTypes()).toEqual(['user.banned'])
  expect((await send(bob, params)).body.code).toBe(17)
  const create = await bob.call(
    queryChannel,
    { type: 'messaging', id: 'mine' },
    { body: { data: { members: ['bob'] } } },
  )
  expect(create.body.code).toBe(17)
  await root.call(unbanUser, {}, { query: { target_user_id: 'bob' } })
  expect((await send(bob, params)).status).toBe(201)
})

test('a ban may delete the messages and applies to channels created later', async () => {
  const params = await newChannel()
  const { body } = await send(bob, params)
  await eve.takeEventTypes()
  await ann.call(
    banUser,
    {},
    {
      body: { target_user_id: 'bob', channel_cid: params.cid, delete_messages: 'hard', ban_from_future_channels: true },
    },
  )
  expect(await eve.takeEventTypes()).toEqual(['user.banned', 'user.messages.deleted'])
  expect((await ann.call(getMessage, { id: body.message.id })).body.code).toBe(16)
  const later = await newChannel()
  expect((await send(bob, later)).body.code).toBe(17)
  const ahead = await root.call(queryFutureChannelBans, {}, { query: { payload: { target_user_id: 'bob' } } })
  expect(ahead.body.bans.map((ban) => ban.banned_by?.id)).toEqual(['ann'])
  await ann.call(
    unbanUser,
    {},
    {
      query: { target_user_id: 'bob', channel_cid: params.cid, remove_future_channels_ban: true },
    },
  )
  expect((await send(bob, await newChannel())).status).toBe(201)
})

test('a message is flagged once by each user, reviewed by moderators, and the flag can be removed', async () => {
  const params = await newChannel()
  const { message } = (await send(bob, params)).body
  const body = { target_message_id: message.id, reason: 'spam' }
  const flagged = await eve.call(flagTarget, {}, { body })
  expect(flagged.status).toBe(201)
  expect(flagged.body.flag.target_message_id).toEqual(message.id)
  expect(flagged.body.flag.reason).toBe('spam')
  expect((await eve.call(flagTarget, {}, { body })).body.code).toBe(4)
  expect((await root.call(flagTarget, {}, { body: { target_user_id: 'nobody' } })).body.code).toBe(16)
  const query = { query: { payload: { filter_conditions: { channel_cid: params.cid } } } }
  expect((await eve.call(queryMessageFlags, {}, query)).body.code).toBe(17)
  expect((await ann.call(queryMessageFlags, {}, query)).body.flags.map((flag) => flag.user.id)).toEqual(['eve'])
  const reports = await root.call(queryFlagReports, {}, { body: { filter_conditions: { message_id: message.id } } })
  const reviewed = await root.call(
    reviewFlagReport,
    { id: reports.body.flag_reports[0]?.id ?? '' },
    { body: { review_result: 'reviewed' } },
  )
  expect(reviewed.body.flag_report.review_result).toBe('reviewed')
  expect(reviewed.body.flag_report.reviewed_by?.id).toBe('root')
  await eve.call(unflagTarget, {}, { body })
  expect((await ann.call(queryMessageFlags, {}, query)).body.flags).toEqual([])
})
