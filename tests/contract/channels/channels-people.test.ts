import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryMembers } from '#shared/wire/app.ts'
import {
  deleteChannel,
  queryChannel,
  queryChannels,
  truncateChannel,
  updateChannel,
  updateChannelPartial,
  updateMember,
} from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let ann: Client
let bob: Client
let eve: Client

beforeAll(async () => {
  server = await startTestServer()
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann Lee' })
  bob = await server.connect('bob', { name: 'Bob Stone' })
  eve = await server.connect('eve', { name: 'Eve Stone' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel(data: Record<string, unknown> = {}) {
  const params = { type: 'messaging', id: `p${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'], ...data }, watch: true } })
  for (const each of [ann, bob, eve]) await each.takeEventTypes()
  return params
}
const memberOf = (members: readonly { user_id?: unknown }[], id: string) =>
  members.find((member) => member.user_id === id) as Record<string, unknown> | undefined

test('D19 a promoted member is a moderator, and a plain member after demotion', async () => {
  const params = await newChannel()
  const raised = await ann.call(updateChannel, params, { body: { add_moderators: ['bob'] } })
  expect(memberOf(raised.body.members, 'bob')).toMatchObject({ role: 'moderator', is_moderator: true })
  expect(await ann.takeEventTypes()).toEqual(['member.updated', 'channel.updated'])
  const lowered = await ann.call(updateChannel, params, { body: { demote_moderators: ['bob'] } })
  expect(memberOf(lowered.body.members, 'bob')).toMatchObject({ role: 'member', is_moderator: false })
})

test('D20 an invite has no times until it is accepted, and others cannot accept or decline it', async () => {
  const params = await newChannel()
  const invited = await ann.call(updateChannel, params, { body: { invites: ['eve'] } })
  const pending = memberOf(invited.body.members, 'eve')
  expect(pending).toMatchObject({ invited: true, status: 'pending' })
  expect(pending?.['invite_accepted_at']).toBeUndefined()
  expect(pending?.['invite_rejected_at']).toBeUndefined()
  expect(await eve.takeEventTypes()).toEqual(['notification.invited'])
  expect((await bob.call(updateChannel, params, { body: { accept_invite: true } })).body.code).toBe(4)
  const accepted = await eve.call(updateChannel, params, { body: { accept_invite: true } })
  expect(memberOf(accepted.body.members, 'eve')).toMatchObject({ invited: true, status: 'accepted' })
  expect(typeof memberOf(accepted.body.members, 'eve')?.['invite_accepted_at']).toBe('string')
  expect(await eve.takeEventTypes()).toContain('notification.invite_accepted')
})

test('a role is assigned to a user who is not a member yet, and only by users who may', async () => {
  const params = await newChannel()
  const body = { assign_roles: [{ user_id: 'eve', channel_role: 'channel_moderator' }] }
  expect((await bob.call(updateChannel, params, { body })).body.code).toBe(17)
  const done = await ann.call(updateChannel, params, { body })
  expect(memberOf(done.body.members, 'eve')?.['channel_role']).toBe('channel_moderator')
  const self = { body: { set: { channel_role: 'channel_moderator' } } }
  expect((await bob.call(updateMember, { ...params, userId: 'bob' }, self)).body.code).toBe(17)
})

test('a user added with hidden history sees later messages only', async () => {
  const params = await newChannel()
  await ann.call(sendMessage, params, { body: { message: { text: 'before' } } })
  await ann.call(updateChannel, params, { body: { add_members: ['eve'], hide_history: true } })
  await ann.call(sendMessage, params, { body: { message: { text: 'after' } } })
  const seen = await eve.call(queryChannel, params, { body: {} })
  expect(seen.body.messages?.map((message) => message.text)).toEqual(['after'])
})

test('filter tags are added, removed, and found', async () => {
  const params = await newChannel()
  const done = await ann.call(updateChannel, params, { body: { add_filter_tags: ['a', 'b'] } })
  expect(done.body.channel['filter_tags']).toEqual(['a', 'b'])
  await ann.call(updateChannel, params, { body: { remove_filter_tags: ['a'] } })
  const find = async (filter: object) =>
    (await ann.call(queryChannels, {}, { body: { filter_conditions: { joined: true, filter_tags: filter } } })).body
      .channels.length
  expect(await find({ $in: ['b'] })).toBe(1)
  expect(await find({ $in: ['a'] })).toBe(0)
})

test('D21 truncation removes the messages, keeps the one that came with it, and for some members only hides them', async () => {
  const params = await newChannel()
  await bob.call(sendMessage, params, { body: { message: { text: 'old' } } })
  await ann.call(truncateChannel, params, { body: { member_ids: ['bob'] } })
  const texts = async (who: Client) =>
    (await who.call(queryChannel, params, { body: {} })).body.messages?.map((message) => message.text)
  expect(await texts(ann)).toEqual(['old'])
  expect(await texts(bob)).toEqual([])
  const done = await ann.call(truncateChannel, params, { body: { message: { text: 'clean' } } })
  expect(done.body.channel['truncated_by_id']).toBe('ann')
  expect(await texts(ann)).toEqual(['clean'])
})

test('D31 members are found by the start of a name, in the order they joined, page by page', async () => {
  const params = await newChannel({ members: ['ann', 'bob', 'eve'] })
  const page = async (offset: number) =>
    (
      await ann.call(
        queryMembers,
        {},
        {
          query: {
            payload: {
              ...params,
              filter_conditions: { name: { $autocomplete: 'sto' } },
              sort: [{ field: 'created_at', direction: 1 }],
              limit: 1,
              offset,
            },
          },
        },
      )
    ).body.members.map((member) => member.user_id)
  expect(await page(0)).toEqual(['bob'])
  expect(await page(1)).toEqual(['eve'])
  expect(await page(2)).toEqual([])
})

test('D33 the count of messages is left out where a channel does not count', async () => {
  const params = await newChannel()
  expect((await ann.call(queryChannel, params, { body: {} })).body.channel['message_count']).toBe(0)
  const set = { config_overrides: { count_messages: false } }
  const off = await ann.call(updateChannelPartial, params, { body: { set } })
  expect(off.body.channel).not.toHaveProperty('message_count')
  const wrong = { config_overrides: { count_messages: 'no' } }
  expect((await ann.call(updateChannelPartial, params, { body: { set: wrong } })).body.code).toBe(4)
})

test('a deleted channel is recreated, empty, by users who may delete it and no one else', async () => {
  const params = await newChannel()
  await ann.call(sendMessage, params, { body: { message: { text: 'gone' } } })
  await ann.call(deleteChannel, params)
  expect((await bob.call(queryChannel, params, { body: {} })).body.code).toBe(17)
  const back = await ann.call(queryChannel, params, { body: {} })
  expect(back.status).toBe(201)
  expect(back.body.messages).toEqual([])
})
