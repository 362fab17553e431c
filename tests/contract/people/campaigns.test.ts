import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { upsertUsers } from '#shared/wire/app.ts'
import {
  addSegmentTargets,
  createCampaign,
  createSegment,
  deleteCampaign,
  deleteSegment,
  deleteSegmentTargets,
  getCampaign,
  getSegment,
  queryCampaigns,
  querySegments,
  querySegmentTargets,
  segmentTargetExists,
  startCampaign,
  stopCampaign,
  updateCampaign,
  updateSegment,
} from '#shared/wire/campaigns.ts'
import { queryChannel, queryChannels } from '#shared/wire/channels.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

const clock = new ManualClock()
let server: TestServer
let ann: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer({ clock })
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob', color: 'red' })
})
afterAll(() => server.stopAll())

const admin = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body: object = {}, query: object = {}) =>
  callAs(server.url, { userId: '', token: createToken({}, SECRET) }, endpoint, params, { body, query })

const textsOf = async (who: Client) => {
  const { channels } = (
    await who.call(queryChannels, {}, { body: { filter_conditions: { members: { $in: [who.userId] } } } })
  ).body
  return channels.flatMap((each) => (each.messages ?? []).map((message) => [message.user?.id, message.text]))
}

const input = (more: object = {}) => ({
  name: 'News',
  sender_id: 'root',
  message_template: { text: 'hello' },
  create_channels: true,
  ...more,
})

test('D39 a campaign is created, read, changed, started, and deleted by a server token, with 201 and 200', async () => {
  expect((await ann.call(createCampaign, {}, { body: input() })).body.code).toBe(17)
  expect((await admin(createCampaign, {}, { sender_id: 'root', message_template: {} })).body.code).toBe(4)
  const made = await admin(createCampaign, {}, input({ user_ids: ['ann', 'bob', 'ghost', 'root'] }))
  const { id } = made.body.campaign
  expect(made.status).toBe(201)
  expect(made.body.campaign.status).toBe('draft')
  expect((await admin(getCampaign, { id })).status).toBe(200)
  const changed = await admin(
    updateCampaign,
    { id },
    input({ user_ids: ['ann', 'bob', 'ghost', 'root'], name: 'Other' }),
  )
  expect(changed.status).toBe(201)
  expect(changed.body.campaign.name).toBe('Other')
  await bob.takeEventTypes()
  expect((await admin(startCampaign, { id })).status).toBe(201)
  expect(await textsOf(ann)).toEqual([['root', 'hello']])
  expect(await bob.takeEventTypes()).toEqual(
    expect.arrayContaining(['notification.added_to_channel', 'notification.message_new']),
  )
  const { campaign } = (await admin(getCampaign, { id })).body
  expect(campaign.status).toBe('completed')
  expect(campaign.users.map((user) => user.id)).toEqual(['ann', 'bob'])
  expect(campaign.stats).toMatchObject({
    progress: 1,
    stats_users_sent: 2,
    stats_messages_sent: 2,
    stats_channels_created: 2,
    stats_users_read: 0,
  })
  expect((await admin(startCampaign, { id })).body.code).toBe(4)
  const list = await admin(queryCampaigns, {}, { filter: { status: 'completed' }, sort: [], limit: 10 })
  expect(list.body.campaigns.map((each) => each.id)).toEqual([id])
  expect((await admin(deleteCampaign, { id })).status).toBe(200)
  expect((await admin(getCampaign, { id })).body.code).toBe(16)
})

test('a campaign waits for its time, can be stopped before, and skips users without a channel', async () => {
  const at = new Date(clock.now() + 60_000).toISOString()
  const { campaign } = (
    await admin(createCampaign, {}, input({ user_ids: ['bob'], message_template: { text: 'later' } }))
  ).body
  const started = await admin(startCampaign, { id: campaign.id }, { scheduled_for: at })
  expect(started.body.campaign.status).toBe('scheduled')
  await clock.advance(30_000)
  expect((await textsOf(bob)).some(([, text]) => text === 'later')).toBe(false)
  await clock.advance(40_000)
  expect((await textsOf(bob)).some(([, text]) => text === 'later')).toBe(true)
  const never = (await admin(createCampaign, {}, input({ user_ids: ['bob'] }))).body.campaign
  await admin(startCampaign, { id: never.id }, { scheduled_for: new Date(clock.now() + 60_000).toISOString() })
  expect((await admin(stopCampaign, { id: never.id })).body.campaign.status).toBe('stopped')
  await admin(upsertUsers, {}, { users: { lone: { id: 'lone' } } })
  const skipped = (await admin(createCampaign, {}, input({ user_ids: ['lone'], create_channels: false }))).body.campaign
  await admin(startCampaign, { id: skipped.id })
  const { stats, status } = (await admin(getCampaign, { id: skipped.id })).body.campaign
  expect(status).toBe('completed')
  expect(stats.stats_users_sent).toBe(0)
})

test('segments contain named and found users, and campaigns are sent to them and into channels', async () => {
  const red = (await admin(createSegment, {}, { type: 'user', name: 'Red', filter: { color: 'red' } })).body.segment
  expect(red.size).toBe(1)
  expect((await admin(createSegment, {}, { type: 'user', filter: { $bad: 1 } })).body.code).toBe(4)
  await admin(addSegmentTargets, { id: red.id }, { target_ids: ['ann'] })
  expect((await admin(getSegment, { id: red.id })).body.segment.size).toBe(2)
  expect((await admin(segmentTargetExists, { id: red.id, targetId: 'ann' })).status).toBe(200)
  expect((await admin(segmentTargetExists, { id: red.id, targetId: 'bob' })).body.code).toBe(16)
  const targets = await admin(querySegmentTargets, { id: red.id }, { Filter: { target_id: 'ann' } })
  expect(targets.body.targets.map((target) => target.target_id)).toEqual(['ann'])
  expect((await admin(updateSegment, { id: red.id }, { name: 'Reds' })).body.segment.name).toBe('Reds')
  expect((await admin(querySegments, {}, { filter: { name: 'Reds' } })).body.segments.length).toBe(1)
  const place = { type: 'messaging', id: 'board' }
  await ann.call(queryChannel, place, { body: { data: { members: ['ann'] } } })
  const rooms = (await admin(createSegment, {}, { type: 'channel' })).body.segment
  await admin(addSegmentTargets, { id: rooms.id }, { target_ids: ['messaging:board'] })
  const { campaign } = (
    await admin(createCampaign, {}, input({ segment_ids: [red.id, rooms.id], message_template: { text: 'to all' } }))
  ).body
  await admin(startCampaign, { id: campaign.id })
  const { stats } = (await admin(getCampaign, { id: campaign.id })).body.campaign
  expect(stats).toMatchObject({ stats_users_sent: 2, stats_messages_sent: 3 })
  const board = await ann.call(queryChannel, place, { body: {} })
  expect(board.body.messages?.map((message) => message.text)).toEqual(['to all'])
  await admin(deleteSegmentTargets, { id: red.id }, { target_ids: ['ann'] })
  expect((await admin(getSegment, { id: red.id })).body.segment.size).toBe(1)
  expect((await admin(deleteSegment, { id: red.id })).status).toBe(200)
})
