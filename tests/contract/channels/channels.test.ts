import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deleteChannel,
  getChannel,
  hideChannel,
  muteChannel,
  queryChannel,
  queryChannels,
  queryDistinctChannel,
  showChannel,
  truncateChannel,
  unmuteChannel,
  updateChannel,
  updateChannelPartial,
  updateOwnMember,
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
  bob = await server.connect('bob', { name: 'Bob' })
  eve = await server.connect('eve', { name: 'Eve' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel(type = 'messaging', data: Record<string, unknown> = {}) {
  const params = { type, id: `c${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'], ...data }, watch: true } })
  return { ...params, cid: `${type}:${params.id}` }
}

const list = (client: Client, filter: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  client.call(queryChannels, {}, { body: { filter_conditions: filter, ...more } })

test('a query creates a channel once and returns its members afterwards', async () => {
  const params = { type: 'messaging', id: 'fresh' }
  const first = await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'], color: 'red' } } })
  const again = await bob.call(queryChannel, params, { body: { data: { members: ['bob'], color: 'blue' } } })
  expect(first.status).toBe(201)
  expect(first.body.channel.member_count).toBe(2)
  expect(first.body.channel['color']).toBe('red')
  expect(again.status).toBe(201)
  expect(again.body.channel.member_count).toBe(2)
  expect(again.body.channel['color']).toBe('red')
  expect(again.body.members?.map((member) => [member.user_id, member.role])).toEqual([
    ['ann', 'owner'],
    ['bob', 'member'],
  ])
  expect(again.body.duration).toMatch(/ms$/)
})

test('without an id at least two members are needed, and the same users share one channel', async () => {
  const alone = await ann.call(queryDistinctChannel, { type: 'messaging' }, { body: { data: { members: ['ann'] } } })
  expect(alone.status).toBe(400)
  expect(alone.body.code).toBe(4)
  const one = await ann.call(
    queryDistinctChannel,
    { type: 'messaging' },
    { body: { data: { members: ['ann', 'bob'] } } },
  )
  const two = await bob.call(
    queryDistinctChannel,
    { type: 'messaging' },
    { body: { data: { members: ['bob', 'ann'] } } },
  )
  expect(one.body.channel.cid).toMatch(/^messaging:!members-[\w-]{43}$/)
  expect(two.body.channel.cid).toBe(one.body.channel.cid)
})

test('a user who is not a member may not read a messaging channel and does not find it in lists', async () => {
  const { cid, ...params } = await newChannel()
  const answer = await eve.call(queryChannel, params, { body: {} })
  expect(answer.status).toBe(403)
  expect(answer.body.code).toBe(17)
  expect(answer.body.message).toContain(`User 'eve' with roles ['user'] is not allowed to perform action ReadChannel`)
  expect((await list(eve, { cid })).body.channels).toEqual([])
  expect((await list(eve, { cid: { $in: [cid] } })).body.channels).toEqual([])
})

test('everyone may read a team channel and can join it without an invitation', async () => {
  const { cid, ...params } = await newChannel('team')
  expect((await eve.call(queryChannel, params, { body: {} })).status).toBe(201)
  const joined = await eve.call(updateChannel, params, { body: { add_members: ['eve'] } })
  expect(joined.body.channel.member_count).toBe(3)
  expect((await list(eve, { members: { $in: ['eve'] }, cid })).body.channels.length).toBe(1)
})

test('watching needs a connection that exists', async () => {
  const { type, id } = await newChannel()
  const answer = await server.request(`/channels/${type}/${id}/query?api_key=test-key&user_id=ann&connection_id=gone`, {
    method: 'POST',
    headers: { Authorization: (await import('../kit.ts')).tokenOf('ann'), 'Content-Type': 'application/json' },
    body: '{"watch":true}',
  })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text).code).toBe(46)
})

test('an unknown filter operator is refused and custom fields are searched', async () => {
  const { cid } = await newChannel('messaging', { color: 'green' })
  expect(
    (await list(ann, { color: 'green', members: { $in: ['ann'] } })).body.channels.map((each) => each.channel.cid),
  ).toEqual([cid])
  const bad = await list(ann, { member_count: { $near: 1 } })
  expect(bad.status).toBe(400)
  expect(bad.body.code).toBe(4)
  expect(bad.body.exception_fields).toEqual({ member_count: '$near' })
})

test('lists are sorted by activity and cut into pages', async () => {
  const a = await newChannel('messaging', { batch: 1 })
  const b = await newChannel('messaging', { batch: 1 })
  await ann.call(sendMessage, a, { body: { message: { text: 'newest' } } })
  const sort = [{ field: 'last_message_at', direction: -1 }]
  const cids = async (offset: number) =>
    (await list(ann, { batch: 1, joined: true }, { sort, limit: 1, offset })).body.channels.map(
      (each) => each.channel.cid,
    )
  expect(await cids(0)).toEqual([a.cid])
  expect(await cids(1)).toEqual([b.cid])
  expect(await cids(2)).toEqual([])
})

test('a partial update merges custom data and a full one replaces it', async () => {
  const { cid: _cid, ...params } = await newChannel('messaging', { color: 'red', name: 'Old' })
  const merged = await ann.call(updateChannelPartial, params, { body: { set: { size: 2 }, unset: ['color'] } })
  expect(merged.status).toBe(200)
  expect(merged.body.channel['size']).toBe(2)
  expect(merged.body.channel['color']).toBeUndefined()
  expect(merged.body.channel.name).toBe('Old')
  const replaced = await ann.call(updateChannel, params, { body: { data: { name: 'New' } } })
  expect(replaced.body.channel['size']).toBeUndefined()
  expect(replaced.body.channel.name).toBe('New')
  expect((await bob.call(updateChannelPartial, params, { body: { set: { size: 3 } } })).body.code).toBe(17)
})

test('a channel update may carry a system message', async () => {
  const { cid: _cid, ...params } = await newChannel()
  const answer = await ann.call(updateChannel, params, { body: { message: { text: 'renamed' } } })
  expect(answer.body.message?.type).toBe('system')
  expect(answer.body.message?.text).toBe('renamed')
})

test('pin and archive are stored in the viewer’s membership and work as filters', async () => {
  const { cid, ...params } = await newChannel()
  const pinned = await ann.call(updateOwnMember, params, { body: { set: { pinned: true, archived: true } } })
  expect(typeof pinned.body.channel_member.pinned_at).toBe('string')
  expect((await list(ann, { cid, pinned: true, archived: true })).body.channels.length).toBe(1)
  const cleared = await ann.call(updateOwnMember, params, { body: { set: { pinned: false, archived: false } } })
  expect(cleared.body.channel_member.pinned_at).toBeNull()
  expect(cleared.body.channel_member.archived_at).toBeNull()
  expect((await list(ann, { cid, pinned: true })).body.channels.length).toBe(0)
})

test('a hidden channel leaves the list, is found when filtered for, and comes back with a message', async () => {
  const { cid, ...params } = await newChannel()
  await bob.call(hideChannel, params)
  expect((await list(bob, { cid })).body.channels.length).toBe(0)
  expect((await list(bob, { cid, hidden: true })).body.channels.length).toBe(1)
  await ann.call(sendMessage, params, { body: { message: { text: 'x' }, keep_channel_hidden: true } })
  expect((await list(bob, { cid })).body.channels.length).toBe(0)
  await ann.call(sendMessage, params, { body: { message: { text: 'y' } } })
  expect((await list(bob, { cid })).body.channels.length).toBe(1)
  await bob.call(showChannel, params)
})

test('muting names the channel, filters, and has an end only when one is set', async () => {
  const { cid } = await newChannel()
  const muted = (await ann.call(muteChannel, {}, { body: { channel_cid: cid } })).body as {
    channel_mute?: { channel: { cid: string }; expires?: string }
  }
  expect(muted.channel_mute?.channel.cid).toEqual(cid)
  expect(muted.channel_mute?.expires).toBeUndefined()
  expect((await list(ann, { cid, muted: true })).body.channels.length).toBe(1)
  await ann.call(unmuteChannel, {}, { body: { channel_cid: cid } })
  expect((await list(ann, { cid, muted: true })).body.channels.length).toBe(0)
  expect((await list(ann, { cid, muted: false })).body.channels.length).toBe(1)
})

test('truncating empties a channel, or leaves only the message sent with it', async () => {
  const { cid: _cid, ...params } = await newChannel()
  await ann.call(sendMessage, params, { body: { message: { text: 'old' } } })
  const answer = await ann.call(truncateChannel, params, { body: { message: { text: 'cleared' } } })
  expect((answer.body.channel['truncated_by'] as { id: string }).id).toBe('ann')
  const state = await bob.call(queryChannel, params, { body: {} })
  expect(state.body.messages?.map((message) => message.text)).toEqual(['cleared'])
})

test('a deleted channel is removed for everyone', async () => {
  const { cid, ...params } = await newChannel()
  expect((await bob.call(deleteChannel, params)).body.code).toBe(17)
  expect((await ann.call(deleteChannel, params)).status).toBe(200)
  expect((await list(ann, { cid })).body.channels.length).toBe(0)
  expect((await bob.call(queryChannel, params, { body: {} })).status).not.toBe(201)
})

test('a frozen channel removes the right to send', async () => {
  const { cid: _cid, ...params } = await newChannel()
  const frozen = await ann.call(updateChannelPartial, params, { body: { set: { frozen: true } } })
  expect(frozen.body.channel.own_capabilities).not.toContain('send-message')
  const refused = await bob.call(sendMessage, params, { body: { message: { text: 'x' } } })
  expect(refused.status).toBe(403)
  expect(refused.body.code).toBe(17)
})

test('slow mode makes a member wait and not the owner', async () => {
  const { cid: _cid, ...params } = await newChannel()
  await ann.call(updateChannel, params, { body: { cooldown: 60 } })
  const send = (client: Client) => client.call(sendMessage, params, { body: { message: { text: 'x' } } })
  expect((await send(bob)).status).toBe(201)
  const early = await send(bob)
  expect(early.status).toBe(403)
  expect(early.body.code).toBe(60)
  expect((await send(ann)).status).toBe(201)
  expect((await send(ann)).status).toBe(201)
})

test('getting a channel returns its state and pages like a query, and never creates one or makes it open', async () => {
  const { type, id, cid } = await newChannel()
  const params = { type, id }
  for (const messageId of ['g1', 'g2', 'g3']) {
    await ann.call(sendMessage, params, { body: { message: { id: `${id}-${messageId}`, text: messageId } } })
  }
  const page = await bob.call(getChannel, params, { query: { messages_limit: 1, messages_id_lt: `${id}-g3` } })
  expect(page.status).toBe(200)
  expect(page.body.channel?.cid).toEqual(cid)
  expect(page.body.messages?.map((message) => message.text)).toEqual(['g2'])
  const stranger = await eve.call(getChannel, params)
  const missing = await ann.call(getChannel, { type, id: 'nowhere' })
  expect(stranger.status).toBe(404)
  expect(missing.status).toBe(404)
  expect(missing.body.code).toBe(16)
})
